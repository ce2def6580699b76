import math

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    Composition,
    Correct,
    Outcome,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.measure.suite import (
    PerformanceStatus,
    classify_performance,
    mean_speedup,
    summarize_suite,
)
from samples import evaluation, on_a_card, timed

FAILED = Failed(case="x", reason=Reason.STALE, detail="the same answer twice")
UNMEASURED = Unmeasured(reason=Reason.DISTURBED, detail="another process on the card")
WRONG = Wrong(case="x", reason=Reason.BAD_VALUES, detail="")
VOID = Void(reason=Reason.EVALUATOR, detail="")


def _one(
    task: str,
    performance: Performance | None = None,
    outcome: Outcome | None = None,
    composition: Composition = Composition.PURE,
) -> Evaluation:
    made = on_a_card(evaluation(task, outcome, performance))
    return msgspec.structs.replace(made, task=task, composition=composition)


def _fast(task: str, speedup: float, composition: Composition = Composition.PURE) -> Evaluation:
    return _one(task, timed(speedup), composition=composition)


@pytest.mark.parametrize(
    ("one", "stands"),
    [
        (_fast("a", 2.0), PerformanceStatus.FASTER),
        (_fast("a", 0.5), PerformanceStatus.SLOWER),
        (_fast("a", 1.0), PerformanceStatus.UNDECIDED),
        (_one("a", FAILED), PerformanceStatus.FAILED),
        (_one("a", UNMEASURED), PerformanceStatus.UNMEASURED),
        (_one("a"), PerformanceStatus.UNTIMED),
        (_one("a", timed(2.0, baselines=("compile",))), PerformanceStatus.UNTIMED),
        (_one("a", outcome=WRONG), PerformanceStatus.INCORRECT),
        (_one("a", outcome=Rejected(findings=())), PerformanceStatus.INCORRECT),
        (
            _one("a", outcome=Broken(stage=Stage.CALL, reason=Reason.CRASH, detail="")),
            PerformanceStatus.INCORRECT,
        ),
        (_one("a", outcome=VOID), PerformanceStatus.VOID),
        (_one("a", outcome=Reached(stage=Stage.CALL)), PerformanceStatus.VOID),
    ],
)
def test_every_submission_stands_somewhere(one: Evaluation, stands: PerformanceStatus) -> None:
    assert classify_performance(one) is stands


def test_nothing_is_dropped() -> None:
    all_of_it = [
        _fast("a", 2.0),
        _fast("b", 0.5),
        _one("c", FAILED),
        _one("d", UNMEASURED),
        _one("e", outcome=WRONG),
        _one("f", outcome=VOID),
        _fast("g", 3.0, Composition.MIXED),
    ]
    rows = summarize_suite(all_of_it)
    assert [row.composition for row in rows] == [Composition.PURE, Composition.MIXED]
    assert sum(sum(row.counts.values()) for row in rows) == len(all_of_it)
    pure = rows[0]
    assert pure.counts[PerformanceStatus.FAILED] == pure.counts[PerformanceStatus.UNMEASURED] == 1
    assert sum(share.share for share in pure.shares.values()) == pytest.approx(1.0)
    assert pure.shares[PerformanceStatus.FAILED].share == pytest.approx(1 / 4)
    assert pure.mean is not None
    assert pure.mean.submissions == 2
    assert pure.mean.speedup == pytest.approx(1.0)


def test_compositions_are_never_pooled() -> None:
    pair = [_fast("a", 2.0), _fast("b", 3.0, Composition.MIXED)]
    with pytest.raises(ValueError, match="not pooled"):
        mean_speedup(pair)
    assert [row.mean.speedup for row in summarize_suite(pair) if row.mean] == pytest.approx(
        [2.0, 3.0]
    )


def test_machines_are_never_pooled() -> None:
    other = timed(2.0)
    other = msgspec.structs.replace(other, gpu=msgspec.structs.replace(other.gpu, name="L20"))
    with pytest.raises(ValueError, match="one GPU"):
        summarize_suite([_fast("a", 2.0), _one("b", other)])
    with pytest.raises(ValueError, match="interpreter"):
        summarize_suite([_fast("a", 2.0), evaluation("b")])


def test_a_task_is_one_draw_however_often_it_was_tried() -> None:
    once = [_fast("a", 2.0), _fast("b", 8.0)]
    often = [_fast("a", 2.0)] * 9 + [_fast("b", 8.0)]
    for found in (mean_speedup(once), mean_speedup(often)):
        assert found is not None
        assert found.speedup == pytest.approx(4.0)
        assert found.tasks == 2
        assert found.low is not None and found.low < 1.0
    other = mean_speedup([_fast(f"a{i}", 2.0) for i in range(9)] + [_fast("b", 8.0)])
    assert other is not None and other.low is not None
    assert other.speedup < 2.5
    assert other.low > 1.0


def test_one_task_has_no_interval_over_tasks() -> None:
    found = mean_speedup([_fast("a", 2.0), _fast("a", 4.0)])
    assert found is not None
    assert found.speedup == pytest.approx(math.sqrt(8.0))
    assert found.low is None and found.high is None


def test_nothing_measured_has_no_mean() -> None:
    assert mean_speedup([_one("a", FAILED), _one("b")]) is None
    (row,) = summarize_suite([_one("a", outcome=WRONG)])
    assert row.mean is None
    assert row.shares == {}


def test_shares_are_clustered_by_task() -> None:
    rows = [
        *summarize_suite([_fast("a", 2.0)] * 50),
        *summarize_suite([_fast(str(i), 2.0) for i in range(50)]),
    ]
    alike, apart = (row.shares[PerformanceStatus.FASTER] for row in rows)
    assert alike.share == apart.share == 1.0
    assert alike.low < 0.3
    assert apart.low > 0.9


def test_the_baseline_is_the_one_asked_for() -> None:
    both = _one("a", timed(2.0, baselines=("eager", "compile")))
    assert classify_performance(both, "compile") is PerformanceStatus.FASTER
    assert classify_performance(_fast("a", 2.0), "compile") is PerformanceStatus.UNTIMED
    assert isinstance(both.outcome, Correct)
