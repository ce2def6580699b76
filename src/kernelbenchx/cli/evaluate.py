"""`kbx eval`: judge submissions and keep what came of them."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.output import console, print_json
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.core.performance import Compiled
    from kernelbenchx.evaluate.intake import Intake

STAGES = ("check", "call", "exe", "perf")
BASELINES = ("eager", "compile")


@click.command("eval")
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs/default"),
    show_default=True,
    help="The run: results are added to it; finished ones are kept.",
)
@click.option("--task", help="The task of all sources, where file names do not say it.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cuda", "interpreter"]),
    default="auto",
    show_default=True,
    help="Where kernels run.",
)
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    default="exe",
    show_default=True,
    help="How far to go; perf takes times and needs a card.",
)
@click.option(
    "--baseline",
    "baselines",
    type=click.Choice(BASELINES),
    multiple=True,
    help="With --stage perf: also compare with this; eager always is.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    help="Submissions at once.  [default: cores]",
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "L1", "L2", "L3"]),
    default="auto",
    show_default=True,
    help="How well submissions are locked in.",
)
@click.option(
    "--target",
    default="sm_90",
    show_default=True,
    help="The GPU to compile for, without having it.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(1, 3600),
    default=60.0,
    show_default=True,
    help="Seconds for one submission's calls.",
)
@click.option(
    "--seed",
    type=click.IntRange(1, 2**62),
    default=None,
    help="Draw the inputs of an earlier run again.  [default: secret and fresh]",
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document; raw samples stay in the run."
)
def command(sources: tuple[Path, ...], out: Path, as_json: bool, **options: Any) -> None:
    """Evaluate SOURCES: .py files, folders of them, .jsonl data sets, fenced replies.

    The same command again runs only what was not finished.
    """
    from kernelbenchx.evaluate.extra import require_evaluation_extra
    from kernelbenchx.evaluate.intake import read

    require_evaluation_extra()
    found = read(sources, options.pop("task"))
    if not as_json:
        for name in found.unknown:
            console(stderr=True).print(f"[dim]not judged, no such task: {name}[/dim]")
    quiet = as_json and not sys.stderr.isatty()
    evaluations, compiled = _evaluated(found, out, quiet=quiet, options=options)
    if as_json:
        print_json(_document(out, found, evaluations, compiled))
        return
    from kernelbenchx.cli.outcomes import print_evaluations
    from kernelbenchx.cli.speeds import compiling

    print_evaluations(evaluations, out)
    for line in compiling(compiled):
        console().print(line)


def _evaluated(
    found: "Intake", out: Path, *, quiet: bool, options: dict[str, Any]
) -> tuple[list["Evaluation"], list["Compiled"]]:
    from kernelbenchx.cli.progress import Progress
    from kernelbenchx.core.outcome import Stage
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.session import Session, resolved

    settings = resolved(
        Settings(
            device=options["device"],
            stage=Stage(options["stage"]),
            baselines=_baselines(options["stage"], options["baselines"]),
            jobs=options["jobs"],
            isolation=options["isolation"],
            target=options["target"],
            wall_s=options["time_limit"],
            seed=options["seed"] or 0,
        )
    )
    if not found.submissions:
        return [], []
    with Session(settings, out) as session, Progress(quiet=quiet) as progress:
        evaluations = session.evaluate(found.submissions, progress)
        return evaluations, session.compiled


def _baselines(stage: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """In one order, so that the same question has the same key; eager is what scores rest on."""
    if wanted and stage != "perf":
        raise BadInput("--baseline is about times: it needs --stage perf")
    return tuple(name for name in BASELINES if name == "eager" or name in wanted)


def _document(
    out: Path, found: "Intake", evaluations: list["Evaluation"], compiled: list["Compiled"]
) -> dict[str, Any]:
    from kernelbenchx.cli.document import result
    from kernelbenchx.core.record import to_plain

    results = [result(one) for one in evaluations]
    counts: dict[str, int] = {}
    for one in results:
        counts[one["outcome"]["kind"]] = counts.get(one["outcome"]["kind"], 0) + 1
    return {
        "run": str(out),
        "counts": counts,
        "results": results,
        "unknown": found.unknown,
        "compiled": to_plain(compiled),
    }
