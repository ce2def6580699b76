"""Folders with tasks outside the package: named by the user, or by an installed package.

A folder holds `tasks/<category>/<name>.py` and `witnesses/<category>/<name>.py`. A package names
its folder by an entry point of the group `kernelbenchx.tasks`, whose value is a module in it.
"""

import importlib.util
import os
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from kernelbenchx.core.errors import BadInput

VARIABLE = "KERNELBENCHX_TASKS"
"""Folders with the system's path separator between them. Processes that judge inherit it."""
GROUP = "kernelbenchx.tasks"


def added_folders() -> tuple[Path, ...]:
    """All of them, those that the user named first."""
    return tuple(dict.fromkeys([*named_folders(), *_installed_folders()]))


def named_folders() -> tuple[Path, ...]:
    """Those that the user named."""
    named = (one for one in os.environ.get(VARIABLE, "").split(os.pathsep) if one)
    return tuple(map(_require_tasks, named))


def add_folder(folder: Path) -> None:
    """For this process and those that it starts."""
    _require_tasks(folder)
    before = os.environ.get(VARIABLE, "").split(os.pathsep)
    known = dict.fromkeys([*before, str(folder.resolve())])
    os.environ[VARIABLE] = os.pathsep.join(one for one in known if one)


@cache
def _require_tasks(folder: Path | str) -> Path:
    if next(Path(folder).glob("tasks/*/*.py"), None) is None:
        raise BadInput(f"{folder} holds no tasks: expected {folder}/tasks/<category>/<name>.py")
    return Path(folder).resolve()


@cache
def _installed_folders() -> tuple[Path, ...]:
    found = []
    for point in entry_points(group=GROUP):
        spec = importlib.util.find_spec(point.module)
        if spec is None or spec.origin is None:
            raise BadInput(f"entry point {point.name} of {GROUP}: no module {point.module}")
        found.append(_require_tasks(Path(spec.origin).parent))
    return tuple(found)
