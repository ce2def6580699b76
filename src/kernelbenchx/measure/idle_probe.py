"""Checks whether the GPU is idle between requests.

A process that is stopped can leave a kernel on the GPU. Contexts of several processes take turns
there, each for a millisecond or more. So even the shortest probe has to wait for its turn.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from kernelbenchx.worker.timing.clocks import DeviceClock

LOOKS, MOST_US = 5, 200.0
"""The quickest of so many probes counts, since a host is slow at times. An idle GPU finishes one in
a tenth of this."""


@dataclass
class IdleProbe:
    """Probes the GPU between the turns of the timed processes."""

    clock: DeviceClock
    now_ns: Callable[[], int]
    waited_us: list[float] = field(default_factory=list)
    """Time of the shortest probe, at each look."""

    def look(self) -> None:
        """Probe now; call it while no process is timed."""
        self.waited_us.append(min(self._touch_us() for _ in range(LOOKS)))

    @property
    def disturbed(self) -> str:
        """Why the GPU was not idle, without the process; empty unless it was so in most looks."""
        busy = [one for one in self.waited_us if one > MOST_US]
        if 2 * len(busy) <= len(self.waited_us):
            return ""
        took = f"the shortest probe took {min(busy):.0f} us"
        return f"other work was on the GPU between turns: {took}"

    def _touch_us(self) -> float:
        began = self.now_ns()
        self.clock.touch()
        return (self.now_ns() - began) / 1e3
