"""Times of single cases and means over samples, as the formulas of the papers ask for them."""

import sqlite3
from sys import intern

from kernelbenchx.analysis.attempt import CaseTime
from kernelbenchx.store.shallow_evaluation import ShallowCase, Times

_MEANS = """
SELECT samples.key, content_key, avg(candidate_us) / 1000, avg(baseline_us) / 1000
FROM samples JOIN evaluations ON evaluations.key = samples.key
WHERE baseline = 'eager' AND clock = 'device' AND category GLOB 'level[0-9]*'
GROUP BY samples.key
"""
_EAGER, _DEVICE = "eager", "device"


def case_times(times: Times) -> tuple[CaseTime, ...]:
    """Of each case that was compared with eager by the device clock, in the order of cases.

    Of times that are not trusted, or of a submission that failed at a size, none counts.
    """
    found = (_case_time(one) for one in times.cases if times.kind == "timed")
    return tuple(one for one in found if one is not None)


def left_out(times: Times) -> tuple[str, ...]:
    """Names of timing cases without a time."""
    return tuple(intern(one.case) for one in times.left_out)


def _case_time(case: ShallowCase) -> CaseTime | None:
    for one in case.comparisons:
        if one.baseline == _EAGER and one.clock == _DEVICE:
            share = case.efficiency
            return CaseTime(
                case=intern(case.case),
                candidate_us=one.candidate_us,
                eager_us=one.baseline_us,
                iou=share.iou if share.iou_spec is None else share.iou_spec,
                mfu=share.mfu if share.mfu_spec is None else share.mfu_spec,
            )
    return None


def mean_times(connection: sqlite3.Connection) -> dict[str, tuple[float, float]]:
    """Mean time of a submission and of eager in ms, to three digits, of KernelBench problems.

    By key, and by content key: equal sources of a run have their samples once.
    """
    found: dict[str, tuple[float, float]] = {}
    for key, content_key, candidate, eager in connection.execute(_MEANS):
        pair = _to_three_digits(candidate), _to_three_digits(eager)
        found[key] = pair
        if content_key:
            found.setdefault(content_key, pair)
    return found


def _to_three_digits(value: float) -> float:
    return float(f"{value:.3g}")
