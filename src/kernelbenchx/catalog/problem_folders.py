"""Folders with KernelBench's problem files as they are published, named by the user.

`level1/19_ReLU.py` is the task `level1/19_ReLU`. Problems that the catalogue has stay its own.
"""

import ast
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.parsing import parse_python

VARIABLE = "KERNELBENCHX_PROBLEMS"
"""Folders with the system's path separator between them. Processes that judge inherit it."""
_FILE = re.compile(r"(\d{1,6})_[\w.-]{1,150}")
_LEVEL = re.compile(r"level([1-3])")
_INNER = "KernelBench"
"""A checkout of the repository holds the levels in a folder of this name."""
_MOST_BYTES = 1 << 20
_UNREADABLE = (BadInput, OSError, ValueError, SyntaxError, RecursionError, MemoryError)
"""What a text can make Python's parser raise, too."""
_ENTRIES = ("Model", "get_inputs", "get_init_inputs")


@dataclass(frozen=True)
class PublishedProblem:
    """One file that can be read as a problem."""

    name: str
    """`level1/19_ReLU`."""
    level: int
    number: int
    path: Path
    text: str
    forward: ast.FunctionDef
    init: ast.FunctionDef | None
    """None where the constructor is torch's own."""
    signature: str
    """Of `forward`, as it is written."""
    constructor: str
    description: str


@dataclass(frozen=True)
class FolderProblems:
    """What a folder holds."""

    problems: dict[str, PublishedProblem]
    unreadable: dict[str, str]
    """Why files are no problems."""


def problem_folders() -> tuple[Path, ...]:
    """All that the user named."""
    named = (one for one in os.environ.get(VARIABLE, "").split(os.pathsep) if one)
    return tuple(dict.fromkeys(map(Path, named)))


def add_problems(folder: Path) -> FolderProblems:
    """For this process and those that it starts; what was found."""
    found = published_in(folder.resolve())
    known = dict.fromkeys([*map(str, problem_folders()), str(folder.resolve())])
    os.environ[VARIABLE] = os.pathsep.join(known)
    return found


def published_problems() -> dict[str, PublishedProblem]:
    """Of all folders; the first that holds a problem of a name gives it."""
    found: dict[str, PublishedProblem] = {}
    for folder in problem_folders():
        for name, one in published_in(folder).problems.items():
            found.setdefault(name, one)
    return found


@cache
def published_in(folder: Path) -> FolderProblems:
    """Every file of a level, whether it can be read or not; nothing of it runs."""
    found = FolderProblems({}, {})
    for path in _files(folder):
        name = f"{path.parent.name}/{path.stem}"
        try:
            found.problems[name] = _read(name, path)
        except _UNREADABLE as error:
            found.unreadable[name] = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    if not found.problems:
        why = next((f": {name}: {said}" for name, said in found.unreadable.items()), "")
        raise BadInput(
            f"{folder} holds no problems: expected {folder}/level1/<number>_<name>.py{why}"
        )
    return found


def holds_problems(folder: Path) -> bool:
    """Whether files in a folder are named and placed as KernelBench's are."""
    return bool(_files(folder))


def _files(folder: Path) -> list[Path]:
    inner = folder / _INNER
    levels = [one for one in (inner, folder) if next(one.glob("level[1-3]"), None)]
    paths = [] if not levels else levels[0].glob("level[1-3]/*.py")
    found = [path for path in paths if path.is_file() and _FILE.fullmatch(path.stem)]
    return sorted(found, key=lambda path: (path.parent.name, int(path.stem.partition("_")[0])))


def _read(name: str, path: Path) -> PublishedProblem:
    if path.stat().st_size > _MOST_BYTES:
        raise BadInput(f"larger than {_MOST_BYTES >> 20} MiB")
    text = path.read_text(encoding="utf-8")
    tree = parse_python(text)
    defined = {
        node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    missing = [one for one in _ENTRIES if one not in defined]
    if missing:
        raise BadInput(f"does not define {', '.join(missing)}")
    model = defined["Model"]
    methods = {node.name: node for node in model.body if isinstance(node, ast.FunctionDef)}
    if not isinstance(model, ast.ClassDef) or "forward" not in methods:
        raise BadInput("its Model has no `forward`")
    level, number = _LEVEL.fullmatch(path.parent.name), _FILE.fullmatch(path.stem)
    assert level is not None and number is not None
    return PublishedProblem(
        name=name,
        level=int(level[1]),
        number=int(number[1]),
        path=path,
        text=text,
        forward=methods["forward"],
        init=methods.get("__init__"),
        signature=_unparse_signature(methods["forward"]),
        constructor=_unparse_signature(methods["__init__"])
        if "__init__" in methods
        else "__init__(self)",
        description=ast.get_docstring(model) or "",
    )


def _unparse_signature(function: ast.FunctionDef) -> str:
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(function.args)}){returned}"
