"""Replaying processes serve one submission after another: what fails there is tried in fresh ones.

All children and the bench are pretended.
"""

import signal

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.evaluate.replay_processes import MOST_USES
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.runner.endings import Ending
from samples import timed
from timing_stage import SAID, Bench, Children, Stage

TIMED = timed()
WRONG = Failed(case="c", reason=Reason.TIMED_WRONG, detail="wrong", process="replay 1")
GONE = Failed(case="c", reason=Reason.CRASH, detail="Gone: the process ended", process="replay 2")
OWN = Failed(case="c", reason=Reason.TIMED_WRONG, detail="wrong", process="entry 0")


def _killed(stage: Stage) -> list[int]:
    return [one.killed for one in stage.children.of("replay")]


def test_one_pair_serves_several_submissions_and_ends_with_the_run() -> None:
    stage = Stage(Children(), Bench(TIMED))
    assert [stage.one(source) for source in "abc"] == [TIMED] * 3
    assert len(stage.children.of("timing")) == 6
    assert _killed(stage) == [0, 0]
    stage.timing.close()
    assert _killed(stage) == [1, 1]


def test_each_card_has_a_pair_of_its_own() -> None:
    stage = Stage(Children(), Bench(TIMED))
    for card in (0, 1, 0):
        stage.one(card=card)
    assert len(stage.children.of("replay")) == 4
    stage.timing.close()
    assert _killed(stage) == [1] * 4


def test_a_pair_is_replaced_after_so_many_submissions() -> None:
    stage = Stage(Children(), Bench(TIMED))
    for _ in range(MOST_USES):
        stage.one()
    assert _killed(stage) == [1, 1]
    assert stage.one() == TIMED
    assert _killed(stage) == [1, 1, 0, 0]
    stage.timing.close()


def test_inputs_are_the_submission_s_own() -> None:
    stage = Stage(Children(), Bench(TIMED))
    for source in "aba":
        stage.one(source)
    first, other, same = stage.bench.digests
    assert first == same != other
    stage.timing.close()


def test_the_same_source_under_another_name_or_alone_has_inputs_of_its_own() -> None:
    """Its kernels were replayed in these processes, and may have left their answers there."""
    stage = Stage(Children(), Bench(TIMED))
    stage.one()
    stage.one(name="another")
    stage.one(alone=True)
    assert len(set(stage.bench.digests)) == 3
    stage.timing.close()


@pytest.mark.parametrize("found", [WRONG, GONE, SAID])
def test_what_fails_in_a_fresh_pair_counts_at_once_and_the_pair_is_replaced(
    found: Performance,
) -> None:
    stage = Stage(Children(), Bench(found, TIMED))
    assert stage.one() == found
    assert len(stage.bench.given) == 1
    assert _killed(stage) == [1, 1]
    assert stage.one() == TIMED
    assert _killed(stage) == [1, 1, 0, 0]
    stage.timing.close()


@pytest.mark.parametrize("first", [WRONG, GONE, EvaluatorFault("the bench is gone")])
@pytest.mark.parametrize("second", [WRONG, OWN, TIMED, SAID])
def test_what_fails_where_others_were_is_asked_again_and_the_second_answer_counts(
    first: Performance | Exception, second: Performance
) -> None:
    stage = Stage(Children(), Bench(TIMED, first, second))
    assert stage.one("a") == TIMED
    stage.told.clear()
    assert stage.one("b") == second
    assert stage.told == ["waiting", "preparing", "waiting", "timing"] * 2
    assert len(stage.bench.given) == 3
    kept = 0 if second == TIMED else 1
    assert _killed(stage) == [1, 1, kept, kept]
    stage.timing.close()


@pytest.mark.parametrize("found", [OWN, SAID])
def test_what_fails_in_its_own_process_or_is_void_has_no_second_chance(found: Performance) -> None:
    stage = Stage(Children(), Bench(TIMED, found, TIMED))
    stage.one("a")
    assert stage.one("b") == found
    assert len(stage.bench.given) == 2
    assert _killed(stage) == [1, 1]  # the next one is replayed elsewhere all the same
    stage.timing.close()


