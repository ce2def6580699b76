"""Tensors in which a search for the smallest or the largest element goes wrong easily."""

import torch

from kernelbenchx.spec.families.axes import Drawn
from kernelbenchx.spec.inputs import Draw

Shape = tuple[int, ...]


def near_ties(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """Numbers of float32 that 16 bits cannot tell apart; in 16 bits they are ties."""
    return draw.uniform(shape, dtype, 1.0, 1.0001)


def tied_zeros(low: int, high: int) -> Drawn:
    """Whole numbers in [low, high), of which zeros of both signs are the extreme."""

    def drawn(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        return draw.planted(draw.integers(shape, low, high).to(dtype), (-0.0,) * 40)

    return drawn


def at_the_end(others: Drawn, extreme: float) -> Drawn:
    """The last element is the extreme."""

    def drawn(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        x = others(draw, shape, dtype)
        x.view(-1)[-1:] = extreme
        return x

    return drawn


def neighbours(sign: int) -> Drawn:
    """Integers of one sign that float32 (and for int64 float64) cannot tell apart."""

    def drawn(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
        base = 2**30 if dtype == torch.int32 else 2**60
        low = base - 500 if sign > 0 else -base
        return draw.integers(shape, low, low + 500, dtype)

    return drawn
