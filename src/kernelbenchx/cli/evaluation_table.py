"""Evaluations as a table that a person can read."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.number_format import factor, interval, short
from kernelbenchx.cli.output import console
from kernelbenchx.cli.published_rules import rules_summary
from kernelbenchx.cli.result_listing import MOST_ROWS, print_causes, print_list, print_rest, reason
from kernelbenchx.cli.scopes import core_times
from kernelbenchx.cli.speed_summary import BACK, fell_back, summarize_speeds
from kernelbenchx.cli.weights import weights_of, weights_summary
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.failed_scopes import describe_failed_scopes
from kernelbenchx.core.headline import Headline, headline
from kernelbenchx.core.outcome import (
    NOTHING_TO_RETRY,
    Broken,
    Composition,
    Correct,
    Reached,
    Rejected,
    Stage,
    Void,
    Worst,
    Wrong,
)
from kernelbenchx.core.performance import Failed, SpeedClass, Timed, Unmeasured
from kernelbenchx.core.scale import FAILED_AT_SCALE

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {"correct": "green", "reached": "cyan", "wrong": "red", "broken": "yellow",
           FAILED_AT_SCALE: "red",
           "rejected": "magenta", "void": "dim",
           "timed": "", "failed": "red", "unmeasured": "dim",
           "faster": "green", "slower": "red", "tie": "", "undecided": "dim"}  # fmt: skip
MARK = "*"
"""Beside a speedup whose cases are not all statements about kernels."""
_REACHED = {
    Stage.CHECK: "passed the source checks; stopped at the requested stage, not run",
    Stage.CALL: "runs; stopped at the requested stage, correctness not checked",
}
ROOMY = 110
"""From so many columns on, a table with times also names the tasks, or has torch.compile."""
ROOMIER = 140
"""From so many columns on it has both."""
_COMPILE = "over compile"


def print_evaluations(
    evaluations: Sequence[Evaluation],
    out: Path,
    shown: "Console | None" = None,
    *,
    every: bool = False,
) -> None:
    """One row each, of many the first after the causes of failure; then what verdicts rest on."""
    shown = shown or console()
    hidden: list[str] = []
    listed = evaluations if every else evaluations[:MOST_ROWS]
    if len(evaluations) > MOST_ROWS:
        print_causes(evaluations, shown)
    if any(one.own_performance for one in evaluations):
        wanted = _choose_min_widths(evaluations)
        hidden = [name for name, least in wanted.items() if shown.width < least]
        _print_times(listed, shown, [name for name in wanted if name not in hidden])
        if hidden:
            more = ", ".join(f"{name} (from {wanted[name]})" for name in hidden)
            shown.print(Text(f"a terminal with more columns shows: {more}", "dim"))
    elif shown.width < ROOMY:
        print_list(listed, shown, _verdict, why)
    else:
        shown.print(_table(listed))
    print_rest(len(evaluations), len(listed), shown)
    for line in _summary(evaluations, out, marked=_COMPILE not in hidden):
        shown.print(Text(line))


def _choose_min_widths(evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """Columns that a table with times has only from so many columns of a terminal on."""
    if any(headline(one.performance, "compile").speedup for one in evaluations):
        return {_COMPILE: ROOMY, "task": ROOMIER}
    return {"task": ROOMY}


def _table(evaluations: Sequence[Evaluation]) -> Table:
    table = Table(show_lines=False)
    table.add_column("submission", overflow="fold", max_width=34)
    table.add_column("task", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    table.add_column("kernel", no_wrap=True)
    table.add_column("why", overflow="fold")
    for one in evaluations:
        table.add_row(Text(one.submission), _task(one), *_verdict(one), Text(why(one)))
    return table


def _print_times(evaluations: Sequence[Evaluation], shown: "Console", more: Sequence[str]) -> None:
    """Numbers in a table that fits into 80 columns; under it why a number is missing."""
    roomy, compiled, tasks = shown.width >= ROOMY, _COMPILE in more, "task" in more
    table = Table(box=box.SIMPLE_HEAD, padding=(0, int(roomy), 0, 0), show_edge=False)
    table.add_column("submission", overflow="fold", max_width=44)
    if tasks:
        table.add_column("task", no_wrap=True)
    table.add_column("outcome", max_width=15 if roomy else 8)
    table.add_column("kernel", max_width=12 if roomy else 7)
    for column in ("speedup", "class", *([_COMPILE] if compiled else []), "tier", "score"):
        table.add_column(column, no_wrap=True, justify="right" if column == "score" else "left")
    for one in evaluations:
        task = [_task(one)] if tasks else []
        times = _times(one, compiled=compiled)
        table.add_row(Text(one.submission), *task, *_verdict(one), *times)
    shown.print(table)
    reasons = Table.grid(padding=(0, 2, 0, 0))
    reasons.add_column(overflow="fold", max_width=shown.width // 3)
    reasons.add_column(overflow="fold")
    for one in evaluations:
        if not isinstance(one.performance, Timed):
            said = "; ".join(timing(one)) or why(one)
            reasons.add_row(Text(one.submission), reason(said, len(evaluations)))
    if reasons.row_count:
        shown.print("", reasons)
    shown.print()


def _task(one: Evaluation) -> Text:
    return Text(one.task.partition("/")[2])


def _verdict(one: Evaluation) -> list[Text]:
    made_of = "" if one.verdict == "void" else one.composition.value.replace("_", " ")
    return [Text(one.verdict, COLOURS[one.verdict]), Text(made_of)]


def _times(one: Evaluation, *, compiled: bool) -> list[Text]:
    row = headline(one.performance)
    said = _speedup(row)
    if not said and row.kind != "timed":
        said = Text(row.kind, COLOURS.get(row.kind, ""))
    elif _overhead_bound(one):
        said.append(MARK)
    return [
        said,
        speed_text(row.speed_class),
        *([_over_compile(one)] if compiled else []),
        Text(row.tier.label if row.tier else ""),
        Text("" if row.score is None else factor(row.score)),
    ]


def _speedup(row: Headline) -> Text:
    if row.speedup is None or row.low is None or row.high is None:
        return Text("")
    return Text(interval(row.speedup, row.low, row.high))


def _over_compile(one: Evaluation) -> Text:
    said = _speedup(headline(one.performance, "compile"))
    return said.append(BACK) if said and fell_back(one.performance) else said


def speed_text(speed_class: SpeedClass | None) -> Text:
    """What an interval says, in its colour."""
    return Text("") if speed_class is None else Text(speed_class.value, COLOURS[speed_class.value])


def _overhead_bound(one: Evaluation) -> int:
    timed = one.performance
    return sum(case.overhead_bound for case in timed.cases) if isinstance(timed, Timed) else 0


def why(evaluation: Evaluation) -> str:
    """The reason of an outcome in one or two lines."""
    outcome = evaluation.outcome
    if isinstance(outcome, Correct):
        ran = f"{outcome.cases} cases, worst error {outcome.worst:.2f} of the budget"
        said = [*timing(evaluation), ran, weights_of(evaluation), *evaluation.flags[:2]]
        return "; ".join(filter(None, said))
    if isinstance(outcome, Reached):
        return _REACHED[outcome.stage]
    if isinstance(outcome, Rejected):
        return "; ".join(finding(f.rule, f.line, f.why) for f in outcome.findings[:2])
    lines = (describe_failed_scopes(evaluation), core_times(evaluation))
    grade = "".join(f"{line}\n" for line in lines if line)
    if isinstance(outcome, Broken):
        return grade + _describe_broken(outcome, evaluation)
    if isinstance(outcome, Wrong):
        return grade + _wrong(outcome, evaluation.pattern)
    return f"{outcome.reason.value}: {short(outcome.detail)}"


def timing(evaluation: Evaluation) -> list[str]:
    """Why there is no time, where there is none."""
    performance = evaluation.performance
    if isinstance(performance, Failed):
        looks = f", looks like {performance.trick}" if performance.trick else ""
        said = f"{performance.reason.value}: {short(performance.detail)}{looks}"
        case = f" [{performance.case}]" if performance.case else ""
        return [f"{FAILED_AT_SCALE}, {said}{case}"]
    if isinstance(performance, Unmeasured):
        case = f" [{performance.case}]" if performance.case else ""
        return [f"unmeasured, {performance.reason.value}: {short(performance.detail)}{case}"]
    return []


def _describe_broken(outcome: Broken, evaluation: Evaluation) -> str:
    """With the sentence about all cases, where there is one: it ends with the main cause."""
    main = evaluation.main_cause or outcome
    case = f" [{main.case}]" if main.case else ""
    if evaluation.pattern:
        return f"{main.reason.value}: {evaluation.pattern}{case}"
    place = f" (line {outcome.line})" if outcome.line else ""
    return f"{outcome.reason.value}{place}: {short(outcome.detail)}{case}"


def _wrong(outcome: Wrong, over_cases: str) -> str:
    parts = [over_cases or outcome.pattern or short(outcome.detail)]
    worst = outcome.worst
    if worst is not None:
        at = ", ".join(map(str, worst.index))
        parts.append(f"{worst.output}[{at}] is {worst.got}, expected {worst.expected}{_far(worst)}")
        if outcome.pattern:
            parts.append(f"{worst.bad} of {worst.total} elements")
    return f"{outcome.reason.value}: " + "; ".join(parts) + f" [{outcome.case}]"


def _far(worst: Worst) -> str:
    """Without a budget numbers must be equal; that a number is not NaN needs no word."""
    if math.isfinite(worst.error):
        return f": {worst.error:.3g} times the budget"
    odd = any(kind in said for said in (worst.got, worst.expected) for kind in ("nan", "inf"))
    return "" if odd else ": must be equal"


def finding(rule: str, line: int, said: str) -> str:
    """A rule, its place and what it says."""
    return f"{rule}, line {line}: {said}" if line else f"{rule}: {said}"


def _summary(evaluations: Sequence[Evaluation], out: Path, *, marked: bool) -> list[str]:
    if not evaluations:
        return ["nothing was judged"]
    counts = Counter(one.verdict for one in evaluations)
    mixed = sum(one.solved and one.composition is Composition.MIXED for one in evaluations)
    first = evaluations[0]
    lines = [", ".join(f"{count} {kind}" for kind, count in counts.most_common())]
    if mixed:
        lines[0] += f" ({mixed} of the correct ones mixed with torch: counted apart)"
    lines += weights_summary(evaluations)
    basic = Counter(
        one.first_dtype for one in evaluations if one.basic_correct and not one.core_correct
    )
    if basic:
        named = ", ".join(f"{count} in {dtype}" for dtype, count in basic.most_common())
        lines.append(f"core correct only in the first dtype of the task: {named}")
    lines += rules_summary(evaluations)
    core = sum(one.core_correct is True and not one.solved for one in evaluations)
    if core:
        lines.append(f"core correct, but failing elsewhere: {core}")
    weaker = [one.core_performance or one.basic_performance for one in evaluations]
    clocked = sum(isinstance(one, Timed) for one in weaker)
    if clocked:
        lines.append(f"timed on core cases only, in no rate or mean: {clocked}")
    lines += summarize_speeds(evaluations, marked=marked)
    if any(map(_overhead_bound, evaluations)):
        lines.append(f"{MARK} includes overhead-bound cases, which say little about the kernel")
    if any(one.provisional and one.ran for one in evaluations):
        lines.append(
            "provisional: run in the interpreter and cross-compiled for a GPU; confirm on a GPU"
        )
    missing = f", missing: {'; '.join(first.isolation.missing)}" if first.isolation.missing else ""
    ran = any(one.ran for one in evaluations)
    level = f"isolation {first.isolation.level}{missing}; " if ran else "nothing was run; "
    lines.append(f"{level}run kept in {out}")
    voids = [one.outcome for one in evaluations if isinstance(one.outcome, Void)]
    if voids:
        lasting = all(one.reason in NOTHING_TO_RETRY for one in voids)
        again = "" if lasting else "; run the same command to retry"
        lines.append(f"void results are not scored: the evaluator could not judge them{again}")
    return lines
