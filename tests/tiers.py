"""Which parameters of a test are in the fast tier: a fixed few; all others are marked `slow`."""

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def mark_slow(
    every: Sequence[Hashable], *, fast: int | Collection[Hashable]
) -> "list[ParameterSet]":
    """Parameters, all but `fast` of them slow: so many, far from each other, or those named.

    A tuple is a parameter for several arguments.
    """
    kept = set(_spread(every, fast) if isinstance(fast, int) else fast)
    if unknown := kept - set(every):
        raise LookupError(f"no such parameter: {unknown}")
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else (one,)),
            marks=() if one in kept else pytest.mark.slow,
        )
        for one in every
    ]


def _spread(every: Sequence[Hashable], count: int) -> list[Hashable]:
    """Neighbours are alike and take equally long: the first, and others at equal distances."""
    count = min(count, len(every))
    return [every[step * len(every) // count] for step in range(count)]
