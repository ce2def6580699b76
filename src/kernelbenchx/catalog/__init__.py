"""Finds tasks by path: `tasks/<category>/<name>.py` is the task `<category>/<name>`.

`witnesses/<category>/<name>.py`, beside that folder, is a submission that solves it. Folders
outside the package that are built alike add tasks of their own. KernelBench problems lie in
`level1`, `level2` and `level3`; `level1/<name>:bf16` is one of them in another precision. Folders
of published problem files add those that the catalogue does not have.
"""

import fnmatch
import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from kernelbenchx.catalog.precisions import PLAIN, join_precision, plain_name, split
from kernelbenchx.catalog.problem_folders import (
    VARIABLE,
    PublishedProblem,
    problem_folders,
    published_problems,
)
from kernelbenchx.catalog.task_folders import added_folders
from kernelbenchx.core.errors import BadInput, BrokenTask
from kernelbenchx.core.kernelbench_names import read_problem_name

if TYPE_CHECKING:
    from kernelbenchx.spec.task import Task

ROOT = Path(__file__).parent.parent / "tasks"

PUBLISHED_CATEGORIES = {
    "activation": "Activation",
    "convolution": "Convolution",
    "fusion": "Fusion",
    "index": "Index",
    "linear_algebra": "LinearAlgebra",
    "loss": "Loss",
    "math": "Math",
    "matrix_multiply": "MatrixMultiply",
    "normalization": "Normalization",
    "optimizer": "Optimizer",
    "pooling": "Pooling",
    "quantization": "Quantization",
    "random": "Random",
    "reduce": "Reduce",
    "spatial_ops": "SpatialOps",
}

BUILT_UNDER_SEED, SEED_ALONE = "@built_under_seed", "@seed_alone"
"""After a problem's name: both modules are built under one seed, and weights are then given, or
not. For the evaluator alone: results are kept under the plain name."""
LEVELS = ("level1", "level2", "level3")
"""Folders of KernelBench problems."""
PROBLEMS_HINT = f"; add KernelBench's files: `problems` or {VARIABLE} names their folder"


def names() -> tuple[str, ...]:
    """Every task as `category/name`, sorted; problems once, without a precision."""
    return tuple(sorted([*_files_in((ROOT, *_added_roots())), *_find_imported_problems()]))


def function_names() -> tuple[str, ...]:
    """Tasks that are not KernelBench problems."""
    return tuple(name for name in names() if not _is_in_a_level(name))


def problem_names() -> tuple[str, ...]:
    """KernelBench problems."""
    return tuple(filter(_is_in_a_level, names()))


def _is_in_a_level(name: str) -> bool:
    return name.partition("/")[0] in LEVELS


