"""Whether the card does nothing while nobody is asked anything.

A process that is stopped can leave a kernel on the card. Contexts of several processes take turns
there, each for a millisecond or more, so even the shortest work of ours has to wait for its turn.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from kernelbenchx.worker.timing.clocks import DeviceClock

LOOKS, MOST_US = 5, 200.0
"""The quickest of so many counts, since a host is slow at times. A card that does nothing else has
done it in a tenth of this."""


@dataclass
class IdleProbe:
    """Looks at the card between the turns of those who are timed."""

    clock: DeviceClock
    now_ns: Callable[[], int]
    waited_us: list[float] = field(default_factory=list)
    """How long the shortest work took, in each look."""

    def look(self) -> None:
        """Nobody is timed meanwhile."""
        self.waited_us.append(min(self._touch_us() for _ in range(LOOKS)))

    @property
    def disturbed(self) -> str:
        """By whom is not known; empty unless it was so in most looks."""
        busy = [one for one in self.waited_us if one > MOST_US]
        if 2 * len(busy) <= len(self.waited_us):
            return ""
        took = f"the shortest probe took {min(busy):.0f} us"
        return f"other work was on the GPU between turns: {took}"

    def _touch_us(self) -> float:
        began = self.now_ns()
        self.clock.touch()
        return (self.now_ns() - began) / 1e3
