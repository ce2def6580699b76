"""Reserves processors for clocks and for timed processes: no other process runs there.

A process that waits awake for the end of a call takes half of a core from any other on it, and a
launch then takes half as long again. So some cores are kept for the clock, where there are many.
And cores differ: all timed calls run on the same core, one process after the other.
"""

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FEWEST, _PART, _EACH = 8, 8, 2
"""With so many processors an eighth is kept free: two cores for each clock and timed process."""
_THREADS = "/proc/{}/task"
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"

Siblings = Callable[[int], set[int]]


def siblings(processor: int) -> set[int]:
    """The processors that share a core with this one, and itself."""
    try:
        text = Path(_SIBLINGS.format(processor)).read_text(encoding="ascii").strip()
    except OSError:
        return {processor}
    found = {processor}
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def kept_free(allowed: Collection[int], share: Siblings = siblings) -> list[set[int]]:
    """The cores for clocks, each as its processors; none where there are few."""
    found: list[set[int]] = []
    if len(allowed) < _FEWEST:
        return found
    for processor in sorted(allowed, reverse=True):
        if len(found) >= _EACH and sum(map(len, found)) >= len(allowed) // _PART:
            break
        if not any(processor in core for core in found):
            found.append(share(processor) & set(allowed))
    return found


class _Own:
    """The processors that this process could use before it took a core for itself."""

    before: set[int] | None = None


def keep_away() -> None:
    """Leave the reserved cores alone; processes started from here on do so, too."""
    allowed = _Own.before or os.sched_getaffinity(0)
    _stay_on(allowed - set().union(*kept_free(allowed)))


def take(clock: int) -> None:
    """Run on one of the reserved cores, and nowhere else."""
    cores = _find_reserved()
    if cores:
        _Own.before = _Own.before or os.sched_getaffinity(0)
        _stay_on(cores[_EACH * clock % len(cores)])


def hold(process: int, clock: int) -> None:
    """Have all threads of a process run on the core beside a clock's, and nowhere else.

    A process that has ended is no error. Where pinning is not allowed, times vary more; nothing
    else is lost.
    """
    cores = _find_reserved()
    if not cores:
        return
    with suppress(OSError):
        for thread in Path(_THREADS.format(process)).iterdir():
            os.sched_setaffinity(int(thread.name), cores[(_EACH * clock + 1) % len(cores)])


def _find_reserved() -> list[set[int]]:
    return kept_free(_Own.before or os.sched_getaffinity(0))


@contextmanager
def away() -> Iterator[None]:
    """Start processes inside: otherwise they would run where only the clock may."""
    now = os.sched_getaffinity(0)
    keep_away()
    try:
        yield
    finally:
        _stay_on(now)


def _stay_on(processors: set[int]) -> None:
    if processors:
        os.sched_setaffinity(0, processors)
