"""What a run of all tests leaves to the next one, and how to ask for all of it.

Where `KBX_TEST_ALL` is set, nothing is left out.
"""

import os
import random
import subprocess
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from zlib import crc32

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.space import Chosen, Space
from kernelbenchx.spec.task import Task

ALL = "KBX_TEST_ALL"
ROOT = Path(__file__).resolve().parents[1]
_TRIES = 20


def turn() -> int:
    """A number that every change of what judges moves, and nothing else."""
    return int(evaluation_digest(catalog.names()[0])[:8], 16)


def rotating(some: Sequence[str], many: int) -> list[str]:
    """So many of them, in turn and far from each other: neighbours take equally long."""
    if os.environ.get(ALL):
        return list(some)
    places = {(turn() + step * len(some) // many) % len(some) for step in range(many)}
    return [some[place] for place in sorted(places)]


def comes_now(file: str) -> bool:
    """Whether tests of a file that take turns are due on this commit: a quarter are on each."""
    return bool(os.environ.get(ALL)) or crc32(f"{_commit()} {file}".encode()) % 4 == 0


@cache
def _commit() -> str:
    """The commit that is tested; nothing where git knows of none."""
    return _git("rev-parse HEAD")


def due(some: Sequence[str], many: int) -> list[str]:
    """So many tasks in turn, and all whose own files are not as they were a commit ago."""
    wanted = {*rotating(some, many), *changed(some, _written())}
    return [name for name in some if name in wanted]


def changed(some: Sequence[str], files: Container[Path]) -> list[str]:
    """Tasks of which one of these is the file or the witness, or that have no certificate now."""
    return [
        name
        for name in some
        if catalog.path_of(name) in files
        or catalog.witness_path(name) in files
        or not _standing(name)
    ]


_standing = cache(standing)


@cache
def _written() -> frozenset[Path]:
    """Files of the last commit, and files that are in none; nothing where git knows of none."""
    found = _git("diff --name-only --relative HEAD~1")
    found += _git("ls-files --others --exclude-standard")
    return frozenset(ROOT / name for name in found.splitlines())


def _git(words: str) -> str:
    with suppress(OSError):
        command = ["git", "-C", str(ROOT), *words.split()]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return ""


def cases_with_every_option(task: Task) -> tuple[Case, ...]:
    """All corners, and calls that together have every option of every axis.

    Other calls differ from them only in which two options meet. To find those pairs takes most of
    the time of `Task.cases`.
    """
    if os.environ.get(ALL) or task.space is None:
        return task.cases(0)
    return _cases(task, task.space, _with_what_corners_lack(task.space))


def core_cases_with_every_option(task: Task) -> tuple[Case, ...]:
    """Corners of the core, and the ordinary call with each other option of the core in turn."""
    if os.environ.get(ALL) or task.space is None:
        found = task.cases(0)
    else:
        found = _cases(task, task.space, _with_one_changed(task.space))
    return tuple(one for one in found if not one.needs)


def _cases(task: Task, space: Space, others: Iterator[Chosen]) -> tuple[Case, ...]:
    chance = random.Random(0)
    corners = [space._case(one, random.Random(0), corner=True) for one in space._corners]
    drawn = [space._case(one, chance) for one in others]
    return task.checks + tuple({one.name: one for one in (*drawn, *corners)}.values())


def _with_what_corners_lack(space: Space) -> Iterator[Chosen]:
    """A valid choice for each option that no corner and no choice before has."""
    chance = random.Random(0)
    seen = {one for corner in space._corners for one in corner.items()}
    for axis in space.axes:
        for option in axis.options:
            if (axis.name, option.name) in seen:
                continue
            fixed = {axis.name: option.name}
            found = (space._candidate(chance, None, fixed) for _ in range(_TRIES))
            chosen = next((one for one in found if one is not None), None)
            if chosen is not None:
                seen.update(chosen.items())
                yield chosen


def _with_one_changed(space: Space) -> Iterator[Chosen]:
    """Where it goes with the ordinary rest; by chance with another one where it does not."""
    chance = random.Random(0)
    for name, options in space._by_scope[Scope.CORE].items():
        for option in options:
            fixed = {name: option.name}
            chosen = space._fill_options(fixed)
            if space.valid(chosen) and not space.needs(chosen):
                yield chosen
            elif (other := space._candidate(chance, Scope.CORE, fixed)) is not None:
                yield other
