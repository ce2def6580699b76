"""The output of `kbx study`: cells and their cost before the run, results after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.generation_summary import exit_code
from kernelbenchx.cli.number_format import dollars, format_count, tokens
from kernelbenchx.generate.run_tasks import End
from kernelbenchx.study.cost import REPLY_TOKENS, CostEstimate, total

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.analysis.attempt import Attempt
    from kernelbenchx.cli.generation_activity import Meter
    from kernelbenchx.generate.tally import Tally
    from kernelbenchx.study.cells import Cell
    from kernelbenchx.study.checking import CheckedStudy
    from kernelbenchx.study.folder import StudyFolder
    from kernelbenchx.study.study_schema import BudgetEntry


@dataclass(frozen=True)
class CellEnd:
    """The result of a cell."""

    cell: "Cell"
    tally: "Tally"
    meter: "Meter"
    run: Path

    @property
    def incomplete(self) -> bool:
        """Whether a task ended for want of a reply, or by a fault of kbx."""
        return exit_code(self.tally) != 0

    @property
    def requests(self) -> int:
        """Answered, in all starts."""
        return sum(one.requests for one in self.tally.tasks.values())

    @property
    def judged(self) -> int:
        """Kernels with a verdict, in all starts."""
        return sum(one.attempts for one in self.tally.tasks.values())

    @property
    def out_of_budget(self) -> int:
        """Tasks that ended so."""
        ends = [one.ended for one in self.tally.tasks.values()]
        return sum(one is not None and one.end is End.OUT_OF_BUDGET for one in ends)


def reason(ends: Sequence[CellEnd]) -> str:
    """Why the first task that did not come to its end did not."""
    every = [task.ended for one in ends for task in one.tally.tasks.values()]
    return next((one.why for one in every if one is not None and one.why), "no task was tried")


def print_plan(checked: "CheckedStudy", to: "Console") -> None:
    """The cells, then what all of them together may cost."""
    study = checked.study
    if study.question:
        to.print(Text(study.question.strip()), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("cell", overflow="fold")
    table.add_column("requests, at most", justify="right")
    for cell, one in zip(checked.cells, checked.estimates, strict=True):
        table.add_row(Text(cell.words), f"{one.requests:,}")
    to.print(table)
    every = total(checked.estimates)
    what = f"{format_count(len(checked.cells), 'cell')}, {format_count(len(study.tasks), 'task')}"
    to.print(Text(f"{what}, stage {study.stage}: {_cost(every)}"), soft_wrap=True)
    if caps := _caps(study.budget):
        to.print(Text(f"budget: {caps}"), soft_wrap=True)


def _cost(every: CostEstimate) -> str:
    said = (
        f"at most {format_count(every.requests, 'request')}, "
        f"about {tokens(every.prompt_tokens)} tokens of prompts "
        f"and at most {tokens(every.reply_tokens)} of replies"
    )
    if every.dollars is None or every.likely_dollars is None:
        return f"{said}; no cost without prices"
    return (
        f"{said}: at most about {dollars(every.dollars)}, and {dollars(every.likely_dollars)} "
        f"if a reply has {REPLY_TOKENS:,} tokens"
    )


def _caps(budget: "BudgetEntry") -> str:
    parts = []
    if budget.tokens is not None:
        parts.append(f"{tokens(budget.tokens)} tokens")
    if budget.dollars is not None:
        parts.append(dollars(budget.dollars))
    if budget.tokens_per_cell is not None:
        parts.append(f"{tokens(budget.tokens_per_cell)} tokens in each cell")
    if budget.dollars_per_cell is not None:
        parts.append(f"{dollars(budget.dollars_per_cell)} in each cell")
    return ", ".join(parts)


def print_ends(ends: Sequence[CellEnd], to: "Console") -> None:
    """A row for each cell."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for name, right in (("cell", False), ("solved", True), ("requests", True), ("tokens", True)):
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    table.add_column("incomplete", overflow="fold")
    for one in ends:
        solved = f"{one.tally.solved} of {len(one.tally.tasks)}"
        table.add_row(
            Text(one.cell.words),
            solved,
            f"{one.requests:,}",
            tokens(one.meter.tokens),
            Text(_incomplete(one)),
        )
    to.print(table)


def _incomplete(one: CellEnd) -> str:
    parts = []
    if one.out_of_budget:
        parts.append(f"{one.out_of_budget} out of budget")
    if one.incomplete:
        parts.append("some unanswered: repeat the command")
    return ", ".join(parts)


def print_summary(attempts: "Sequence[Attempt]", to: "Console") -> None:
    """What all cells together show, in ten lines."""
    from kernelbenchx.analysis.summary import summarize
    from kernelbenchx.cli.analyze_overview import print_at_a_glance

    if any(one.counts for one in attempts):
        print_at_a_glance(summarize(attempts), to)


def plan_document(checked: "CheckedStudy", needs: Sequence[str]) -> dict[str, Any]:
    """The plan for scripts."""
    every = total(checked.estimates)
    return {
        "question": checked.study.question,
        "tasks": list(checked.study.tasks),
        "cells": [
            {"cell": cell.words, "run": cell.folder, "requests": one.requests}
            for cell, one in zip(checked.cells, checked.estimates, strict=True)
        ],
        "requests": every.requests,
        "prompt_tokens": every.prompt_tokens,
        "reply_tokens": every.reply_tokens,
        "dollars": every.dollars,
        "likely_dollars": every.likely_dollars,
        "needs": list(needs),
    }


def document(
    checked: "CheckedStudy", folder: "StudyFolder", ends: Sequence[CellEnd], seed: int
) -> dict[str, Any]:
    """The results for scripts."""
    return {
        "study": str(folder.root),
        "seed": seed,
        "tasks": list(checked.study.tasks),
        "cells": [
            {
                "cell": one.cell.words,
                "run": str(one.run),
                "solved": one.tally.solved,
                "requests": one.requests,
                "tokens": one.meter.tokens,
                "dollars": one.meter.dollars,
                "lost_tokens": one.meter.lost,
                "out_of_budget": one.out_of_budget,
                "incomplete": one.incomplete,
            }
            for one in ends
        ],
        "tables": str(folder.tables),
        "report": str(folder.report / "index.html"),
    }
