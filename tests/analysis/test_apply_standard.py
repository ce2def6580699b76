"""Under a weaker standard more attempts are correct, and times of different cases stay apart."""

import numpy as np
import pytest
from msgspec.structs import replace

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis import cost, failures, iterations, levels, rates, speed, unsolved
from kernelbenchx.analysis.apply_standard import judge_by, standard_notes
from kernelbenchx.analysis.attempt import Attempt, CaseTime, Speed
from kernelbenchx.analysis.causes import cause_of
from kernelbenchx.analysis.fast_p import fast_of
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.published_attempts import attempts as published
from kernelbenchx.analysis.timed_kernels import EAGER, own_over, speedups
from kernelbenchx.core.standards import Standard

CORE_SPEED = Speed(speedup=2.0, low=1.9, high=2.1, speed_class="faster")
BASIC_SPEED = Speed(speedup=4.0, low=3.9, high=4.1, speed_class="faster")
STRICT = made("math/a", 1.5, basic=True, core=True)
CORE = wrong("math/b", basic=True, core=True, core_performance="timed", core_eager=CORE_SPEED)
BASIC = broken("math/c", basic=True, core=False, basic_performance="timed", basic_eager=BASIC_SPEED)
NONE = wrong("math/d", basic=False, core=False)
EVERY = [STRICT, CORE, BASIC, NONE]


def _correct(standard: Standard) -> list[bool]:
    return [one.correct for one in judge_by(EVERY, standard)]


def test_each_standard_counts_what_meets_it() -> None:
    assert _correct(Standard.STRICT) == [True, False, False, False]
    assert _correct(Standard.CORE) == [True, True, False, False]
    assert _correct(Standard.BASIC) == [True, True, True, False]
    assert judge_by(EVERY, Standard.STRICT) == EVERY


def test_rates_and_solved_tasks_follow() -> None:
    shares = []
    for standard in Standard:
        (row,) = next(
            one for one in rates.tables(judge_by(EVERY, standard)) if one.name == "by_method"
        ).records()
        assert row["correct"] == row["solved"]
        shares.append(row["correct"])
    assert shares == [0.75, 0.5, 0.25]


def test_what_meets_the_standard_has_no_cause_of_failure() -> None:
    causes = [cause_of(one) is None for one in judge_by(EVERY, Standard.BASIC)]
    assert causes == [True, True, True, False]
    assert [cause_of(one) is None for one in EVERY] == [True, False, False, False]
    (stops, *_) = failures.tables(judge_by(EVERY, Standard.BASIC))
    assert stops.rows


@pytest.mark.parametrize(
    ("standard", "expected"),
    [
        (Standard.STRICT, [1.5, None, None, None]),
        (Standard.CORE, [None, 2.0, None, None]),
        (Standard.BASIC, [None, None, 4.0, None]),
    ],
)
def test_times_of_one_standard_are_never_averaged_with_those_of_another(
    standard: Standard, expected: list[float | None]
) -> None:
    frame = frame_of(judge_by(EVERY, standard))
    found = [None if np.isnan(one) else one for one in speedups(frame, EAGER)]
    by_task = dict(zip([one.task for one in frame.attempts], found, strict=True))
    assert [by_task[one.task] for one in EVERY] == expected


def test_fast_p_asks_each_kernel_for_its_own_times() -> None:
    frame = frame_of(judge_by(EVERY, Standard.BASIC))
    assert sorted(fast_of(frame).speedup[~np.isnan(fast_of(frame).speedup)]) == [1.5, 2.0, 4.0]
    assert fast_of(frame).at_least(1.6).sum() == 2
    assert fast_of(frame_of(EVERY)).at_least(1.0).sum() == 1
    (core,) = judge_by([CORE], Standard.BASIC)
    assert own_over(core, EAGER) == CORE_SPEED and own_over(NONE, EAGER) is None


def test_what_failed_at_scale_may_be_core_correct() -> None:
    one = replace(STRICT, performance="failed", eager=None)
    assert not one.correct and one.failed_at_scale
    (core,) = judge_by([one], Standard.CORE)
    assert core.correct and core.failed_at_scale and not core.meets(Standard.STRICT)


def test_what_a_standard_did_not_judge_is_not_counted_and_said_so() -> None:
    unknown = wrong("math/e", basic=None, core=False)
    given = judge_by([*EVERY, unknown], Standard.BASIC)
    frame = frame_of(given)
    assert len(frame) == len(EVERY)
    assert frame.notes == ("1 had no case of the standard: not counted.",)
    assert len(frame_of([*EVERY, unknown])) == len(EVERY) + 1
    assert frame_of(judge_by([void("math/f")], Standard.CORE)).unjudged == 0


def test_results_of_a_paper_stay_as_the_paper_judged_them() -> None:
    given = published()
    assert judge_by(given, Standard.BASIC) == given


def test_tables_say_by_what_they_count() -> None:
    assert standard_notes(Standard.STRICT) == ()
    (note,) = standard_notes(Standard.CORE)
    assert note == "Correct and solved mean `core` here: every core call passes."
    (note,) = standard_notes(Standard.BASIC, published=True)
    assert note.endswith("Published results are judged by the paper's own rule.")


@pytest.mark.parametrize("standard", list(Standard))
def test_every_analysis_takes_every_standard(standard: Standard) -> None:
    given: list[Attempt] = judge_by(EVERY, standard)
    for module in (rates, speed, iterations, levels, unsolved):
        assert module.tables(given)
    assert cost.tables(given, [])


def test_times_of_single_cases_are_those_of_the_standard() -> None:
    strict_time = CaseTime(case="a", candidate_us=1.0, eager_us=1.5)
    core_time = CaseTime(case="b", candidate_us=1.0, eager_us=2.0)
    given = [
        replace(STRICT, case_times=(strict_time,), mean_ms=(1.0, 1.5)),
        replace(CORE, core_case_times=(core_time,), core_left_out=("c",)),
    ]
    assert [one.case_times for one in judge_by(given, Standard.STRICT)] == [(strict_time,), ()]
    whole, core = judge_by(given, Standard.CORE)
    assert (whole.case_times, whole.mean_ms) == ((), None)
    assert (core.case_times, core.left_out) == ((core_time,), ("c",))
