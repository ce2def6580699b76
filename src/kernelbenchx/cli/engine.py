"""`--engine`, `--address` and `--gpu`: which machines judge, for every command that judges."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.cluster.engine import EngineChoice

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help="What evaluates: this machine, or the nodes of a Ray cluster. --jobs is then for each "
        "node or GPU.",
    ),
    click.option(
        "--address",
        metavar="HOST:PORT",
        help="The Ray cluster.  [default: RAY_ADDRESS, or Ray is started on this machine]",
    ),
    click.option(
        "--gpu",
        "gpu_kind",
        metavar="KIND",
        default="",
        help="The kind of GPU for --engine ray, as Ray names it, such as H200.  [default: that of "
        "the first node]",
    ),
)


def engine_options(command: Command) -> Command:
    """All of them, in the order of help."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_engine(options: dict[str, Any]) -> "EngineChoice":
    """Which machines judge; taken out of the options.

    On nodes, `--jobs` counts only where it is given: the default is about this machine.
    """
    from kernelbenchx.cluster.engine import EngineChoice

    if options["gpu_kind"] and options.get("device") == "interpreter":
        raise BadInput("--gpu chooses a kind of GPU, and --device interpreter uses none")
    source = click.get_current_context().get_parameter_source("jobs")
    given = source is not None and source is not click.core.ParameterSource.DEFAULT
    return EngineChoice(
        name=options.pop("engine"),
        address=options.pop("address"),
        gpu=options.pop("gpu_kind"),
        jobs=options.get("jobs") if given else None,
    )


class NodeNotes:
    """A listener for commands that show nothing else of submissions."""

    def stage(self, _submission: str, _stage: str) -> None:
        """Not shown."""

    def note(self, words: str) -> None:
        """Which nodes judge, and which do not."""
        click.echo(words, err=True)
