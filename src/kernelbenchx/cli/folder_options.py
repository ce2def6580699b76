"""`--tasks FOLDER` and `--problems FOLDER`: tasks outside the package, for the commands that take a
task by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kernelbenchx.cli.path_types import NamedPath

Command = TypeVar("Command", bound=Callable[..., Any])


def tasks_option(command: Command) -> Command:
    """Adds the option; the folders are known before the command begins."""
    option = click.option(
        "--tasks",
        "added",
        type=NamedPath(path_type=Path),
        metavar="FOLDER",
        multiple=True,
        expose_value=False,
        is_eager=True,
        callback=_add,
        help="A folder with tasks of your own: tasks/<category>/<name>.py and witnesses/.",
    )
    return option(command)


def _add(_context: click.Context, _option: click.Parameter, folders: tuple[Path, ...]) -> None:
    from kernelbenchx.catalog.task_folders import add_folder

    for folder in folders:
        add_folder(folder)


def problems_option(command: Command) -> Command:
    """Adds the option; problems are known before the command begins, and what is none is named."""
    option = click.option(
        "--problems",
        type=NamedPath(path_type=Path),
        metavar="FOLDER",
        multiple=True,
        expose_value=False,
        is_eager=True,
        callback=_add_problems,
        help="A folder with KernelBench's problem files: level1/<number>_<name>.py.",
    )
    return option(command)


def _add_problems(
    _context: click.Context, _option: click.Parameter, folders: tuple[Path, ...]
) -> None:
    from kernelbenchx.catalog.problem_folders import add_problems

    for folder in folders:
        for name, why in add_problems(folder).unreadable.items():
            click.echo(f"left out: {name}: {why}", err=True)
