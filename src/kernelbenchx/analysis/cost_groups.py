"""Tries at tasks by author and GPU: the groups of every table about cost."""

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
"""A sentence for every table about spending before an event."""

UNITS: dict[str, Callable[[RequestTotals], float | None]] = {
    "tokens": lambda taken: taken.tokens,
    "dollars": lambda taken: taken.cost,
}


@dataclass(frozen=True)
class Group:
    """The tries of one author on one GPU."""

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
        """Without tries that stopped on purpose before answers were judged."""
        return Group(self.card, self.name, tuple(one for one in self.tries if one.judged))


def groups_of(tries: Sequence[Try], names: Mapping[Author, str]) -> list[Group]:
    """By GPU and name; names are those of all other tables."""
    found: dict[tuple[str, str], list[Try]] = {}
    for one in tries:
        name = names.get(one.author) or " ".join(filter(None, one.author))
        found.setdefault((one.card, name), []).append(one)
    return [Group(*name, tuple(found[name])) for name in sorted(found)]