def test_the_second_time_nothing_is_as_it_was() -> None:
    """Who had seen the inputs or had hung would answer for the time before."""
    stage = Stage(Children(), Bench(TIMED, WRONG, TIMED))
    stage.one("a")
    stage.one("b")
    assert len(set(stage.bench.digests)) == 3
    assert [one.header["source"] for one in stage.children.of("timing")] == [*"aabbbb"]
    assert all(one.asked.count("prepare") == 3 for one in stage.children.of("timing"))
    stage.timing.close()


class Quick(Bench):
    """Somebody else uses the fresh pair before the one that it was started for."""

    stage: Stage

    def time(self, *given: object) -> Performance | ReplayFailure:
        found = super().time(*given)  # type: ignore[arg-type]
        if found is WRONG:
            self.stage.timing._replayers[0].retire()
            self.stage.timing._replayers[0].begin()
            self.stage.timing._replayers[0].used = 1
        return found


def test_a_pair_that_somebody_used_meanwhile_is_not_fresh() -> None:
    bench = Quick(TIMED, WRONG, SAID)
    bench.stage = stage = Stage(Children(), bench)
    stage.one("a")
    assert stage.one("b") == SAID
    assert len(bench.given) == 3
    assert all(_killed(stage))


def test_a_bench_that_fails_leaves_nobody_an_answer_that_was_not_for_him() -> None:
    stage = Stage(Children(), Bench(EvaluatorFault("the bench is gone"), TIMED))
    found = stage.one()
    assert isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR
    assert _killed(stage) == [1, 1]
    assert stage.one() == TIMED
    stage.timing.close()


def test_a_pair_that_ended_while_nobody_used_it_is_replaced_unseen() -> None:
    stage = Stage(Children(), Bench(TIMED))
    stage.one("a")
    stage.children.of("replay")[0].end(Ending(over="wall", signal=signal.SIGKILL))
    assert stage.one("b") == TIMED
    assert len(stage.bench.given) == 2
    assert len(stage.children.of("replay")) == 4
    stage.timing.close()


class Ends(Bench):
    """In the given requests the first living replay ends in the given way."""

    def __init__(self, children: Children, endings: dict[int, Ending], *found: Performance) -> None:
        super().__init__(*found)
        self._children, self._endings = children, endings

    def time(self, *given: object) -> Performance | ReplayFailure:
        found = super().time(*given)  # type: ignore[arg-type]
        ending = self._endings.get(len(self.given))
        if ending is not None:
            self._children.of("replay")[-2].end(ending)
        return found


def test_how_a_process_ended_that_others_used_explains_nothing_of_the_second_time() -> None:
    children, lost = Children(), Ending(lost=True, fault="the parent is gone")
    memory = Ending(over="memory", signal=signal.SIGKILL)
    stage = Stage(children, Ends(children, {2: lost, 3: memory}, TIMED, GONE, GONE))
    stage.one("a")
    found = stage.one("b")
    assert isinstance(found, Failed)
    assert found.reason is Reason.MEMORY
    stage.timing.close()


def test_what_cannot_be_replayed_never_touches_the_pair() -> None:
    def by_values(op: str, _times: int) -> dict[str, str]:
        return {"not_replayable": "by values" if op == "prepare" else ""}

    stage = Stage(Children(by_values), Bench(WRONG))
    assert stage.one() == stage.one() == WRONG
    assert stage.bench.given == [(2, 0)] * 2
    assert _killed(stage) == [0, 0]
    stage.timing.close()


def test_a_plan_that_a_used_pair_does_not_take_is_tried_in_one_that_nobody_used() -> None:
    """What others left there may be the reason; only then the clock has to do."""
    refused = ReplayFailure("cannot be loaded", refused=True)
    stage = Stage(Children(), Bench(timed(), refused, timed()))
    assert [stage.one("a"), stage.one("b")] == [timed(), timed()]
    assert stage.bench.given == [(2, 2), (2, 2), (2, 2)]
    assert len(stage.children.of("replay")) > 2
    stage.timing.close()
    stage = Stage(Children(), Bench(refused, SAID))
    assert stage.run() == SAID
    assert stage.bench.given == [(2, 2), (2, 0)]
