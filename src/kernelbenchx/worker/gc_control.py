"""The collector of garbage, at rest while modules are loaded: what they make is none."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_gc() -> Iterator[None]:
    """Do not look for garbage inside: it would be looked for again and again, and there is none."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def loading(name: str) -> Iterator[None]:
    """A large package is loaded inside, unless it is there; modules stay, so they are left alone.

    Otherwise the collector goes through all of them now and then, and once more when all is over.
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
