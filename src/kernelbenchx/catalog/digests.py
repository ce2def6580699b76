"""What facts, evaluations and certificates depend on, as digests of source files.

Files are read as text; of their content only import lines are looked at, so torch is not needed.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.core.errors import BrokenTask

PACKAGE = Path(__file__).parent.parent
IMPORT = re.compile(r"^\s*from kernelbenchx\.([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)
"""The one form in which `spec` and `tasks` import modules of this package; a test sees to it."""
_DECIDES_NOTHING = ("certify/certifier.py", "certify/mutation/running.py")
"""Say where and in which order certifying is done: what is found does not depend on them."""


def task_digest(name: str) -> str:
    """Of the task file and the task files it imports: what its facts are made from."""
    return _digest(_task_files(name))


def evaluation_digest(name: str) -> str:
    """Adds all of `spec` and `judge`. A witness changes no verdict, so it is left out."""
    drawing = [] if catalog.find_published(name) is None else [_drawing_digest()]
    return _hash_texts(task_digest(name), _judging_digest(), *drawing)


def certificate_digest(name: str) -> str:
    """Adds the witness, the modules of `spec` that the task uses, and what makes wrong answers.

    KernelBench problems have a certifier of their own: neither outdates the other's certificates.
    """
    own = set((PACKAGE / "certify" / "problems").glob("*.py"))
    if _is_problem(name):
        found = _in_spec(path for one in own for path in collect_imports(one))
        return _digest_with_witness(name, {*found, *own, *(PACKAGE / "certify").glob("*.py")})
    sabotage = collect_imports(PACKAGE / "spec" / "sabotage.py")
    engine = {*_in_spec(sabotage), *(PACKAGE / "certify").rglob("*.py")} - own
    return _digest_with_witness(name, engine)


def mutation_digest(name: str) -> str:
    """The same with only the mutation engine: results of hours outlive edits of other checks."""
    engine = {*(PACKAGE / "certify" / "mutation").glob("*.py")}
    return _digest_with_witness(name, engine | {PACKAGE / "certify" / "catching.py"})


def _digest_with_witness(name: str, engine: set[Path]) -> str:
    used = _in_spec(collect_imports(catalog.path_of(name)))
    engine = engine - {PACKAGE / one for one in _DECIDES_NOTHING}
    witness = [catalog.witness_path(name)]
    if _is_problem(name) and not witness[0].is_file():
        witness = []  # a problem need not have one; any other task must
    return _digest([*_task_files(name), *witness, *sorted({*used, *engine})])


def _is_problem(name: str) -> bool:
    return PACKAGE / "spec" / "problem.py" in collect_imports(catalog.path_of(name))


def _in_spec(files: Iterable[Path]) -> set[Path]:
    return {path for path in files if path.is_relative_to(PACKAGE / "spec")}


@cache
def collect_imports(start: Path) -> frozenset[Path]:
    """The file, and the files of `spec` and `tasks` that it imports, directly or not."""
    found: set[Path] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _read_imports(path)
    return frozenset(found)


def _task_files(name: str) -> tuple[Path, ...]:
    return _files_with(catalog.path_of(name))


@cache
def _files_with(own: Path) -> tuple[Path, ...]:
    """Kept: a data set asks for the same tasks thousands of times."""
    others = (path for path in collect_imports(own) - {own} if path.is_relative_to(catalog.ROOT))
    return (own, *sorted(others))


@cache
def _judging_digest() -> str:
    folders = (PACKAGE / "spec", PACKAGE / "judge")
    return _digest(path for folder in folders for path in sorted(folder.rglob("*.py")))


@cache
def _drawing_digest() -> str:
    """Of what runs published problems."""
    return _digest(sorted((PACKAGE / "problem_worker").glob("*.py")))


@cache
def _read_imports(path: Path) -> frozenset[Path]:
    return frozenset(
        file
        for module, names in IMPORT.findall(_text(path))
        if module.partition(".")[0] in ("spec", "tasks")
        for name in re.findall(r"(\w+)(?: as \w+)?", re.sub("#.*", "", names))
        for file in _defining(module, name)
    )


@cache
def _defining(module: str, name: str) -> tuple[Path, ...]:
    return tuple(_definitions(module, name))


def _definitions(module: str, name: str) -> Iterable[Path]:
    """The file that defines a name; one that a package exports is found in its own imports."""
    head, *inner = module.split(".")
    path = (catalog.ROOT if head == "tasks" else PACKAGE / head).joinpath(*inner)
    if not path.is_dir():
        yield path.with_suffix(".py")
        return
    # What a package exports hides a module of that name.
    exporting = [
        source
        for source, names in IMPORT.findall(_text(path / "__init__.py"))
        if re.search(rf"\b{name}\b", names)
    ]
    for source in exporting:
        yield from _defining(source, name)
    if not exporting and (path / f"{name}.py").is_file():
        yield path / f"{name}.py"
    elif not exporting and (path / name / "__init__.py").is_file():
        yield path / name / "__init__.py"


@cache
def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BrokenTask(f"{path}: {error.strerror}") from error


def _digest(files: Iterable[Path]) -> str:
    return _hash_texts(*map(_text, files))


def _hash_texts(*texts: str) -> str:
    """One digest of several texts; their borders count."""
    each = (hashlib.sha256(text.encode()).digest() for text in texts)
    return hashlib.sha256(b"".join(each)).hexdigest()
