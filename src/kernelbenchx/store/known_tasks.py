"""What a run and the catalogue say of a task: category, difficulty, dtypes, certificate."""

from dataclasses import dataclass
from functools import cache

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BrokenTask


class _Stated(msgspec.Struct, frozen=True):
    category: str
    dtypes: tuple[str, ...]
    difficulty: int = 0
    """0 in runs that did not keep it."""


@dataclass(frozen=True)
class KnownTask:
    """Facts of one task."""

    category: str
    difficulty: int
    dtypes: tuple[str, ...]
    certified: bool


def known_task(name: str, stated: str | None) -> KnownTask:
    """As the run's own statement says, and for what no statement says, as the catalogue does."""
    difficulty, dtypes, certified = _catalogued(name)
    category = name.partition("/")[0]
    published = catalog.PUBLISHED_CATEGORIES.get(category, category)
    if stated is not None:
        said = msgspec.json.decode(stated, type=_Stated)
        published, dtypes = said.category, said.dtypes
        difficulty = said.difficulty or difficulty
    return KnownTask(published, difficulty, dtypes, certified)


@cache
def _catalogued(name: str) -> tuple[int, tuple[str, ...], bool]:
    if not catalog.path_of(name).is_file():
        return 0, (), False
    try:
        known = facts(name)
    except BrokenTask:
        return 0, (), False
    return known.difficulty, known.dtypes, standing(name)
