"""Models at work, as a few lines that a terminal redraws in place."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.text import Text

from kernelbenchx.cli.activity import Activity
from kernelbenchx.cli.number_format import dollars, format_count, tokens
from kernelbenchx.generate.tally import Tally

WARNED_S = 60.0


@dataclass(frozen=True)
class Meter:
    """What the run has spent and has under way, earlier starts included."""

    tokens: int = 0
    dollars: float | None = None
    token_cap: int | None = None
    dollar_cap: float | None = None
    in_flight: int = 0
    lost: int = 0
    """Of the tokens: the most that requests without a recorded end took, at the end of a run."""


@dataclass
class GenerationActivity(Activity):
    """Tasks instead of submissions in its head, and a line about money."""

    tally: Tally = field(default_factory=Tally)
    meter: Callable[[], Meter] = Meter
    _warning: str = ""
    _warned: float = -math.inf

    def __rich__(self) -> Group:
        with self._lock:
            self.before = self._past(fresh=False)
            lines: list[RenderableType] = [
                self._header(),
                self._describe_progress(),
                self._stages(),
                self._list_outcomes(),
            ]
            if self.clock() < self._warned + WARNED_S:
                lines.append(Text(self._warning, "yellow", no_wrap=True, overflow="ellipsis"))
            return Group(*lines)

    def warn(self, why: str) -> None:
        """Show a warning for a while."""
        with self._lock:
            self._warning, self._warned = why, self.clock()

    def _count_finished(self) -> int:
        """A task that only remembers says nothing about how fast others will be."""
        return self._past(fresh=True)

    def _past(self, *, fresh: bool) -> int:
        tasks = list(self.tally.tasks.values())
        return sum(one.ended is not None and (one.asked > 0) is fresh for one in tasks)

    def _describe_progress(self) -> Text:
        meter, requests = self.meter(), sum(one.asked for one in list(self.tally.tasks.values()))
        parts = [
            f"{self.tally.solved} solved",
            f"{format_count(requests, 'request')}, {meter.in_flight} in flight",
            describe_spending(meter),
        ]
        return Text("  ".join(parts))


def describe_spending(meter: Meter) -> str:
    """Tokens and money, with their caps: 1.2M of 5M tokens, $3.41 of $20.00."""
    cap = "" if meter.token_cap is None else f" of {tokens(meter.token_cap)}"
    said = f"{tokens(meter.tokens)}{cap} tokens"
    if meter.dollars is not None:
        cap = "" if meter.dollar_cap is None else f" of {dollars(meter.dollar_cap)}"
        said += f", {dollars(meter.dollars)}{cap}"
    return said
