"""Tries at tasks by who made them and where: what every table about cost is grouped by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelbenchx.analysis.frame import encode_labels
from kernelbenchx.analysis.intervals import Codes, Floats
from kernelbenchx.analysis.spending import Author, RequestTotals, Try
from kernelbenchx.analysis.table import Value, columns

WHO = columns(("gpu", "GPU"), ("method", "method"), ("tasks", "tasks", "count"))
UNTIL = (
    "Attempts are taken one after another, by round and sample, and each request counts with the "
    "attempt it was made for. "
)
"""What every table says that speaks of what was spent before something."""

UNITS: dict[str, Callable[[RequestTotals], float | None]] = {
    "tokens": lambda taken: taken.tokens,
    "dollars": lambda taken: taken.cost,
}


@dataclass(frozen=True)
class Group:
    """The tries of one author on one card."""

    card: str
    name: str
    tries: tuple[Try, ...]

    @cached_property
    def tasks(self) -> Codes:
        """The task of each try, as a number."""
        return encode_labels(one.task for one in self.tries).codes

    def amounts(
        self, of: Callable[[RequestTotals], float | None], *, until_solved: bool = False
    ) -> Floats:
        """Of each try; NaN where it is not known, or where nothing was solved."""
        found = (one.until_solved if until_solved else one.totals for one in self.tries)
        values = (None if taken is None else of(taken) for taken in found)
        return np.asarray([np.nan if value is None else value for value in values], float)

    @property
    def who(self) -> tuple[Value, ...]:
        """How a row begins."""
        return self.card, self.name, len({one.task for one in self.tries})

    def drop_unjudged(self) -> "Group":
        """Without what was stopped before answers on purpose."""
        return Group(self.card, self.name, tuple(one for one in self.tries if one.judged))


def groups_of(tries: Sequence[Try], names: Mapping[Author, str]) -> list[Group]:
    """By card and name; names are those of all other tables."""
    found: dict[tuple[str, str], list[Try]] = {}
    for one in tries:
        name = names.get(one.author) or " ".join(filter(None, one.author))
        found.setdefault((one.card, name), []).append(one)
    return [Group(*name, tuple(found[name])) for name in sorted(found)]
