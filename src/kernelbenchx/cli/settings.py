"""The options that say how submissions are evaluated, for every command that does."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kernelbenchx.cli.number_types import TimeLimitType
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.core.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

STAGES = ("check", "call", "exe", "perf")
BASELINES = ("eager", "compile")
SIZES = ("ours", "published")


def jobs_option(what: str) -> Callable[[F], F]:
    """`--jobs`: how many of these are worked on at once."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=os.cpu_count() or 1,
        help=f"{what} at once.  [default: cores]",
    )


def isolation_option(what: str) -> Callable[[F], F]:
    """`--isolation` of the code that is named."""
    return click.option(
        "--isolation",
        type=click.Choice(["auto", "L1", "L2", "L3"]),
        default="auto",
        show_default=True,
        help=f"Isolation level of {what}.",
    )


_OPTIONS = (
    click.option(
        "--device",
        type=click.Choice(["auto", "cuda", "interpreter"]),
        default="auto",
        show_default=True,
        help="Where kernels run.",
    ),
    click.option(
        "--stage",
        type=click.Choice(STAGES),
        default="exe",
        show_default=True,
        help="Last stage to run; perf takes times and needs a GPU.",
    ),
    click.option(
        "--baseline",
        "baselines",
        type=click.Choice(BASELINES),
        multiple=True,
        help="Additional baseline for --stage perf (eager is always included).",
    ),
    jobs_option("Submissions"),
    isolation_option("submissions"),
    click.option(
        "--target",
        default="sm_90",
        show_default=True,
        help="GPU to cross-compile for in the interpreter.",
    ),
    click.option(
        "--time-limit",
        type=TimeLimitType(),
        default="auto",
        show_default=True,
        help="Time limit for the calls of a submission, in seconds. In the interpreter it is CPU "
        "time, and four times as much while programs finish. auto is 60, and there limits each "
        "call to 20 times the witness's slowest call (3 to 60 s).",
    ),
    click.option(
        "--seed",
        type=click.IntRange(1, 2**62),
        default=None,
        help="Seed for the inputs; reuse one to reproduce a run.  [default: random and secret]",
    ),
)


def evaluation_options(command: F) -> F:
    """All of them, in the order of help."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> "Settings":
    """As they were asked for; the `Evaluator` refuses what this machine cannot do."""
    from kernelbenchx.core.outcome import Stage
    from kernelbenchx.core.settings import Settings

    return Settings(
        device=options["device"],
        stage=Stage(options["stage"]),
        baselines=baselines_of(options["stage"], options["baselines"]),
        sizes=sizes_of(options["stage"], options.get("sizes", "ours")),
        paper_rules=options.get("paper_rules", False),
        jobs=options["jobs"],
        isolation=options["isolation"],
        target=options["target"],
        time_limit_s=options["time_limit"],
        seed=options["seed"] or 0,
    )


def baselines_of(stage: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """In one order, so that the same question has the same key; eager is what scores rest on."""
    if wanted and stage != "perf":
        raise BadInput("--baseline needs --stage perf")
    return tuple(name for name in BASELINES if name == "eager" or name in wanted)


sizes_option = click.option(
    "--sizes",
    type=click.Choice(SIZES),
    default="ours",
    show_default=True,
    help="Sizes for --stage perf: those of the tasks, or those of the published timings.",
)
"""For `kbx eval` alone: a model is given times of the task's own sizes."""


def sizes_of(stage: str, wanted: str) -> str:
    """Other sizes than those of the tasks are of no use where nothing is timed."""
    if wanted != "ours" and stage != "perf":
        raise BadInput(f"--sizes {wanted} needs --stage perf")
    return wanted
