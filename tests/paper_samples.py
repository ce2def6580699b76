"""Attempts that were timed at published sizes."""

from typing import Any

from attempts_made import made
from kernelbenchx.analysis.attempt import Attempt, CaseTime
from kernelbenchx.catalog.published_sizes import case_names

PLACE = "NVIDIA H200, published sizes"


def case_time(case: str, candidate_us: float, eager_us: float, **share: float) -> CaseTime:
    return CaseTime(case=case, candidate_us=candidate_us, eager_us=eager_us, **share)


def at_published_sizes(
    task: str, candidate_us: float, eager_us: float, *, without: int = 0, **changes: Any
) -> Attempt:
    """Equally fast at every size; the last `without` sizes have no time."""
    names = case_names(task)
    timed, left_out = names[: len(names) - without], names[len(names) - without :]
    times = tuple(case_time(name, candidate_us, eager_us, iou=0.5) for name in timed)
    given = {"gpu": PLACE, "case_times": times, "left_out": left_out, **changes}
    return made(task, eager_us / candidate_us, **given)
