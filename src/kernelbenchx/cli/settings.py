"""The options that say how submissions are evaluated, for every command that does."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kernelbenchx.cli.numbers import Finite
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.core.settings import ResolvedSettings

F = TypeVar("F", bound=Callable[..., Any])

STAGES = ("check", "call", "exe", "perf")
BASELINES = ("eager", "compile")
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
        help="How far to go; perf takes times and needs a GPU.",
    ),
    click.option(
        "--baseline",
        "baselines",
        type=click.Choice(BASELINES),
        multiple=True,
        help="With --stage perf: also compare with this; eager always is.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=os.cpu_count() or 1,
        help="Submissions at once.  [default: cores]",
    ),
    click.option(
        "--isolation",
        type=click.Choice(["auto", "L1", "L2", "L3"]),
        default="auto",
        show_default=True,
        help="How well submissions are locked in.",
    ),
    click.option(
        "--target",
        default="sm_90",
        show_default=True,
        help="The GPU to compile for, without having it.",
    ),
    click.option(
        "--time-limit",
        type=Finite(1, 3600),
        default=60.0,
        show_default=True,
        help="Seconds for one submission's calls; CPU time in the interpreter, "
        "where programs that end may take four times as much.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(1, 2**62),
        default=None,
        help="Draw the inputs of an earlier run again.  [default: secret and fresh]",
    ),
)


def evaluation_options(command: F) -> F:
    """All of them, in the order of help."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> "ResolvedSettings":
    """As this machine resolves them; what it cannot do is said in one line."""
    from kernelbenchx.core.outcome import Stage
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.session import resolved

    return resolved(
        Settings(
            device=options["device"],
            stage=Stage(options["stage"]),
            baselines=baselines_of(options["stage"], options["baselines"]),
            jobs=options["jobs"],
            isolation=options["isolation"],
            target=options["target"],
            time_limit_s=options["time_limit"],
            seed=options["seed"] or 0,
        )
    )


def baselines_of(stage: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """In one order, so that the same question has the same key; eager is what scores rest on."""
    if wanted and stage != "perf":
        raise BadInput("--baseline is about times: it needs --stage perf")
    return tuple(name for name in BASELINES if name == "eager" or name in wanted)
