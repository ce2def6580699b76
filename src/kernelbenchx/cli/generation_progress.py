"""Progress of a generation run, on standard error."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kernelbenchx.cli.live_progress import LiveProgress, describe_verdict
from kernelbenchx.cli.number_format import format_count, short
from kernelbenchx.core.standards import Standard
from kernelbenchx.generate.run_tasks import End
from kernelbenchx.generate.tally import Tally

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.cli.generation_activity import GenerationActivity, Meter
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.core.transcript import Exchange
    from kernelbenchx.generate.model import MethodStep
    from kernelbenchx.generate.models.open_model import OpenModel
    from kernelbenchx.generate.run_tasks import TaskEnd


AGAIN_S = 30.0
"""How soon trouble is reported again."""


class GenerationProgress(LiveProgress["GenerationActivity"]):
    """Keeps the tally; a line per kernel and task where there is no terminal."""

    def __init__(
        self,
        *,
        quiet: bool,
        console: "Console | None" = None,
        standard: Standard = Standard.STRICT,
    ) -> None:
        super().__init__(quiet=quiet, console=console)
        self.tally = Tally(standard)
        self._count = 0
        self._silent_until = 0.0
        self.read_meter: Callable[[], Meter] = _nothing_spent

    def _make_view(self) -> "GenerationActivity":
        from kernelbenchx.cli.generation_activity import GenerationActivity

        return GenerationActivity(tally=self.tally)

    def watch_model(self, opened: "OpenModel") -> None:
        """Called when the model is known, with its budget."""
        self.meter(lambda: _meter(opened))

    def meter(self, read: "Callable[[], Meter]") -> None:
        """Set the source of what was spent."""
        self.read_meter = read
        if self._view is not None:
            self._view.meter = read

    def begin(self, tasks: Sequence[str]) -> None:
        """Called once, when the tasks are known."""
        self.tally.begin(tasks)
        self._start(len(tasks), 0, f"kernels for {format_count(len(tasks), 'task')}")

    def asking(self, step: "MethodStep") -> None:
        """A request is made."""
        self.tally.asking(step)
        if self._view is not None:
            self._view.stage(_name_step(step.task, step.path), "asking")

    def note_reply(self, exchange: "Exchange", *, again: bool) -> None:
        """A reply came, or was remembered."""
        self.tally.add_reply(exchange)
        if self._view is not None and not again:
            self._view.leave(_name_step(exchange.task, exchange.step))

    def note_failure(self, step: "MethodStep", why: str) -> None:
        """A request came to nothing."""
        if self._view is not None:
            self._view.leave(_name_step(step.task, step.path))
        self._print(f"  {_name_step(step.task, step.path)}: no reply, {short(why)}")

    def trouble(self, why: str) -> None:
        """Report a request that is tried again; of many, one is reported."""
        now = time.monotonic()
        with self._lock:
            if now < self._silent_until:
                return
            self._silent_until = now + AGAIN_S
        if self._view is not None:
            self._view.warn(short(why))
        self._print(f"  {short(why)}")

    def stopping(self, seconds: float) -> None:
        """Report what an interrupted run still waits for."""
        said = f"stopping: waiting up to {seconds:.0f} s for pending replies and verdicts"
        if self._view is not None:
            self._view.warn(said)
        self._print(said)

    def note_verdict(self, evaluation: "Evaluation") -> None:
        """A submission has its verdict."""
        self.tally.add_verdict(evaluation)
        self._judged += 1
        kind = describe_verdict(evaluation)
        if self._view is not None:
            self._view.finish(evaluation.submission, kind)
        self._print(f"  {evaluation.submission}: {kind}")

    def note_task_end(self, ended: "TaskEnd") -> None:
        """A task is over for this start."""
        self.tally.set_task_end(ended)
        with self._lock:
            self._count += 1
            place = f"[{self._count}/{len(self.tally.tasks)}]"
        said = "solved" if self.tally.tasks[ended.task].solved else "not solved"
        if ended.end is not End.DONE:
            said += f", {ended.end.value}: {short(ended.why)}"
        self._print(f"  {place} {ended.task}: {said}")


def _nothing_spent() -> "Meter":
    from kernelbenchx.cli.generation_activity import Meter

    return Meter()


def _meter(opened: "OpenModel") -> "Meter":
    from kernelbenchx.cli.generation_activity import Meter

    budget = opened.budget
    return Meter(
        tokens=budget.tokens,
        dollars=budget.dollars,
        token_cap=budget.caps.tokens,
        dollar_cap=budget.caps.dollars,
        in_flight=opened.flight.flying,
    )


def _name_step(task: str, path: str) -> str:
    return f"{task.partition('/')[2]} {path}"
