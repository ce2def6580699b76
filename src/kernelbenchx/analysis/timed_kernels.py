"""Kernels with a time, by baseline and composition.

Triton alone and Triton beside torch are different questions: nothing here adds them up.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.frame import AttemptFrame
from kernelbenchx.analysis.intervals import Floats

EAGER = "eager"


@dataclass(frozen=True, kw_only=True)
class TimedPart:
    """Kernels of one composition with a speedup over one baseline, in the rows of a frame."""

    baseline: str
    composition: str
    frame: AttemptFrame
    speedup: Floats

    @property
    def words(self) -> tuple[str, str]:
        """How a row names them."""
        return self.baseline, self.composition


def over(attempt: Attempt, baseline: str) -> Speed | None:
    """The speed of a correct kernel whose times can be trusted."""
    return _OVER[baseline](attempt) if attempt.correct and attempt.performance == "timed" else None


def own_over(attempt: Attempt, baseline: str) -> Speed | None:
    """The same, or its speed on the cases of a stricter standard: to be compared with a threshold,
    and never to be averaged."""
    own = attempt.stricter
    if own is None:
        return over(attempt, baseline)
    speed = own.eager if baseline == EAGER else own.compiled
    return speed if attempt.correct and own.performance == "timed" else None


def core_over(attempt: Attempt, baseline: str) -> Speed | None:
    """The speed on core cases of a kernel that is core correct and not correct."""
    timed = not attempt.correct and attempt.core_performance == "timed"
    return _CORE_OVER[baseline](attempt) if timed else None


_OVER: dict[str, Callable[[Attempt], Speed | None]] = {
    EAGER: lambda one: one.eager,
    "torch.compile": lambda one: one.compiled,
}
_CORE_OVER: dict[str, Callable[[Attempt], Speed | None]] = {
    EAGER: lambda one: one.core_eager,
    "torch.compile": lambda one: one.core_compiled,
}
BASELINES = tuple(_OVER)


def speedups(
    frame: AttemptFrame, baseline: str, speed: Callable[[Attempt, str], Speed | None] = over
) -> Floats:
    """Of each attempt, as `speed` says; NaN where it has none."""
    found = (speed(one, baseline) for one in frame.attempts)
    return np.fromiter((np.nan if one is None else one.speedup for one in found), float, len(frame))


def timed_parts(frame: AttemptFrame) -> Iterator[TimedPart]:
    """For each baseline and composition that occur among kernels with a time."""
    composition = frame.encode_by(lambda one: one.composition)
    for baseline in BASELINES:
        speedup = speedups(frame, baseline)
        known = np.isfinite(speedup) & (speedup > 0)
        for code in sorted(set(composition.codes[known].tolist()), reverse=True):
            rows = known & (composition.codes == code)
            yield TimedPart(
                baseline=baseline,
                composition=str(composition.labels[code]),
                frame=frame.pick(rows),
                speedup=speedup[rows],
            )
