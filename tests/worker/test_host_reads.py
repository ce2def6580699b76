from collections.abc import Callable

import pytest
import torch

from kernelbenchx.judge.authorship import torch_compute
from kernelbenchx.worker.data_flow import READ, SMALL_BYTES, DataFlow
from kernelbenchx.worker.host_reads import HostReads
from kernelbenchx.worker.tracing import OperatorTrace, zero


@pytest.mark.parametrize("way", [torch.Tensor.tolist, torch.Tensor.numpy, repr, str, format])
def test_ways_that_the_dispatcher_does_not_see_are_counted(way: object) -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    way(x)  # type: ignore[operator]
    assert flow.operators == {}
    with HostReads(flow):
        way(x)  # type: ignore[operator]
    assert flow.operators == {READ: 4 * SMALL_BYTES}


@pytest.mark.parametrize(
    "way",
    [
        lambda n: torch.empty(60).tensor_split(n)[1].storage_offset(),
        lambda n: torch.tensor_split(torch.empty(60), tensor_indices_or_sections=n),
        lambda n: n.unique().numel(),
        lambda n: n.nonzero().shape,
        lambda n: torch.where(n),
        lambda n: n.bincount().numel(),
        lambda n: n.repeat_interleave(n).numel(),
        lambda n: n[n > 3].numel(),
        lambda n: torch.equal(n, n),
    ],
)
def test_what_shows_values_by_its_form_reads_them(way: Callable[[torch.Tensor], object]) -> None:
    flow, numbers = DataFlow(), torch.randint(0, 50, (SMALL_BYTES,))
    flow.begin({})
    with HostReads(flow), OperatorTrace(zero, flow):
        way(numbers)
    assert flow.operators[READ] >= SMALL_BYTES


def test_a_composite_operator_that_is_not_listed_computes() -> None:
    flow, x = DataFlow(), torch.randn(SMALL_BYTES)
    flow.begin({})
    with HostReads(flow), OperatorTrace(zero, flow) as trace:
        x.tensor_split(4), x.view_as(x), x.chunk(3), x.ravel(), x.is_complex()
    assert torch_compute({**trace.operators, **flow.operators}) == ()
    with HostReads(flow), OperatorTrace(zero, flow) as trace:
        torch.choose_qparams_optimized(x, x.numel(), 200, 0.16, 8)
    assert torch_compute(trace.operators) == ()
    assert torch_compute(flow.operators) == ("choose_qparams_optimized",)


def test_questions_read_nothing() -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    with HostReads(flow):
        assert (x.shape, x.dtype, x.data_ptr() != 0, len(x)) == ((1024,), torch.float32, True, 1024)
    assert flow.operators == {}


def test_beside_a_gpu_memory_of_the_host_was_counted_when_it_was_copied() -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    with HostReads(flow, on_gpu=True):
        x.tolist()
        repr(x)
    assert flow.operators == {}


@torch.library.custom_op("test_host_reads::total", mutates_args=())
def total(x: torch.Tensor) -> torch.Tensor:
    x.tolist()
    return x.sum()


def test_inside_an_operator_of_the_submission_everything_is_seen() -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin([x])
    with HostReads(flow), OperatorTrace(zero, flow) as trace:
        total(x)
    assert flow.operators == {READ: 4 * SMALL_BYTES}
    assert trace.operators == {"aten.sum.default": 1}
