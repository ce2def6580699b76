import pytest
import torch

from kernelbenchx.spec.inputs import Draw


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    one, same, other = (Draw.seeded(seed).normal((50,), torch.float32) for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_planted_values_are_there_whatever_the_draw() -> None:
    draw = Draw.seeded(3)
    tensor = draw.planted(draw.normal((4, 5), torch.float16), (float("inf"), -7.0))
    assert tensor.isinf().sum() == 1
    assert (tensor == -7).sum() == 1
    assert draw.planted(torch.zeros(1), (1.0, 2.0)).shape == (1,)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided", "offset"])
def test_a_layout_changes_memory_and_no_value(layout: str) -> None:
    draw = Draw.seeded(4)
    tensor = draw.normal((3, 4, 6), torch.float32)
    laid = draw.laid_out(tensor, layout)
    assert torch.equal(laid, tensor)
    assert laid.is_contiguous() == (layout in ("contiguous", "offset"))
    assert (laid.storage_offset() > 0) == (layout == "offset")


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="diagonal"):
        Draw.seeded(1).laid_out(torch.zeros(2, 2), "diagonal")


def test_ranges_are_kept() -> None:
    draw = Draw.seeded(5)
    assert draw.integers((100,), -3, 4).min() >= -3 and draw.integers((100,), -3, 4).max() < 4
    assert 0.2 < draw.booleans((1000,), 0.3).double().mean() < 0.4
    assert sorted(draw.permutation(5).tolist()) == [0, 1, 2, 3, 4]
    uniform = draw.uniform((1000,), torch.float64, -1.0, 3.0)
    assert uniform.min() >= -1 and uniform.max() < 3
