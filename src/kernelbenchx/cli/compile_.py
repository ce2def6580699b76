"""`kbx compile`: registers, spills and shared memory of kernels, for a GPU you don't have."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from kernelbenchx.cli.folder_options import tasks_option
from kernelbenchx.cli.number_format import format_count, short
from kernelbenchx.cli.number_types import Finite
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from kernelbenchx.core.submission import Submission


@click.command("compile")
@click.argument("file", type=NamedPath(path_type=Path))
@click.option(
    "--target",
    default="sm_90",
    show_default=True,
    help="sm_80, sm_89, sm_90, sm_100, gfx942 or gfx950.",
)
@tasks_option
@click.option("--task", help="The task, if the file name does not contain it.")
@click.option(
    "--time-limit",
    type=Finite(1, 3600),
    default=120.0,
    show_default=True,
    help="Time limit for the whole file, in seconds.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(file: Path, target: str, task: str | None, time_limit: float, as_json: bool) -> None:
    """Compile every kernel that FILE launches, with every autotune configuration."""
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluator import Evaluator

    submission = _readable(file, task)
    settings = Settings(
        device="interpreter", target=target, jobs=1, compile_time_limit_s=time_limit
    )
    with _progress(quiet=as_json) as tell, Evaluator(settings) as evaluator:
        tell("loading torch here and in the workers")
        # The workers without a verdict: an evaluation has no list of compiled kernels.
        pipeline = evaluator.session.pipeline
        # Loads torch: not before the workers do, which load it at the same time.
        from kernelbenchx.evaluate.cross_compile import compile_submission

        compiled = compile_submission(pipeline, submission, tell)
    if not compiled.kernels:
        why = "; ".join(compiled.problems) or "it launches no kernel"
        raise BadInput(f"{file}: nothing was compiled: {why}")
    if as_json:
        print_json(asdict(compiled))
        return
    from rich.text import Text

    shown = console()
    shown.print(_table(compiled.target, compiled.kernels))
    for problem in compiled.problems:
        shown.print(Text(f"kernels may be missing: {short(problem)}"))


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line that a terminal redraws, with the seconds so far; lines elsewhere."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    shown = console(stderr=True)
    if not shown.is_terminal:
        yield lambda doing: None if quiet else print(doing, file=sys.stderr)
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=shown, transient=True) as progress:
        line = progress.add_task("", total=None)
        yield lambda doing: progress.update(line, description=doing)


def _readable(file: Path, task: str | None) -> "Submission":
    """The submission, unless its text alone shows that it cannot be loaded."""
    from kernelbenchx.catalog.facts import facts
    from kernelbenchx.checks.checker_process import check_bounded
    from kernelbenchx.evaluate.expectation import expectation_of
    from kernelbenchx.evaluator import read_submissions

    submissions = read_submissions(file, task=task).submissions
    if len(submissions) != 1 or submissions[0].language != "triton":
        raise BadInput(f"{file}: expected one file with Triton kernels")
    (submission,) = submissions
    report = check_bounded(submission.source, expectation_of(facts(submission.task), "triton"))
    for finding in report.findings:
        if finding.rule == "source":
            raise BadInput(f"{file}, line {finding.line}: {finding.why}")
        if finding.rule == "entry" and not report.entry:
            raise BadInput(f"{file} {finding.why}")
    return msgspec.structs.replace(submission, source=report.runs)


def _table(target: str, kernels: list[dict[str, Any]]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=f"{format_count(len(kernels), 'kernel')} for {target}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 2, 0, 0),
        show_edge=False,
        pad_edge=False,
    )
    longest = max((len(str(kernel.get("name"))) for kernel in kernels), default=0)
    table.add_column("kernel", overflow="fold", min_width=min(longest, 24))
    table.add_column("arguments", overflow="fold")
    table.add_column("config")
    for column in ("registers", "spills", "shared"):
        table.add_column(column, justify="right")
    table.add_column("result", overflow="fold")
    for kernel, own in zip(kernels, told_apart(kernels), strict=True):
        needs = (kernel.get(key) for key in ("registers", "spills", "shared_bytes"))
        numbers = ("" if need is None or not kernel.get("ok") else str(need) for need in needs)
        cells = (str(kernel.get("name")), own, _configuration(kernel), *numbers, _result(kernel))
        table.add_row(*map(Text, cells))
    return table


def told_apart(kernels: list[dict[str, Any]]) -> list[str]:
    """Of each kernel the arguments in which those of its name differ."""
    variants: dict[str, list[dict[str, str]]] = {}
    for kernel in kernels:
        variants.setdefault(str(kernel.get("name")), []).append(_arguments(kernel))
    found = []
    for kernel in kernels:
        others = variants[str(kernel.get("name"))]
        own = _arguments(kernel).items()
        differ = [(name, said) for name, said in own if any(o.get(name) != said for o in others)]
        found.append(", ".join(f"{name}={said}" for name, said in differ))
    return found


def _arguments(kernel: dict[str, Any]) -> dict[str, str]:
    """As the compiler saw them, without those that the configuration names."""
    said, chosen = kernel.get("arguments"), kernel.get("configuration")
    configured = chosen if isinstance(chosen, dict) else {}
    pairs = said.items() if isinstance(said, dict) else ()
    return {str(name): str(value) for name, value in pairs if name not in configured}


def _result(kernel: dict[str, Any]) -> str:
    if kernel.get("ok"):
        return "ok"
    error = kernel.get("error") or {}
    place = f"line {error.get('line')}: " if error.get("line") else ""
    return place + short(str(error.get("message", "")), 300)


def _configuration(kernel: dict[str, Any]) -> str:
    chosen = kernel.get("configuration")
    pairs = chosen.items() if isinstance(chosen, dict) else ()
    own = [f"{key}={value}" for key, value in pairs if key not in _SHOWN_APART]
    return ", ".join([*own, f"{kernel.get('num_warps')} warps, {kernel.get('num_stages')} stages"])


_SHOWN_APART = ("num_warps", "num_stages")
