"""Numbers that were drawn at random and come again in another call: they were kept, not drawn.

Each output for itself keeps the law. So outputs of one process are compared with each other: masks
as they are, and numbers wherever in another output they lie.
"""

from collections.abc import Sequence
from itertools import combinations

import torch

SAMPLES, MOST = 256, 8
"""Words of each output that are looked for in all others, and how many may be there by chance: of
two float32, one word in a million is."""
_FEWEST = 64
"""Elements of either kind, or a mask says nothing."""
_WORD = 8


def numbers_come_again(outputs: Sequence[torch.Tensor]) -> bool:
    """Whether a stretch of one of them lies anywhere in another."""
    samples = [_sample(one) for one in outputs]
    for at, output in enumerate(outputs):
        others = [one for number, one in enumerate(samples) if number != at]
        if others and max(_found(output, others)) > MOST:
            return True
    return False


def masks_come_again(outputs: Sequence[torch.Tensor]) -> bool:
    """Whether two of them are zero in the same places far more often than by chance.

    Not always: what is kept may be zero by itself.
    """
    masks = [(one != 0).flatten() for one in outputs if _says_something(one)]
    return any(one.shape == two.shape and _alike(one, two) for one, two in combinations(masks, 2))


def _alike(one: torch.Tensor, two: torch.Tensor) -> bool:
    first, second = (float(mask.double().mean()) for mask in (one, two))
    by_chance = first * (1.0 - second) + second * (1.0 - first)
    return float((one != two).double().mean()) < by_chance / 2.0


def _says_something(output: torch.Tensor) -> bool:
    zeros = output.numel() - int(output.count_nonzero())
    return min(zeros, output.numel() - zeros) >= _FEWEST


def _words(output: torch.Tensor, shift: int) -> torch.Tensor:
    """All elements from one on, as many together as make a word."""
    flat = output.reshape(-1)[shift:]
    together = _WORD // output.dtype.itemsize
    return flat[: flat.numel() // together * together].clone().view(torch.int64)


def _sample(output: torch.Tensor) -> torch.Tensor:
    words = _words(output, 0)
    if words.numel() <= SAMPLES:
        return words
    return words[torch.randint(words.numel(), (SAMPLES,), device=words.device)]


def _found(output: torch.Tensor, others: Sequence[torch.Tensor]) -> list[int]:
    """Of each sample, how many words lie in an output, counted once for each place there."""
    wanted, order = torch.cat(list(others)).sort()
    owners = torch.repeat_interleave(
        torch.arange(len(others), device=order.device),
        torch.tensor([one.numel() for one in others], device=order.device),
    )[order]
    counts = torch.zeros(len(others), dtype=torch.int64, device=order.device)
    for shift in range(_WORD // output.dtype.itemsize if wanted.numel() else 0):
        words = _words(output, shift)
        places = torch.bucketize(words, wanted).clamp_(max=wanted.numel() - 1)
        hits = places[wanted[places] == words]
        counts += owners[hits].bincount(minlength=len(others))
    return [int(one) for one in counts]
