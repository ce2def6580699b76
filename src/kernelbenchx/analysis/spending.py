"""Tokens, money and attempts that a task took, in all and until it was solved.

Methods work at several things at once, so what had been spent by the clock when a task was solved
depends on who was first. Here attempts are taken one after another, by round and sample, and each
request counts with the attempt it was made for: the same in every repetition of a run.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.frame import gpu_of
from kernelbenchx.analysis.model_request import ModelRequest
from kernelbenchx.core.solved import is_solved

Author = tuple[str, str]
"""Method and model."""


@dataclass(frozen=True)
class Spending:
    """A run in which a model was asked."""

    run: str
    attempts: Sequence[Attempt]
    asked: Sequence[ModelRequest]
    """By task, in the order of time."""
    lost: int = 0
    """Tokens, at most, of requests that were under way when the run was killed."""


@dataclass(frozen=True)
class RequestTotals:
    """Of some requests together."""

    requests: int
    tokens: int
    cost: float | None
    """In dollars; nothing where the price of any of them is not known."""


@dataclass(frozen=True)
class Try:
    """All that one run did for one task."""

    run: str
    card: str
    author: Author
    task: str
    attempts: tuple[Attempt, ...]
    """Those that count, by round and sample."""
    asked: tuple[ModelRequest, ...]
    places: tuple[int, ...]
    """For each request, which attempt it was made for; behind the last where it was for none."""

    @cached_property
    def first(self) -> int | None:
        """Which attempt is the first correct one."""
        return next((at for at, one in enumerate(self.attempts) if one.correct), None)

    @property
    def solved(self) -> bool:
        """Whether any is."""
        return is_solved(self.attempts)

    @property
    def only_mixed(self) -> bool:
        """Whether it is solved, and torch does part of the work in every correct kernel."""
        right = [one for one in self.attempts if one.correct]
        return bool(right) and all(one.composition == "mixed" for one in right)

    @property
    def judged(self) -> bool:
        """Whether answers were judged; an evaluation may stop earlier on purpose."""
        return not any(one.outcome == "reached" for one in self.attempts)

    @cached_property
    def totals(self) -> RequestTotals:
        """In all."""
        return _total_requests(self.asked)

    @cached_property
    def until_solved(self) -> RequestTotals | None:
        """With the first correct attempt and all before it."""
        if self.first is None:
            return None
        placed = zip(self.asked, self.places, strict=True)
        return _total_requests([one for one, place in placed if place <= self.first])


def tries_of(spending: Spending) -> Iterator[Try]:
    """Every task of every author with a model request, on every GPU where it was judged."""
    asked: defaultdict[tuple[str, Author], list[ModelRequest]] = defaultdict(list)
    for one in spending.asked:
        asked[one.task, (one.method, one.model)].append(one)
    judged: defaultdict[tuple[str, Author], defaultdict[str, list[Attempt]]]
    judged = defaultdict(lambda: defaultdict(list))
    cards: defaultdict[Author, set[str]] = defaultdict(set)
    for attempt in spending.attempts:
        author = attempt.method, attempt.model
        cards[author].add(gpu_of(attempt))
        if attempt.counts:
            judged[attempt.task, author][gpu_of(attempt)].append(attempt)
    for (task, author), requests in sorted(asked.items()):
        for card in sorted(cards[author] or {NOT_SAID}):
            found = sorted(judged[task, author][card], key=_order)
            places = _places([one.step for one in found], [one.step for one in requests])
            yield Try(spending.run, card, author, task, tuple(found), tuple(requests), places)


def _order(one: Attempt) -> tuple[int, int, str, str]:
    return one.round, one.sample, one.step, one.key


def _places(attempts: Sequence[str], requests: Sequence[str]) -> tuple[int, ...]:
    """A step is a path: a request belongs to the attempt at its path or on the way to it.

    One that belongs to several, such as a reflection on a round, counts with the first of them. One
    that belongs to none counts with the first that any later request belongs to.
    """
    first: dict[tuple[str, ...], int] = {}
    for at, step in enumerate(attempts):
        parts = tuple(step.split("/"))
        for length in range(1, len(parts) + 1):
            first.setdefault(parts[:length], at)
    found: list[int] = []
    earliest = len(attempts)
    for step in reversed(requests):
        place = _place(tuple(step.split("/")), first)
        found.append(earliest if place is None else place)
        earliest = min(earliest, found[-1])
    return tuple(reversed(found))


def _place(parts: tuple[str, ...], first: dict[tuple[str, ...], int]) -> int | None:
    for length in range(len(parts), 0, -1):
        if parts[:length] in first:
            return first[parts[:length]]
    return None


def _total_requests(asked: Sequence[ModelRequest]) -> RequestTotals:
    costs = [one.cost for one in asked if one.cost is not None]
    return RequestTotals(
        requests=len(asked),
        tokens=sum(one.tokens for one in asked),
        cost=sum(costs) if len(costs) == len(asked) else None,
    )
