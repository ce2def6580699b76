"""The place of each attempt in the site: its task's file, its chunk of records, its address."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, frame_of

MOST_IN_A_CHUNK = 96
"""A view loads one chunk: small enough to open at once, large enough to keep files few."""
SHORTEST_ADDRESS = 12


class SiteAttempt(Struct, frozen=True, gc=False):
    """An attempt, the chunk with its record, and its name in addresses."""

    attempt: Attempt
    chunk: int
    address: str


@dataclass(frozen=True)
class Site:
    """Every attempt in its place; numbers in the site are places in these tuples."""

    attempts: Sequence[Attempt]
    """As they were given."""
    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    by_task: dict[str, tuple[SiteAttempt, ...]]

    @cached_property
    def frame(self) -> AttemptFrame:
        """The frame of all attempts, with the rows that count."""
        return frame_of(self.attempts)

    @property
    def placed(self) -> Iterator[SiteAttempt]:
        """In the order of tasks and chunks."""
        for task in self.tasks:
            yield from self.by_task[task]

    def chunks(self) -> Iterator[tuple[int, list[SiteAttempt]]]:
        """Chunks in order, each of one task."""
        for task in self.tasks:
            found: dict[int, list[SiteAttempt]] = defaultdict(list)
            for one in self.by_task[task]:
                found[one.chunk].append(one)
            yield from sorted(found.items())


def place(attempts: Sequence[Attempt]) -> Site:
    """Rounds of one method stand together, so that comparing them loads one file."""
    tasks: dict[str, list[Attempt]] = defaultdict(list)
    for one in attempts:
        tasks[one.task].append(one)
    by_task: dict[str, tuple[SiteAttempt, ...]] = {}
    first = 0
    for task in sorted(tasks):
        found = sorted(tasks[task], key=_order)
        by_task[task] = tuple(
            SiteAttempt(one, first + at // MOST_IN_A_CHUNK, address)
            for at, (one, address) in enumerate(zip(found, _addresses(found), strict=True))
        )
        first = by_task[task][-1].chunk + 1
    methods = tuple(sorted({one.method for one in attempts}))
    return Site(attempts, methods, tuple(sorted(tasks)), by_task)


def _order(one: Attempt) -> tuple[str, int, str, int, str]:
    return one.method, one.sample, one.gpu, one.round, one.key


def _addresses(attempts: Sequence[Attempt]) -> Iterator[str]:
    """The shortest beginnings that tell the keys of one task apart; they outlive a new build.

    Two runs that were begun differently may have evaluated the same: those are numbered.
    """
    short = _shorten_keys([one.key for one in attempts])
    times: Counter[str] = Counter()
    for one in attempts:
        times[one.key] += 1
        again = f"-{times[one.key]}" if times[one.key] > 1 else ""
        yield short[one.key] + again


def _shorten_keys(keys: Sequence[str]) -> dict[str, str]:
    for length in range(SHORTEST_ADDRESS, max(map(len, keys), default=0)):
        short = {key: key[:length] for key in keys}
        if len(set(short.values())) == len(short):
            return short
    return {key: key for key in keys}
