from msgspec import structs

from kernelbenchx.attacks.expected_times import ExpectedTimes
from kernelbenchx.attacks.time_checks import (
    compare_honest,
    explain_missing_time,
    kind_of,
    list_unearned,
    said_of,
    speedup_of,
    times_of,
)
from kernelbenchx.core.huge import HugeResult, HugeState
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Clock, Failed, Performance, Tier, Timed, Unmeasured
from kernelbenchx.core.scale import failed_at_huge_call
from samples import evaluation
from timed_kernels import comparison, timed

CAUGHT = Failed(case="large", reason=Reason.STALE, detail="old values", trick="kept answers")
VOID = Unmeasured(reason=Reason.IMPOSSIBLE, detail="faster than memory")
FAILED = ExpectedTimes(no_checks=frozenset({"failed"}))
NO_GAIN = ExpectedTimes(no_checks=frozenset({"failed", "timed"}))


def _unearned(
    times: ExpectedTimes, performance: Performance | None, honest: Timed | None = None
) -> list[str]:
    return list_unearned(times, performance, checks=False, honest=honest)


def test_words() -> None:
    assert [kind_of(one) for one in (CAUGHT, VOID, timed(), None)] == [
        "failed",
        "unmeasured",
        "timed",
        "",
    ]
    assert said_of(CAUGHT) == "clock: stale: kept answers"
    assert said_of(VOID) == "clock: impossible: faster than memory"
    assert said_of(timed()) == "timed: replay, 1.00x over eager"


def test_a_failed_huge_call_leaves_the_times_of_the_timed_sizes() -> None:
    huge = HugeResult(state=HugeState.FAILED, case="n=9", reason=Reason.CRASH)
    failed = failed_at_huge_call(timed(), huge)
    one = structs.replace(evaluation(performance=failed), core_performance=timed())
    assert times_of(one) == timed()
    assert times_of(structs.replace(one, performance=CAUGHT)) == CAUGHT


def test_only_what_was_timed_has_a_speedup() -> None:
    assert speedup_of(timed(comparison(speedup=2.0))) == 2.0
    assert [speedup_of(one) for one in (CAUGHT, VOID, None)] == [None] * 3
    nothing = structs.replace(timed(), speedups=())
    assert speedup_of(nothing) is None
    assert said_of(nothing) == "timed: replay, no speedup"


def test_what_its_file_allows_is_not_unearned() -> None:
    assert _unearned(FAILED, CAUGHT) == []
    assert _unearned(ExpectedTimes(no_checks=frozenset({"unmeasured"})), VOID) == []


def test_a_performance_better_than_allowed_is_unearned() -> None:
    assert _unearned(FAILED, timed(), timed()) == ["timed: replay, 1.00x over eager"]
    assert _unearned(FAILED, VOID) and _unearned(NO_GAIN, VOID)
    assert list_unearned(FAILED, CAUGHT, checks=True, honest=None)  # nothing is allowed there


def test_nothing_timed_is_not_taken_for_caught() -> None:
    assert _unearned(FAILED, None) == ["correct, but nothing was timed"]


def test_another_reason_is_unearned() -> None:
    times = ExpectedTimes(no_checks=frozenset({"failed"}), reasons=frozenset({"late"}))
    assert "stale" in _unearned(times, CAUGHT)[0]
    assert (
        _unearned(
            ExpectedTimes(no_checks=times.no_checks, reasons=frozenset({"stale", "late"})), CAUGHT
        )
        == []
    )


def test_a_time_counts_beside_an_honest_one() -> None:
    assert _unearned(NO_GAIN, timed()) == ["timed, and there is no honest time to compare with"]
    assert _unearned(NO_GAIN, timed(), timed()) == []
    slower = timed(comparison(speedup=0.5, candidate_us=200.0))
    assert _unearned(NO_GAIN, slower, timed()) == []


def _flagged(said: str, *, of_a_case: bool = True) -> Timed:
    one = timed()
    if not of_a_case:
        return structs.replace(one, flags=(said,))
    return structs.replace(one, cases=tuple(structs.replace(c, flags=(said,)) for c in one.cases))


