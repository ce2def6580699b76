"""Summary of a generation run: a row for each task, and its cost."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.generation_activity import Meter, describe_spending
from kernelbenchx.cli.number_format import dollars, format_count, interval, short, tokens
from kernelbenchx.generate.model import ENDED
from kernelbenchx.generate.run_tasks import End
from kernelbenchx.generate.tally import Tally, TaskTally

if TYPE_CHECKING:
    from rich.console import Console

_AGAIN = {
    End.OUT_OF_BUDGET: "repeat the command with a larger cap to resume",
    End.UNANSWERED: "repeat the command to ask again",
    End.STOPPED: "repeat the command to resume",
    End.FAULT: "a fault of kbx; please report it",
}


def print_generation(tally: Tally, meter: Meter, out: Path, shown: "Console") -> None:
    """One row for each task, then the sums, then why some did not come to their end."""
    shown.print(_table(tally))
    for line in summary(tally, meter, out):
        shown.print(Text(line), soft_wrap=True)


def _table(tally: Tally) -> Table:
    timed = any(one.best is not None and one.best.speedup for one in tally.tasks.values())
    priced = any(one.cost is not None for one in tally.tasks.values())
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("task", overflow="fold")
    table.add_column("solved", no_wrap=True)
    table.add_column("correct", justify="right", no_wrap=True)
    table.add_column("best", overflow="fold")
    for name, wanted in (
        ("speedup", timed),
        ("requests", True),
        ("tokens", True),
        ("cost", priced),
    ):
        if wanted:
            table.add_column(name, justify="right", no_wrap=True)
    table.add_column("ended", no_wrap=True)
    for task, one in tally.tasks.items():
        table.add_row(*_row(task, one, timed=timed, priced=priced))
    return table


def _row(task: str, one: TaskTally, *, timed: bool, priced: bool) -> list[Text]:
    solved = "mixed" if one.mixed else "yes" if one.solved else "no"
    colour = {"yes": "green", "mixed": "yellow", "no": "red"}[solved]
    speedup = one.best.speedup if one.best is not None else 0.0
    return [
        Text(task.partition("/")[2]),
        Text(solved, colour),
        Text(f"{one.correct}/{one.attempts}"),
        Text(one.best.submission.partition("__")[2] if one.best is not None else ""),
        *([Text(interval(speedup) if speedup else "")] if timed else []),
        Text(str(one.requests)),
        Text(tokens(one.prompt_tokens + one.completion_tokens)),
        *([Text("" if one.cost is None else dollars(one.cost))] if priced else []),
        Text("" if one.ended is None else one.ended.end.value),
    ]


def summary(tally: Tally, meter: Meter, out: Path) -> list[str]:
    """The sums in words."""
    tasks = tally.tasks.values()
    mixed, void = sum(one.mixed for one in tasks), sum(one.void for one in tasks)
    beside = f" ({mixed} of them only mixed with torch: counted apart)" if mixed else ""
    attempts = format_count(sum(one.attempts for one in tasks), "attempt")
    requests = format_count(sum(one.requests for one in tasks), "request")
    lines = [
        f"{tally.solved} of {format_count(len(tally.tasks), 'task')} solved{beside}: "
        f"{attempts}, {requests}, {describe_spending(meter)}"
    ]
    if meter.lost:
        lines.append(
            f"at most {tokens(meter.lost)} of these tokens belong to requests without a recorded "
            "end, as after a kill: they count for no task"
        )
    if placed := sum(one.by_place for one in tasks):
        replies = format_count(placed, "reply", "replies")
        lines.append(f"{replies} recorded for other prompts at the same place: see the transcript")
    if void:
        lines.append(f"{void} void: the evaluator could not judge them, and they are never scored")
    ends = Counter(one.ended.end for one in tasks if one.ended is not None)
    for end, again in _AGAIN.items():
        if ends[end]:
            said = (one.ended.why for one in tasks if one.ended and one.ended.end is end)
            why = short(min(said, key=lambda why: why == ENDED))  # the user stopped it
            lines.append(f"{format_count(ends[end], 'task')} {end.value}: {why}; {again}")
    lines.append(f"run kept in {out}; kbx analyze, kbx report and kbx show read it")
    return lines


def exit_code(tally: Tally) -> int:
    """1 where the command did not do what it could have: no reply, no room, a fault of kbx."""
    ends = {one.ended.end for one in tally.tasks.values() if one.ended is not None}
    return int(bool(ends & {End.UNANSWERED, End.STOPPED, End.FAULT}))


def document(tally: Tally, meter: Meter, out: Path) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "run": str(out),
        "solved": tally.solved,
        "tokens": meter.tokens,
        "lost_tokens": meter.lost,
        "dollars": meter.dollars,
        "tasks": [_document(task, one) for task, one in tally.tasks.items()],
    }


def _document(task: str, one: TaskTally) -> dict[str, Any]:
    return {
        "task": task,
        "solved": one.solved,
        "mixed": one.mixed,
        "attempts": one.attempts,
        "correct": one.correct,
        "best": one.best.submission if one.best is not None else None,
        "speedup": (one.best.speedup or None) if one.best is not None else None,
        "requests": one.requests,
        "prompt_tokens": one.prompt_tokens,
        "completion_tokens": one.completion_tokens,
        "cost": one.cost,
        "ended": None if one.ended is None else one.ended.end.value,
        "why": "" if one.ended is None else one.ended.why,
    }
