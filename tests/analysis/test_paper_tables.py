"""Table 1 of the paper for a run, against counts by hand and against the paper itself."""

from collections.abc import Sequence
from typing import Any

import pytest

from attempts_made import broken, made, speed, wrong
from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.paper_tables import PAPER, of_the_paper, overall
from kernelbenchx.analysis.published_attempts import attempts
from kernelbenchx.analysis.published_data import TABLE_1
from kernelbenchx.analysis.table import Table
from kernelbenchx.catalog.published_sizes import case_names
from kernelbenchx.core.standards import Standard
from paper_samples import PLACE, at_published_sizes, case_time

YES = {"paper_called": True, "paper_correct": True}
NO = {"paper_called": True, "paper_correct": False}
JUDGED = {"basic": True, "core": True}
GIVEN = [
    at_published_sizes("activation/relu", 10.0, 30.0, **YES, **JUDGED),
    at_published_sizes("math/sub", 10.0, 5.0, **NO, **JUDGED),
    wrong("math/abs", gpu=PLACE, **YES, basic=True, core=False),
    broken("math/cos", gpu=PLACE, paper_called=False, paper_correct=False, basic=False, core=False),
    made("math/mul_bf16", gpu=PLACE, **YES, **JUDGED),
    made("level1/relu", level=1, passes_1e_2=True, **JUDGED),
]


def _made(given: Sequence[Attempt]) -> Table:
    return overall(of_the_paper(frame_of(given).last))


def _rows(given: Sequence[Attempt]) -> dict[Any, dict[str, Any]]:
    found = _made(given).records()
    return {(row["method"], row["judged_by"]): row for row in found if row["source"] != PAPER}


def test_rates_by_each_judgement_are_counts_over_the_tasks_that_were_judged() -> None:
    rows = _rows(GIVEN)
    counted = {name: (row["compiled"], row["correct"]) for (_, name), row in rows.items()}
    # Of relu, sub, abs and cos: mul_bf16 is none of the 176, relu of level1 no task of the paper.
    assert counted == {
        "the paper's rule": (3 / 4, 2 / 4),
        "basic": (3 / 4, 3 / 4),
        "core": (3 / 4, 2 / 4),
        "strict": (3 / 4, 2 / 4),
    }
    strict = rows["m", "strict"]
    assert (strict["tasks"], strict["of"]) == (4, 176)
    assert strict["conversion"] == pytest.approx(2 / 3)
    known = wilson(2, 3)
    ends = strict["conversion_low"], strict["conversion_high"]
    assert ends == pytest.approx((known.low, known.high))
    assert (strict["correct_low"], strict["correct_high"]) == pytest.approx(
        (wilson(2, 4).low, wilson(2, 4).high)
    )


def test_speed_is_an_arithmetic_mean_of_quotients_of_sums_and_score_is_of_the_whole_time() -> None:
    rows = _rows(GIVEN)
    strict, rule = rows["m", "strict"], rows["m", "the paper's rule"]
    assert (strict["timed"], strict["speedup"]) == (2, pytest.approx((3.0 + 0.5) / 2))
    assert (rule["timed"], rule["speedup"]) == (1, pytest.approx(3.0)), "only what passes"
    assert strict["score"] == pytest.approx(0.5)
    for weaker in ("basic", "core"):
        assert rows["m", weaker]["timed"] is rows["m", weaker]["speedup"] is None


def test_the_papers_rows_stand_beside() -> None:
    printed = {row["method"]: row for row in _made(GIVEN).records() if row["source"] == PAPER}
    assert list(printed) == list(TABLE_1)
    geak = printed["GEAK"]
    assert [geak[key] for key in ("compiled", "correct", "conversion", "speedup")] == (
        pytest.approx([0.688, 0.307, 0.446, 1.15])
    )
    assert geak["correct_low"] is None and printed["KernelLLM"]["speedup"] is None


@pytest.mark.parametrize(("method", "disagrees"), [("GEAK", False), ("KernelAgent", True)])
def test_the_papers_own_attempts_give_its_own_table_where_it_agrees_with_itself(
    method: str, disagrees: bool
) -> None:
    row = _rows(attempts())[method, "the paper's rule"]
    printed = TABLE_1[method]
    assert 100 * row["correct"] == pytest.approx(printed.correct, abs=0.051)
    near = pytest.approx(printed.compiled, abs=0.051)
    assert (100 * row["compiled"] != near) == disagrees
    assert (row["tasks"], row["of"]) == (176, 176)


def test_notes_say_what_is_missing_and_what_is_a_part() -> None:
    notes = " ".join(_made(GIVEN).notes)
    assert "a part of them" in notes and "does not say on which GPU" in notes
    assert "--paper-rules" not in notes and "sizes of our tasks" not in notes
    bare = " ".join(_made([made("activation/relu", 2.0)]).notes)
    assert "--paper-rules" in bare and "sizes of our tasks" in bare
    unsure = [made("activation/relu", paper_provisional=True, **YES)]
    assert "provisional for 1" in " ".join(_made(unsure).notes)
    assert "a part of them" not in " ".join(_made(attempts()).notes)


def test_a_run_without_a_task_of_the_paper_has_no_row() -> None:
    table = _made(GIVEN[-2:])
    assert table.rows == () and "hold no task" in table.notes[-1]


def test_by_a_weaker_standard_speed_is_of_kernels_that_were_timed_for_it() -> None:
    names = case_names("math/abs")
    times = tuple(case_time(name, 10.0, 15.0) for name in names)
    core = wrong(
        "math/abs", gpu=PLACE, **JUDGED, core_performance="timed", core_eager=speed(1.5),
        core_case_times=times,
    )  # fmt: skip
    rows = _rows(judge_by([GIVEN[0], core], Standard.CORE))
    assert (rows["m", "core"]["timed"], rows["m", "core"]["speedup"]) == (1, pytest.approx(1.5))
    assert rows["m", "core"]["correct"] == 1.0
    assert rows["m", "strict"]["speedup"] is None and rows["m", "strict"]["correct"] == 0.5
    assert _rows([GIVEN[0], core])["m", "core"]["speedup"] is None
