"""Current activity of a run, as a few lines that a terminal redraws in place."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.number_format import duration

STAGES = (
    "asking",
    "queued",
    "checking",
    "compiling",
    "calling",
    "judging",
    "preparing",
    "waiting",
    "timing",
)
"""In the order of a submission's life; a stage has a line from its first submission on."""


@dataclass
class Activity:
    """The stage of every submission; updated from several threads, drawn from another."""

    total: int = 0
    before: int = 0
    """Finished in an earlier run."""
    clock: Callable[[], float] = time.monotonic
    nodes: str = ""
    """What a cluster does, where there is one."""
    _now: dict[str, tuple[str, float]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _outcomes: Counter[str] = field(default_factory=Counter)
    _started: float = 0.0
    _warm: float = 0.0
    """When the first submission entered a stage: starting workers says nothing of the rate."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, total: int, finished: int) -> None:
        """Set the amount of work and start the clock."""
        with self._lock:
            self.total, self.before = total, finished
            self._started = self._warm = self.clock()

    def stage(self, submission: str, stage: str) -> None:
        """Note that a submission enters a stage and leaves the one before."""
        with self._lock:
            self._now.pop(submission, None)
            self._now[submission] = (stage, self.clock())
            if not self._seen:
                self._warm = self.clock()
            self._seen.add(stage)

    def finish(self, submission: str, outcome: str) -> None:
        """Note that a submission is judged and stored."""
        with self._lock:
            self._now.pop(submission, None)
            self._outcomes[outcome] += 1

    def leave(self, name: str) -> None:
        """Remove a submission from its stage without counting it as finished."""
        with self._lock:
            self._now.pop(name, None)

    def __rich__(self) -> Group:
        with self._lock:
            return Group(self._header(), self._stages(), self._list_outcomes())

    def _count_finished(self) -> int:
        """Of the work that is counted, in this start."""
        return self._outcomes.total()

    def _header(self) -> Table:
        ended, now = self._count_finished(), self.clock()
        rate = ended / (now - self._warm) if now > self._warm else 0.0
        line = Table.grid(padding=(0, 2, 0, 0), expand=True)
        for ratio in (None, 1, None, None, None):
            line.add_column(no_wrap=True, ratio=ratio)
        left = self.total - self.before - ended
        line.add_row(
            f"{self.before + ended}/{self.total}",
            ProgressBar(total=max(1, self.total), completed=self.before + ended),
            f"{rate * 3600:.0f}/h" if rate else "-/h",
            f"{duration(left / rate)} left" if rate else "? left",
            f"{duration(now - self._started)} so far",
        )
        return line

    def _stages(self) -> Table:
        lines = Table.grid(padding=(0, 2, 0, 0), expand=True)
        lines.add_column(no_wrap=True)
        lines.add_column(no_wrap=True, justify="right")
        lines.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        for stage in (*STAGES, *sorted(self._seen - {*STAGES})):
            if stage in self._seen:
                here = [name for name, (at, _) in self._now.items() if at == stage]
                lines.add_row(Text(stage), Text(str(len(here))), self._list_names(here))
        return lines

    def _list_names(self, names: list[str]) -> Text:
        """Names under way, the longest in a stage first, with the time."""
        now = self.clock()
        said = [f"{name} {duration(now - self._now[name][1])}" for name in names]
        return Text(", ".join(said), "bold" if said else "")

    def _list_outcomes(self) -> Text:
        said = [f"{count} {kind}" for kind, count in self._outcomes.most_common()]
        if self.before:
            said.append(f"{self.before} finished before")
        if self.nodes:
            said.append(self.nodes)
        if not self._seen and not self._outcomes:
            said.append("warming up")
        return Text(", ".join(said), "dim")
