import torch

from kernelbenchx.spec.families.extremes import at_the_end, near_ties, neighbours, tied_zeros
from kernelbenchx.spec.inputs import Draw

SHAPE = (50, 7)


def _different(x: torch.Tensor) -> int:
    return len(set(x.flatten().tolist()))


def test_near_ties_are_ties_in_16_bits_only() -> None:
    x = near_ties(Draw.seeded(1), SHAPE, torch.float32)
    assert _different(x) > 100
    assert _different(x.bfloat16()) == 1


def test_zeros_of_both_signs_are_the_smallest() -> None:
    x = tied_zeros(0, 9)(Draw.seeded(1), SHAPE, torch.float32)
    zeros = x[x == 0]
    assert x.min() == 0
    assert 0 < zeros.signbit().sum() < zeros.numel()


def test_the_extreme_stands_last_and_nowhere_else() -> None:
    x = at_the_end(near_ties, -3.0)(Draw.seeded(1), SHAPE, torch.float32)
    assert x.argmin() == x.numel() - 1
    assert (x == -3.0).sum() == 1


def test_neighbours_are_alike_in_float() -> None:
    for dtype, narrow in ((torch.int32, torch.float32), (torch.int64, torch.float64)):
        for sign in (1, -1):
            x = neighbours(sign)(Draw.seeded(1), SHAPE, dtype)
            assert (x.sign() == sign).all()
            assert _different(x.to(narrow)) < _different(x)
