"""Evaluations as a table that a person can read."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from kernelbenchx.cli.output import console
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Reached, Rejected, Wrong

_COLOURS = {"correct": "green",
    "reached": "cyan", "wrong": "red", "broken": "yellow", "rejected": "magenta",
            "void": "dim"}  # fmt: skip


def print_evaluations(evaluations: Sequence[Evaluation], out: Path) -> None:
    """One row each, then what the verdicts rest on."""
    table = Table(show_lines=False)
    table.add_column("submission", overflow="fold", max_width=34)
    table.add_column("task", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("made of", no_wrap=True)
    table.add_column("why", overflow="fold")
    for one in evaluations:
        kind = type(one.outcome).__name__.lower()
        table.add_row(
            one.submission,
            one.task.partition("/")[2],
            f"[{_COLOURS[kind]}]{kind}[/]",
            "" if kind == "void" else one.composition.value.replace("_", " "),
            _escaped(why(one)),
        )
    shown = console()
    shown.print(table)
    for line in _summary(evaluations, out):
        shown.print(line)


def why(evaluation: Evaluation) -> str:
    """The reason of an outcome in one or two lines."""
    outcome = evaluation.outcome
    if isinstance(outcome, Correct):
        ran = f"{outcome.cases} cases, worst error {outcome.worst:.2f} of the budget"
        return "; ".join([ran, *evaluation.flags[:2]])
    if isinstance(outcome, Reached):
        return f"passed the stage {outcome.stage.value}; its answers were not judged"
    if isinstance(outcome, Rejected):
        return "; ".join(_finding(f.rule, f.line, f.why) for f in outcome.findings[:2])
    if isinstance(outcome, Broken):
        place = f" (line {outcome.line})" if outcome.line else ""
        case = f" [{outcome.case}]" if outcome.case else ""
        return f"{outcome.reason.value}{place}: {_short(outcome.detail)}{case}"
    if isinstance(outcome, Wrong):
        return _wrong(outcome)
    return f"{outcome.reason.value}: {_short(outcome.detail)}"


def _wrong(outcome: Wrong) -> str:
    parts = [outcome.pattern or _short(outcome.detail)]
    worst = outcome.worst
    if worst is not None:
        at = ", ".join(map(str, worst.index))
        far = f"{worst.error:.3g} times the budget"
        parts.append(f"{worst.output}[{at}] is {worst.got}, expected {worst.expected}: {far}")
        if outcome.pattern:
            parts.append(f"{worst.bad} of {worst.total} elements")
    return f"{outcome.reason.value}: " + "; ".join(parts) + f" [{outcome.case}]"


def _finding(rule: str, line: int, said: str) -> str:
    return f"{rule}, line {line}: {said}" if line else f"{rule}: {said}"


def _short(text: str, most: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _escaped(text: str) -> str:
    return text.replace("[", "\\[")


def _summary(evaluations: Sequence[Evaluation], out: Path) -> list[str]:
    if not evaluations:
        return ["nothing was judged"]
    counts = Counter(type(one.outcome).__name__.lower() for one in evaluations)
    mixed = sum(
        isinstance(one.outcome, Correct) and one.composition.value == "mixed" for one in evaluations
    )
    first = evaluations[0]
    lines = [", ".join(f"{count} {kind}" for kind, count in counts.most_common())]
    if mixed:
        lines[0] += f" ({mixed} of the correct ones mixed with torch: counted apart)"
    if first.provisional:
        lines.append(
            "provisional: run in the interpreter and compiled for a card that is not here; "
            "a card has the last word"
        )
    missing = f", missing: {'; '.join(first.isolation.missing)}" if first.isolation.missing else ""
    lines.append(f"isolation {first.isolation.level}{missing}; run kept in {out}")
    if counts.get("void"):
        lines.append("void is never scored: the evaluator could not judge; run again to try again")
    return lines
