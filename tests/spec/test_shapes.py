import pytest
import torch

from kernelbenchx.spec.shapes import broadcast, reduced_count

SHAPES = ((), (1,), (3,), (4, 1), (1, 3), (4, 3), (2, 1, 3), (0,), (2, 4, 1), (0, 1))


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_as_torch_does_it(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    try:
        expected = tuple(torch.empty(first).add(torch.empty(second)).shape)
    except RuntimeError:
        with pytest.raises(ValueError, match="do not broadcast"):
            broadcast(first, second)
    else:
        assert broadcast(first, second) == expected


@pytest.mark.parametrize("dim", [None, (), 0, -1, (0, 2), (-1, 1), (0, 1, 2)])
def test_as_many_results_as_torch_gives(dim: int | tuple[int, ...] | None) -> None:
    for shape in ((2, 3, 5), (2, 1, 0)):
        assert reduced_count(shape, dim) == torch.sum(torch.empty(shape), dim).numel()


def test_a_number_alone_is_reduced_to_one() -> None:
    for dim in (None, (), 0, -1):
        assert reduced_count((), dim) == 1
