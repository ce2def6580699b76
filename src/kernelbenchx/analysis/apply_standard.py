"""Attempts as one of the three standards judges them: every table then counts by it."""

from collections.abc import Sequence

from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt, OwnTimes
from kernelbenchx.analysis.published_attempts import RUN
from kernelbenchx.core.standards import DEFINITIONS, Standard


def judge_by(attempts: Sequence[Attempt], standard: Standard) -> list[Attempt]:
    """`correct` and `solved` mean the standard, and times are those taken for it alone.

    What meets a stricter standard is timed on other cases: it has no time in means, and `fast_p`
    asks its own times. Results of a paper stay as the paper's own rule judged them.
    """
    return [one if one.run == RUN else _judge_one(one, standard) for one in attempts]


def standard_notes(standard: Standard, *, published: bool = False) -> tuple[str, ...]:
    """What to know of tables that count by another standard than the strictest."""
    if standard is Standard.STRICT:
        return ()
    said = f"Correct and solved mean `{standard}` here: {DEFINITIONS[standard]}."
    rule = " Published results are judged by the paper's own rule." * published
    return (said + rule,)


def _judge_one(one: Attempt, standard: Standard) -> Attempt:
    own = _times_of(one)
    if standard is Standard.STRICT:
        return one
    taken_for = _strictest(one) is standard
    times = own if taken_for else OwnTimes()
    return replace(
        one,
        standard=standard,
        performance=times.performance,
        eager=times.eager,
        compiled=times.compiled,
        case_times=times.case_times,
        left_out=times.left_out,
        mean_ms=None,
        score=None,
        iou=None,
        mfu=None,
        measured_again=(),
        stricter=None if taken_for else own,
        fails_timed=one.failed_at_scale,
    )


def _strictest(one: Attempt) -> Standard | None:
    """The strictest standard that it meets."""
    met = [standard for standard in Standard if one.meets(standard)]
    return met[-1] if met else None


def _times_of(one: Attempt) -> OwnTimes:
    """The times that were taken of it, on the cases of the strictest standard that it meets."""
    match _strictest(one):
        case Standard.CORE:
            taken = one.core_case_times, one.core_left_out
            return OwnTimes(one.core_performance, one.core_eager, one.core_compiled, *taken)
        case Standard.BASIC:
            return OwnTimes(one.basic_performance, one.basic_eager, one.basic_compiled)
        case _:
            taken = one.case_times, one.left_out
            return OwnTimes(one.performance, one.eager, one.compiled, *taken)
