"""Compares the measured times of an attack with those of an honest kernel."""

from collections.abc import Iterator

from kernelbenchx.attacks.expected_times import ExpectedTimes
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import Clock, Comparison, Failed, Performance, Timed, TimedCase

MARGIN = 1.10
"""An attack must not look faster than the honest kernel by more, as far as both are known: two
measurements of one kernel differ by less."""


def times_of(evaluation: Evaluation) -> Performance | None:
    """What came of the timed calls, also where only the call beyond 2^31 elements failed."""
    found = evaluation.performance
    only_huge = isinstance(found, Failed) and found.huge is not None
    return evaluation.core_performance if only_huge else found


def kind_of(performance: Performance | None) -> str:
    """`timed`, `failed` or `unmeasured`; empty where nothing was timed."""
    return "" if performance is None else type(performance).__name__.lower()


def speedup_of(performance: Performance | None) -> float | None:
    """Over eager by device time, where there are times."""
    found = performance.find_speedup() if isinstance(performance, Timed) else None
    return found.speedup if found is not None else None


def said_of(performance: Performance) -> str:
    """One line on a time, or on the reason why it is missing."""
    if isinstance(performance, Timed):
        speedup = speedup_of(performance)
        shown = "no speedup" if speedup is None else f"{speedup:.2f}x over eager"
        return f"timed: {performance.tier}, {shown}"
    named = performance.trick if isinstance(performance, Failed) else ""
    why = f"{performance.reason}: {named or performance.detail}"
    return f"clock: {' '.join(why.split())[:160]}"


def explain_missing_time(performance: Performance | None) -> list[str]:
    """Why an honest kernel has no time."""
    if isinstance(performance, Timed):
        return []
    return [said_of(performance) if performance is not None else "correct, but nothing was timed"]


def list_unearned(
    times: ExpectedTimes, performance: Performance | None, *, checks: bool, honest: Timed | None
) -> list[str]:
    """What a correct attack got beyond what its file allows."""
    if performance is None:
        return explain_missing_time(performance)
    if kind_of(performance) not in times.allowed_performances(checks=checks):
        return [said_of(performance)]
    if not isinstance(performance, Timed):
        if times.reasons and performance.reason not in times.reasons:
            return [f"not for the reason that its file names: {said_of(performance)}"]
        return []
    unnamed = _check_flag(performance, times.flag)
    if honest is None:
        return [*unnamed, "timed, and there is no honest time to compare with"]
    return [*unnamed, *_gains(performance, honest, calls=not times.quicker_calls)]


def _check_flag(timed: Timed, flag: str) -> list[str]:
    """A time that is worth nothing more may still be one that must not pass without a word."""
    flags = [*timed.flags, *(said for case in timed.cases for said in case.flags)]
    if any(flag in said for said in flags) or not flag:
        return []
    return [f"not named by the flag that its file names: {said_of(timed)}"]


def compare_honest(before: Timed | None, after: Performance | None) -> list[str]:
    """How the honest kernel's speedups differ after an attack from what they were."""
    if before is None or not isinstance(after, Timed):
        return [f"the honest kernel was {kind_of(after) or 'not timed'} after it"]
    found = []
    for case, then, now in _pairs(before, after, calls=True):
        beyond = not 1 / MARGIN <= now.speedup / then.speedup <= MARGIN
        if beyond and _apart(then, now):
            said = f"{then.speedup:.2f}x before it and {now.speedup:.2f}x after it"
            found.append(f"the honest kernel was {said} ({case.case}, {now.clock} time)")
    return found


def _gains(timed: Timed, honest: Timed, *, calls: bool) -> Iterator[str]:
    if {one.case for one in timed.cases} != {one.case for one in honest.cases}:
        yield "not timed on the cases of the honest kernel"
    for case, its, own in _pairs(honest, timed, calls=calls):
        where = f"{case.case}, {own.clock} time over {own.baseline}"
        if own.speedup > its.speedup * MARGIN and _apart(own, its):
            yield f"{own.speedup:.2f}x where the honest kernel is {its.speedup:.2f}x ({where})"
        elif _same_time(own, its) and own.candidate_us * _margin(own, its) < its.candidate_us:
            said = f"{own.candidate_us:.1f} us where the honest kernel takes {its.candidate_us:.1f}"
            yield f"{said} ({where})"


def _same_time(own: Comparison, its: Comparison) -> bool:
    """Whether microseconds of two measurements are comparable: device times of one tier are. The
    host's speed varies, so call time says something only beside the baseline of the same minute."""
    return own.clock is Clock.DEVICE and own.tier is its.tier


def _apart(one: Comparison, other: Comparison) -> bool:
    """Whether the intervals of two measurements lie apart."""
    return one.low > other.high or other.low > one.high


def _margin(one: Comparison, other: Comparison) -> float:
    """The factor that a difference must exceed: the wider interval, at least `MARGIN`."""
    return max(MARGIN, one.high / one.low, other.high / other.low)


def _pairs(
    honest: Timed, other: Timed, *, calls: bool
) -> Iterator[tuple[TimedCase, Comparison, Comparison]]:
    """The comparisons that both have; call times only where the host is not all that is timed."""
    cases = {one.case: one for one in other.cases}
    for case in honest.cases:
        second = cases.get(case.case)
        for one in case.comparisons if second is not None else ():
            if one.clock is Clock.CALL and (case.overhead_bound or not calls):
                continue
            found = second.find_comparison(one.baseline, one.clock) if second is not None else None
            if found is not None:
                yield case, one, found
