"""Wrappers written for CUDA run on the host inside `redirected()`, and only there."""

from __future__ import annotations

import pytest
import torch

from kernelbenchx.worker.devices import redirect_cuda


def _memory_is_of_the_host(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cpu"


def test_a_tensor_says_it_lies_on_cuda_inside_and_on_the_host_outside() -> None:
    x = torch.ones(3)
    with redirect_cuda():
        assert x.is_cuda
        assert not x.is_cpu
        assert str(x.device) == "cuda:0"
        assert x.device.type == "cuda"
        assert x.device == torch.device("cuda", 0)
        assert x.get_device() == 0
    assert not x.is_cuda
    assert x.is_cpu
    assert x.device == torch.device("cpu")
    assert x.get_device() == -1


@pytest.mark.parametrize("device", ["cuda", "cuda:0", torch.device("cuda"), 0])
def test_tensors_made_for_cuda_lie_on_the_host(device: object) -> None:
    with redirect_cuda():
        made = [
            torch.empty(3, device=device),  # type: ignore[call-overload]
            torch.zeros((2, 2), device=device, dtype=torch.float16),  # type: ignore[call-overload]
            torch.tensor([1.0], device=device),  # type: ignore[arg-type]
            torch.arange(4, device=device),  # type: ignore[call-overload]
            torch.empty_like(torch.ones(2), device=device),  # type: ignore[arg-type]
            torch.ones(2).to(device),  # type: ignore[call-overload]
            torch.ones(2).new_zeros(3, device=device),  # type: ignore[call-overload]
        ]
    assert all(_memory_is_of_the_host(tensor) for tensor in made)


def test_without_redirection_cuda_is_refused() -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has the device")
    with pytest.raises((AssertionError, RuntimeError)):
        torch.empty(3, device="cuda")


def test_the_device_of_a_tensor_can_be_passed_on() -> None:
    with redirect_cuda():
        x = torch.ones(3)
        y = torch.empty(5, device=x.device, dtype=x.dtype)
        z = x.to(y.device, torch.float64)
        moved = x.cuda().cuda(0).to("cuda", non_blocking=True)
    assert _memory_is_of_the_host(y)
    assert z.dtype == torch.float64
    assert moved.data_ptr() == x.data_ptr()


def test_a_branch_on_is_cuda_takes_the_kernel() -> None:
    def wrapper(x: torch.Tensor) -> str:
        return "kernel" if x.is_cuda else "fallback"

    with redirect_cuda():
        assert wrapper(torch.ones(1)) == "kernel"
    assert wrapper(torch.ones(1)) == "fallback"


def test_cuda_answers_like_one_h100() -> None:
    with redirect_cuda():
        assert torch.cuda.is_available()
        assert torch.cuda.device_count() == 1
        assert torch.cuda.current_device() == 0
        assert torch.cuda.get_device_properties(0).multi_processor_count == 132
        assert torch.cuda.get_device_capability() == (9, 0)
        properties = torch.cuda.get_device_properties("cuda")
        assert getattr(properties, "shared_memory_per_block_optin", None) == 232448
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        with torch.cuda.device(0), torch.cuda.device(torch.ones(1).device):
            pass
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        with torch.cuda.stream(stream):
            assert torch.cuda.current_stream().cuda_stream == 0


def test_cuda_is_as_before_afterwards() -> None:
    before = (torch.cuda.is_available(), torch.cuda.device, torch.Generator, torch.version.cuda)
    with pytest.raises(KeyError), redirect_cuda():
        raise KeyError
    after = (torch.cuda.is_available(), torch.cuda.device, torch.Generator, torch.version.cuda)
    assert after == before


def test_events_measure_time() -> None:
    with redirect_cuda():
        start = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        end = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        start.record()
        end.record()
        torch.cuda.synchronize()
        assert start.elapsed_time(end) >= 0


def test_a_generator_for_cuda_draws_on_the_host() -> None:
    with redirect_cuda():
        generator = torch.Generator(device="cuda")
        generator.manual_seed(3)
        assert isinstance(generator, torch.Generator)
        assert generator.manual_seed(3) is generator and generator.device.type == "cuda"
        assert torch.Generator().device == torch.Generator("cpu").device == torch.device("cpu")
        drawn = torch.rand(4, device="cuda", generator=generator)
    expected = torch.rand(4, generator=torch.Generator().manual_seed(3))
    assert torch.equal(drawn, expected)
    assert not isinstance(object(), torch.Generator)


def test_a_module_can_be_moved() -> None:
    with redirect_cuda():
        layer = torch.nn.Linear(4, 2, device="cuda").to("cuda").cuda()
        result = layer(torch.ones(3, 4, device="cuda"))
        assert layer.weight.is_cuda
        assert result.is_cuda
    assert _memory_is_of_the_host(result)


def test_arithmetic_is_not_disturbed() -> None:
    with redirect_cuda():
        x = torch.arange(4.0, device="cuda")
        assert torch.equal(torch.softmax(x, 0), x.softmax(0))
        assert x.sum().item() == 6
        assert x.cpu().numpy().tolist() == [0, 1, 2, 3]


def test_a_copy_on_the_host_is_a_copy() -> None:
    with redirect_cuda():
        x = torch.ones(2, device="cuda")
        x.cpu().zero_()
        x.cuda().mul_(3)
    assert x.tolist() == [3, 3]
