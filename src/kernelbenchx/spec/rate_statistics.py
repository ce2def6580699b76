"""Rates of coins: of a whole call, of its rows, columns, lanes and blocks, and of each position."""

import math
from collections.abc import Iterator, Sequence

import torch

from kernelbenchx.spec.correlation import LONGEST
from kernelbenchx.spec.tail_bounds import Family

WIDEST = 4096
"""The largest tile whose lanes, and whose blocks, may each have a rate of their own."""


def rate_statistics(
    drawn: Sequence[torch.Tensor], known: torch.Tensor, shape: Sequence[int], rate: float, what: str
) -> list[Family]:
    """Of each call, of all together, and of every part of all together; `drawn` are flat."""
    seen, counts = known.sum(), torch.stack([(one & known).sum() for one in drawn])
    whole = ((counts, seen.expand(counts.shape)), (counts.sum()[None], len(drawn) * seen[None]))
    off = f"the {what} is not the one asked for"
    tests = [_largest(hits, total, rate, off) for hits, total in whole]
    begun = known[:LONGEST]
    together = torch.stack([one[:LONGEST] & begun for one in drawn]).sum(0)
    for name, hits, total in _parts(together, begun * len(drawn), shape):
        tests.append(_largest(hits, total, rate, f"{name} has another {what}"))
    return tests


def _parts(
    together: torch.Tensor, trials: torch.Tensor, shape: Sequence[int]
) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """Sums over every part of a kind, with the name of one of them."""
    if not together.numel():
        return
    yield "a position", together, trials
    if len(shape) > 1 and math.prod(shape) == together.numel():
        for axis in range(len(shape)):
            others = [other for other in range(len(shape)) if other != axis]
            ones, all_of_them = (x.reshape(tuple(shape)).sum(others) for x in (together, trials))
            yield f"an index of dimension {axis}", ones, all_of_them
    width = min(WIDEST, 1 << (together.numel().bit_length() - 1))
    tiles = [_split_tiles(x, width) for x in (together, trials)]
    lanes, blocks = [x.sum(0) for x in tiles], [x.sum(1) for x in tiles]
    while width > 1:
        yield f"a lane of {width}", lanes[0], lanes[1]
        yield f"a block of {width}", blocks[0], blocks[1]
        width //= 2
        lanes = [x.view(2, width).sum(0) for x in lanes]
        blocks = [x.view(-1, width).sum(1) for x in tiles]


def _split_tiles(x: torch.Tensor, width: int) -> torch.Tensor:
    return torch.nn.functional.pad(x, (0, -x.numel() % width)).view(-1, width)


def _largest(hits: torch.Tensor, total: torch.Tensor, rate: float, detail: str) -> Family:
    """`hits` of `total` independent events of that probability, too many or too few.

    Chernoff's bound: either tail is at most exp(-total * divergence(hits / total, rate)).
    """
    count, seen = total.double(), hits.double()
    missed = count - seen
    surprise = torch.xlogy(seen, seen / (count * rate)) + torch.xlogy(
        missed, missed / (count * (1 - rate))
    )
    found, which = torch.where(count > 0, surprise, 0.0).max(0)
    return Family(found - math.log(2 * hits.numel()), which, lambda _: detail)
