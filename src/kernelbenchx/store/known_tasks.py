"""What a run and the catalogue say of a task: category, difficulty, dtypes, certificate."""

from dataclasses import dataclass
from functools import cache

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import grade_of
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.grades import Grade


class _StoredStatement(msgspec.Struct, frozen=True):
    category: str
    dtypes: tuple[str, ...]
    difficulty: int = 0
    """0 in runs that did not keep it."""
    level: int = 0
    imported: bool = False
    unsound: str = ""
    """Of imported problems, whose folder need not be here any more."""


@dataclass(frozen=True)
class KnownTask:
    """Facts of one task."""

    category: str
    difficulty: int
    dtypes: tuple[str, ...]
    grade: Grade
    level: int = 0
    """Of a KernelBench problem; 0 for others."""


def known_task(name: str, stated: str | None) -> KnownTask:
    """As the run's own statement says, and for what no statement says, as the catalogue does."""
    difficulty, dtypes, grade, level = _read_catalogue(name)
    category = name.partition("/")[0]
    published = catalog.PUBLISHED_CATEGORIES.get(category, category)
    if stated is not None:
        said = msgspec.json.decode(stated, type=_StoredStatement)
        published, dtypes = said.category, said.dtypes
        difficulty = said.difficulty or difficulty
        if said.imported:
            grade = Grade.UNSOUND if said.unsound else Grade.IMPORTED
            level = said.level
    return KnownTask(published, difficulty, dtypes, grade, level)


@cache
def _read_catalogue(name: str) -> tuple[int, tuple[str, ...], Grade, int]:
    if not catalog.path_of(name).is_file():
        return 0, (), Grade.IMPORTED, 0
    try:
        known = facts(name)
    except BrokenTask:
        return 0, (), Grade.IMPORTED, 0
    level = known.problem.level if known.problem is not None else 0
    return known.difficulty, known.dtypes, grade_of(name), level
