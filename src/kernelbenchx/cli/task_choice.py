"""Which tasks a model writes kernels for: by name, or all of a track."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from kernelbenchx.core.errors import BadInput

Command = TypeVar("Command", bound=Callable[..., Any])

FUNCTIONS, KERNELBENCH = "functions", "kernelbench"
_OPTIONS = (
    click.option(
        "--tasks",
        "patterns",
        multiple=True,
        help="Names, category/name or globs, separated by commas; '*' selects all. A folder adds "
        "its tasks and selects them.",
    ),
    click.option(
        "--track",
        type=click.Choice([FUNCTIONS, KERNELBENCH]),
        help="All tasks of a track, or those of --tasks, which then must belong to it.",
    ),
    click.option(
        "--levels",
        help="Levels of --track kernelbench, separated by commas.  [default: 1,2,3]",
    ),
)


def task_options(command: Command) -> Command:
    """Adds the options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_tasks(
    patterns: Sequence[str], track: str | None = None, levels: str | None = None
) -> tuple[str, ...]:
    """In the order of the patterns, or of names; never none."""
    from kernelbenchx import catalog

    if levels is not None and track != KERNELBENCH:
        raise BadInput("--levels belongs to --track kernelbench")
    if track is None:
        if not patterns:
            raise BadInput("nothing says for which tasks: give --tasks or --track")
        return catalog.select(*patterns_in(patterns))
    folders = {f"level{level}" for level in _levels(levels)}
    every = [name for name in catalog.names() if _belongs(name, track, folders)]
    if not patterns:
        return tuple(every)
    chosen = catalog.select(*patterns_in(patterns))
    for name in chosen:
        if not _belongs(name, track, folders):
            where = ", ".join(sorted(folders)) if track == KERNELBENCH else "functions"
            raise BadInput(f"{name} is not in the track {track} ({where})")
    return chosen


def _belongs(name: str, track: str, folders: set[str]) -> bool:
    from kernelbenchx.catalog import LEVELS

    category = name.partition("/")[0]
    return category in folders if track == KERNELBENCH else category not in LEVELS


def _levels(said: str | None) -> tuple[int, ...]:
    from kernelbenchx.catalog.kernelbench import LEVELS

    if said is None:
        return LEVELS
    words = [word.strip() for word in said.split(",") if word.strip()]
    known = {str(level): level for level in LEVELS}
    for word in words:
        if word not in known:
            raise BadInput(f"--levels {said}: {word!r} is none of {', '.join(known)}")
    if not words:
        raise BadInput(f"--levels names none of {', '.join(known)}")
    return tuple(known[word] for word in words)


def patterns_in(said: Sequence[str]) -> list[str]:
    """The patterns; at least one is required, since every task costs requests."""
    found = [part.strip() for one in said for part in one.split(",") if part.strip()]
    if not found:
        raise BadInput("--tasks selects no task; '*' selects all")
    return [name for one in found for name in _in_folder(one) or [one]]


def _in_folder(said: str) -> list[str]:
    """The tasks of a folder, which are known from now on; none where it is a pattern."""
    from kernelbenchx.catalog.task_folders import add_folder

    if not Path(said, "tasks").is_dir():
        return []
    add_folder(Path(said))
    return sorted(f"{one.parent.name}/{one.stem}" for one in Path(said).glob("tasks/*/[!_]*.py"))
