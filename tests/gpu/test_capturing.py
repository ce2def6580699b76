"""On the card: a capture that fails leaves nothing behind for whoever is timed next."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.worker.timing.clocks import GpuClock, clock_of

pytestmark = pytest.mark.gpu


@pytest.fixture
def clock() -> GpuClock:
    found = clock_of(torch.device("cuda", 0))
    assert isinstance(found, GpuClock)
    return found


def _reads() -> float:
    """Waits for the host: no graph holds it."""
    return float(torch.ones(1000, device="cuda").sum().item())


def _draws_and_reads() -> float:
    return float(torch.rand(1000, device="cuda").sum().item())


def _raises() -> Any:
    torch.rand(1000, device="cuda")
    raise ValueError("not captured")


@pytest.mark.parametrize("call", [_reads, _draws_and_reads, _raises])
@pytest.mark.filterwarnings("error")
def test_random_numbers_can_be_drawn_after_a_capture_that_failed(
    clock: GpuClock, call: Callable[[], Any]
) -> None:
    def drawn() -> torch.Tensor:
        torch.cuda.default_generators[0].manual_seed(7)
        return torch.rand(1000, device="cuda")

    before = drawn()
    with pytest.raises((RuntimeError, ValueError)):
        clock.capture([call])
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    assert torch.equal(drawn(), before)
    assert torch.nn.functional.dropout(before, 0.5).count_nonzero() < 700


def test_after_a_capture_that_failed_another_one_holds(clock: GpuClock) -> None:
    with pytest.raises(RuntimeError):
        clock.capture([_reads])
    source = torch.ones(1000, device="cuda")
    captured = clock.capture([lambda: source * 2.0, lambda: torch.rand(1000, device="cuda")])
    source.fill_(3.0)
    assert clock.graph_us(captured) > 0.0
    doubled, random = captured.results
    assert doubled.eq(6.0).all() and 0.4 < random.mean() < 0.6
    first = random.clone()
    clock.graph_us(captured)
    assert not torch.equal(first, captured.results[1])


def test_after_a_capture_that_failed_memory_is_given_back(clock: GpuClock) -> None:
    def reads_much() -> float:
        return float(torch.ones(64 << 20, device="cuda").sum().item())

    with pytest.raises(RuntimeError):
        clock.capture([reads_much])
    held = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    most, size = torch.cuda.memory_reserved(), held.numel()
    del held
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() <= most - size
