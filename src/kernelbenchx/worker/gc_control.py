"""Pauses garbage collection while modules are loaded: loading leaves no garbage."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause collection inside, where it would run again and again and find nothing."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Pause collection while a large package is loaded, and exempt its modules afterwards.

    Otherwise the collector goes through all of them now and then, and once more at the end.
    """
    first = name not in sys.modules
    with pause_gc():
        yield
    if first:
        gc.freeze()


def settle_memory() -> None:
    """Keep the collector from touching, and thereby copying, every page that a child inherits."""
    gc.collect()
    gc.freeze()
