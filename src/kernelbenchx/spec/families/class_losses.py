"""Losses of class indices: which positions count, and what goes wrong with them."""

from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.families.loss import IGNORED, split_shape
from kernelbenchx.spec.mutants import Mutant

Function = Callable[..., torch.Tensor]


def spared_share(classes: int, ignore: int = -100, ignored: float = IGNORED, **_: object) -> float:
    """The share of positions whose input is not needed; some have the ignored class by chance.

    Takes what a case of `loss` is drawn with.
    """
    return ignored + (1 - ignored) / classes if 0 <= ignore < classes else ignored


def shares(target: torch.Tensor, weight: torch.Tensor | None, ignore_index: int) -> torch.Tensor:
    """What a mean divides by, a part for each position."""
    kept = target != ignore_index
    return kept.double() if weight is None else weight[torch.where(kept, target, 0)] * kept


def mean_over_positions(function: Function, *covers: str) -> Mutant:
    """A mean divides by the number of positions, whatever they weigh."""

    def answer(
        input: torch.Tensor, target: torch.Tensor, *, reduction: str = "mean", **words: Any
    ) -> torch.Tensor:
        if reduction != "mean":
            return function(input, target, reduction=reduction, **words)
        return function(input, target, reduction="sum", **words) / max(target.numel(), 1)

    return Mutant("mean over all positions", answer, covers)


def classes_last(function: Function, *covers: str) -> Mutant:
    """Reads as if the classes were the last dimension."""

    def answer(input: torch.Tensor, target: torch.Tensor, **words: Any) -> torch.Tensor:
        rows = input.reshape(-1, split_shape(tuple(input.shape))[0])
        found = function(rows, target.flatten(), **words)
        return found.reshape(target.shape) if found.dim() else found

    return Mutant("classes in the last dimension", answer, covers)


def first_positions(function: Function, *covers: str, most: int = 1024) -> Mutant:
    """One block of positions; those beyond count as ignored."""

    def answer(
        input: torch.Tensor, target: torch.Tensor, *, ignore_index: int = -100, **words: Any
    ) -> torch.Tensor:
        seen = target.flatten().clone()
        seen[most:] = ignore_index
        return function(input, seen.reshape(target.shape), ignore_index=ignore_index, **words)

    return Mutant(f"only the first {most} positions", answer, covers)
