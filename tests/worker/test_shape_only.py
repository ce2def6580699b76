"""Large tensors keep their form and are never touched; small ones have values."""

import resource
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from kernelbenchx.worker.shape_only import LARGE, ShapeOnlyMode, zeros

SIDE = 1024
MANY = 1 << 28


def _large(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    shape = shape or (SIDE, SIDE)
    size = torch.empty(shape, device="meta").numel() * dtype.itemsize
    assert size > LARGE
    return zeros(size).view(dtype).view(shape)


@pytest.fixture
def skipping() -> Iterator[ShapeOnlyMode]:
    with ShapeOnlyMode() as mode:
        yield mode


OPERATORS: list[Callable[[torch.Tensor], Any]] = [
    lambda x: x + 1,
    lambda x: x @ x.t(),
    lambda x: x.t().contiguous(),
    lambda x: x.to(torch.float16),
    lambda x: x.sum(dim=1),
    lambda x: torch.softmax(x, -1),
    lambda x: torch.sort(x, dim=0),
    lambda x: torch.cat([x, x]),
    lambda x: torch.where(x > 0, x, 2.0),
    lambda x: torch.nn.functional.layer_norm(x, (SIDE,)),
    lambda x: torch.nn.functional.linear(x, x, x[0]),
    lambda x: torch.zeros_like(x, dtype=torch.int64),
    lambda x: x.new_ones(SIDE, SIDE),
    lambda x: torch.full((SIDE, SIDE), 3, device=x.device),
    lambda x: x[:, ::2].reshape(-1),
    lambda x: x.max(dim=0).values,
]


@pytest.mark.parametrize("operator", OPERATORS)
def test_forms_are_those_of_real_results(operator: Callable[[torch.Tensor], Any]) -> None:
    x = _large()
    with ShapeOnlyMode():
        told = operator(x)
    for mine, real in zip(_leaves(told), _leaves(operator(x)), strict=True):
        assert (mine.shape, mine.stride(), mine.dtype) == (real.shape, real.stride(), real.dtype)
        assert mine.device == real.device and mine.data_ptr() % 16 == 0


def _leaves(value: Any) -> list[torch.Tensor]:
    return [value] if isinstance(value, torch.Tensor) else list(value)


@pytest.mark.usefixtures("skipping")
def test_memory_that_would_not_be_there_is_not_needed() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    x = _large(MANY)
    y = (x * 2).to(torch.float64).sort().values
    y.mul_(2).copy_(x)
    torch.zeros(MANY, device="cpu").add_(y)
    torch._foreach_add_([x, y], 1.0)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert y.shape == (MANY,) and grown < 200 << 10  # KiB


@pytest.mark.usefixtures("skipping")
def test_what_is_written_is_the_same_tensor_and_small_ones_have_values() -> None:
    x, out = _large(), _large()
    assert x.add_(1) is x and torch.mul(x, 2, out=out) is out
    small = torch.arange(5, device="cpu").cumsum(0)
    assert small.tolist() == [0, 1, 3, 6, 10]
    assert torch.ones(3, device="cpu").mul_(2).tolist() == [2.0] * 3


@pytest.mark.usefixtures("skipping")
def test_what_depends_on_values_is_computed() -> None:
    x = _large()
    assert x.nonzero().shape == (0, 2)
    assert int(x.sum()) == 0 and x[x > 0].numel() == 0


@pytest.mark.usefixtures("skipping")
def test_a_view_is_one_and_a_changed_description_counts() -> None:
    x = _large()
    assert x[1:].data_ptr() == x.data_ptr() + SIDE * 4
    assert x.unsqueeze_(0).shape == (1, SIDE, SIDE)
    assert x.view(torch.int32).dtype is torch.int32


def test_outside_everything_is_computed() -> None:
    x = _large().add_(1)
    assert float(x.sum()) == SIDE * SIDE
    with ShapeOnlyMode():
        assert float((x + 1)[0, 0]) == 0.0
    assert float((x + 1)[0, 0]) == 2.0


def test_memory_that_no_kernel_has_written_holds_zeros() -> None:
    """A length that is read from it is one that memory can be taken for."""
    with ShapeOnlyMode():
        for _ in range(50):
            torch.full((100,), 1 << 60)  # what the next allocation may find
            counts = torch.empty((100,), dtype=torch.int64)
            assert counts[99].item() == 0
            assert torch.empty((int(counts.new_empty(3)[1].item()),)).numel() == 0