def test_a_time_needs_the_flag_that_its_file_names() -> None:
    named = ExpectedTimes(no_checks=NO_GAIN.no_checks, flag="the clock says")
    said = "the clock says 3 us where the judge's says 30 us"
    assert _unearned(named, _flagged(said), timed()) == []
    assert _unearned(named, _flagged(said, of_a_case=False), timed()) == []
    for unnamed in (timed(), _flagged("card throttled")):
        (problem,) = _unearned(named, unnamed, timed())
        assert problem.startswith("not named by the flag that its file names: timed: replay")
        assert _unearned(NO_GAIN, unnamed, timed()) == []
    assert _unearned(named, CAUGHT) == []  # without a time nothing is left to be named


def test_a_speedup_beyond_the_honest_one_is_a_gain() -> None:
    little = timed(comparison(speedup=1.09, candidate_us=92.0))
    much = timed(comparison(speedup=1.2, candidate_us=100.0))  # the baseline was made slow
    assert _unearned(NO_GAIN, little, timed()) == []
    assert "1.20x where the honest kernel is 1.00x" in _unearned(NO_GAIN, much, timed())[0]


def test_what_may_be_noise_is_no_gain() -> None:
    vague = comparison(speedup=1.2, candidate_us=85.0)
    vague = structs.replace(vague, low=0.9, high=1.6)
    assert _unearned(NO_GAIN, timed(vague), timed()) == []
    assert compare_honest(timed(), timed(vague)) == []
    assert compare_honest(timed(), timed(structs.replace(vague, low=1.19, high=1.21)))


def test_a_time_below_the_honest_one_is_a_gain_within_a_tier() -> None:
    quick = timed(comparison(candidate_us=80.0))
    other_tier = timed(comparison(candidate_us=80.0, tier=Tier.HOST_TIMED))
    assert "80.0 us" in _unearned(NO_GAIN, quick, timed())[0]
    assert _unearned(NO_GAIN, other_tier, timed()) == []


def test_a_host_that_is_quicker_than_before_is_no_gain() -> None:
    honest = timed(comparison(), comparison(Clock.CALL))
    calm = timed(comparison(), comparison(Clock.CALL, candidate_us=80.0))
    assert _unearned(NO_GAIN, calm, honest) == []


def test_calls_count_unless_the_host_is_all_that_is_timed() -> None:
    honest = timed(comparison(), comparison(Clock.CALL))
    quick = timed(comparison(), comparison(Clock.CALL, speedup=2.0, candidate_us=50.0))
    assert "call time" in _unearned(NO_GAIN, quick, honest)[0]
    quicker = ExpectedTimes(no_checks=NO_GAIN.no_checks, quicker_calls=True)
    assert _unearned(quicker, quick, honest) == []
    small = timed(comparison(), comparison(Clock.CALL), overhead_bound=True)
    assert _unearned(NO_GAIN, quick, small) == []


def test_a_case_left_out_is_a_gain() -> None:
    assert _unearned(NO_GAIN, timed(case="other"), timed(case="large"))


def test_an_honest_kernel_needs_a_time() -> None:
    assert explain_missing_time(timed()) == []
    assert explain_missing_time(CAUGHT) == ["clock: stale: kept answers"]
    assert explain_missing_time(None) == ["correct, but nothing was timed"]


def test_an_honest_kernel_is_as_fast_after_an_attack() -> None:
    assert compare_honest(timed(), timed(comparison(speedup=1.05))) == []
    assert (
        "1.00x before it and 0.80x after it"
        in compare_honest(timed(), timed(comparison(speedup=0.8)))[0]
    )
    assert compare_honest(timed(), timed(comparison(speedup=1.3)))
    assert compare_honest(timed(), None) == ["the honest kernel was not timed after it"]
    assert compare_honest(timed(), CAUGHT) == ["the honest kernel was failed after it"]