@cache
def _files_in(roots: tuple[Path, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for root in roots:
        for path in sorted(root.glob("*/*.py")):
            name = f"{path.parent.name}/{path.stem}"
            if path.stem.startswith("_"):
                continue
            if not name.isprintable():
                raise BadInput(f"{path}: the name of a task is text on one line: rename it")
            if name in found:
                raise BrokenTask(f"two files are the task {name}: {found[name]} and {path}")
            found[name] = path
    return found


def _added_roots() -> tuple[Path, ...]:
    return tuple(folder / "tasks" for folder in added_folders())


def find_published(name: str) -> PublishedProblem | None:
    """The published file that a task is made from; None for tasks of the catalogue."""
    plain = plain_name(without_seed(name))
    ours = plain in _files_in((ROOT, *_added_roots()))
    return None if ours or not problem_folders() else _find_imported_problems().get(plain)


def _find_imported_problems() -> dict[str, PublishedProblem]:
    folders = problem_folders()
    return _missing_from_catalog(folders, (ROOT, *_added_roots())) if folders else {}


@cache
def _missing_from_catalog(
    _folders: tuple[Path, ...], roots: tuple[Path, ...]
) -> dict[str, PublishedProblem]:
    """Published problems that the catalogue does not have; its own tasks judge better."""
    from kernelbenchx.catalog.facts import facts

    known = [facts(name).problem for name in _files_in(roots) if _is_in_a_level(name)]
    ours = {(one.level, one.number) for one in known if one is not None}
    found = published_problems().items()
    return {name: one for name, one in found if (one.level, one.number) not in ours}


def path_of(name: str) -> Path:
    """The file of a task given as `category/name`, in whatever precision."""
    if (published := find_published(name)) is not None:
        return published.path
    plain = plain_name(name)
    return _files_in((ROOT, *_added_roots())).get(plain, ROOT / f"{plain}.py")


def is_added(name: str) -> bool:
    """Whether the task lies outside the package."""
    return not path_of(name).is_relative_to(ROOT)


def witness_path(name: str) -> Path:
    """The file of its witness, which a problem need not have."""
    return path_of(name).parents[2] / "witnesses" / f"{plain_name(name)}.py"


def select(*patterns: str) -> tuple[str, ...]:
    """Tasks by bare name, `category/name` (ours or the published spelling) or glob, in order.

    Behind a colon stands a precision, which KernelBench problems alone have. A bare name that a
    problem shares with another task means the other one. A pattern that names nothing is an error,
    never an empty answer.
    """
    if not patterns:
        return names()
    chosen: dict[str, None] = {}
    for pattern in patterns:
        hits = _matching(pattern)
        if not hits:
            hint = PROBLEMS_HINT if read_problem_name(pattern) else _near(pattern)
            raise BadInput(f"no task matches {pattern!r}; `kbx tasks` lists them{hint}")
        chosen.update(dict.fromkeys(hits))
    return tuple(chosen)


def select_one(pattern: str) -> str:
    """The one task that a pattern names; none and several are errors."""
    chosen = select(pattern)
    if len(chosen) != 1:
        raise BadInput(f"{pattern!r} names {len(chosen)} tasks, expected one")
    return chosen[0]


def find(name: str) -> str | None:
    """The one task of that name, or None."""
    try:
        hits = _matching(name)
    except BadInput:
        return None
    return hits[0] if len(hits) == 1 else None


def without_seed(name: str) -> str:
    """A task's name without what says where weights come from."""
    return name.removesuffix(SEED_ALONE).removesuffix(BUILT_UNDER_SEED)


def _matching(pattern: str) -> list[str]:
    """Every task that the pattern names, with its precision."""
    stem, precision = split(pattern.removesuffix(".py")) if ":" in pattern else (pattern, PLAIN)
    hits = [name for name in names() if _matches(name, stem)]
    if "/" not in stem:
        hits = [name for name in hits if not _is_in_a_level(name)] or hits
    hits = hits or _named_as_published(stem)
    if precision == PLAIN:
        return hits
    for name in hits:
        _require_precisions(name)
    return [join_precision(name, precision) for name in hits]


def _named_as_published(stem: str) -> list[str]:
    """The problem of the catalogue that KernelBench calls `level1/19_ReLU`."""
    from kernelbenchx.catalog.kernelbench import find_problem, problem_files

    place = read_problem_name(stem)
    if place is None or f"{stem.partition('/')[2]}.py" not in problem_files(place[0]):
        return []
    ours = find_problem(*place)
    return [] if ours is None else [ours]


def _require_precisions(name: str) -> None:
    from kernelbenchx.catalog.facts import facts

    if facts(name).problem is None:
        raise BadInput(f"{name} has no precisions: only KernelBench problems have")


@cache
def load(name: str) -> "Task":
    """Import a task file; one that does not keep to the grammar is an error, never skipped."""
    from kernelbenchx.spec.problem import Problem
    from kernelbenchx.spec.task import Task

    if name != without_seed(name):
        return _with_seeded_weights(name)

    published = find_published(name)
    task = _load_published(published) if published else getattr(load_module(name), "TASK", None)
    if not isinstance(task, Task):
        raise BrokenTask(f"{path_of(name)}: TASK is a {type(task).__name__}, expected a Task")
    if ":" not in name:
        return task
    if not isinstance(task, Problem):
        raise BrokenTask(f"{name}: a task that is no KernelBench problem has no precisions")
    return task.at(split(name)[1])


def _load_published(found: PublishedProblem) -> "Task":
    from kernelbenchx.catalog.imported_tasks import load_imported

    return load_imported(found)


def _with_seeded_weights(name: str) -> "Task":
    seeded = getattr(load(without_seed(name)), "from_the_seed", None)
    if seeded is None:
        raise BrokenTask(f"{without_seed(name)}: its weights come from no seed")
    task: Task = seeded(alone=name.endswith(SEED_ALONE))
    return task


def load_module(name: str) -> ModuleType:
    """The module of a task file."""
    name = plain_name(name)
    try:
        if is_added(name):
            return _load_added(name)
        return importlib.import_module("kernelbenchx.tasks." + name.replace("/", "."))
    except Exception as error:
        raise BrokenTask(f"{path_of(name)}: {type(error).__name__}: {error}") from error


def _load_added(name: str) -> ModuleType:
    """A file that no package holds; `inspect` finds its source under the name it gets here."""
    module_name = "kernelbenchx_added_task_" + name.replace("/", "_")
    if module_name not in sys.modules:
        spec = importlib.util.spec_from_file_location(module_name, path_of(name))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[module_name]
            raise
    return sys.modules[module_name]


def _matches(name: str, pattern: str) -> bool:
    """Whether capitals are as they should be does not matter: no two names differ by them alone."""
    category, _, bare = name.partition("/")
    wanted = pattern.removesuffix(".py").lower()
    head, slash, tail = wanted.partition("/")
    if not slash:
        return _fits(bare.lower(), wanted)
    spellings = (category, PUBLISHED_CATEGORIES.get(category, category).lower())
    return _fits(bare.lower(), tail) and any(_fits(spelling, head) for spelling in spellings)


def _fits(word: str, pattern: str) -> bool:
    # A data set names hundreds of tasks, and nearly none of them by a pattern.
    if "*" in pattern or "?" in pattern or "[" in pattern:
        return fnmatch.fnmatchcase(word, pattern)
    return word == pattern


def _near(pattern: str) -> str:
    import difflib

    bare = {name.partition("/")[2].lower(): name.partition("/")[2] for name in names()}
    close = difflib.get_close_matches(pattern.rpartition("/")[2].lower(), bare, n=1)
    return f" (did you mean {bare[close[0]]}?)" if close else ""
