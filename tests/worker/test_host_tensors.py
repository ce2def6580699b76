"""Which tensors a machine with a GPU would keep on the host, told where none has one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import pytest
import torch

from kernelbenchx.worker.devices import redirect_cuda
from kernelbenchx.worker.host_tensors import is_on_host, refuse_launch


@pytest.fixture(autouse=True)
def _tracked() -> Iterator[None]:
    with redirect_cuda(tracked=True):
        yield


def _gpu() -> torch.Tensor:
    return torch.ones(3, device="cuda")


ON_HOST: dict[str, Callable[[], torch.Tensor]] = {
    "made without a device": lambda: torch.empty(3),
    "made of a list": lambda: torch.tensor([1.0, 2.0]),
    "a number": lambda: torch.tensor(3.0),
    "drawn": lambda: torch.randn(3, generator=torch.Generator()),
    "made for the host": lambda: torch.zeros(3, device="cpu"),
    "like another on the host": lambda: torch.empty_like(torch.ones(3)),
    "like a tensor, for the host": lambda: torch.zeros_like(_gpu(), device="cpu"),
    "new of another on the host": lambda: torch.ones(3).new_zeros(2),
    "computed on the host": lambda: (torch.ones(3) + 1).softmax(0).half(),
    "one of several results": lambda: torch.ones(2, 3).max(0).indices,
    "a view": lambda: torch.ones(2, 3).t()[1:],
    "a parameter": lambda: torch.nn.Linear(3, 2).weight,
    "copied to the host": lambda: _gpu().cpu(),
    "sent to the host": lambda: _gpu().to("cpu"),
    "sent to the host, cast": lambda: _gpu().to(torch.device("cpu"), torch.float64),
    "sent where another is": lambda: _gpu().to(torch.ones(3)),
    "written from the GPU": lambda: torch.empty(3).copy_(_gpu()),
    "in a block for the host": lambda: _in_block("cpu"),
}
ON_GPU: dict[str, Callable[[], torch.Tensor]] = {
    "made for the GPU": lambda: torch.empty(3, device="cuda:0"),
    "made for a number": lambda: torch.empty(3, device=0),
    "made where another is": lambda: torch.tensor([1.0], device=_gpu().device),
    "like another": lambda: torch.empty_like(_gpu()),
    "like one of the host": lambda: torch.empty_like(torch.ones(3), device="cuda"),
    "new of another": lambda: _gpu().new_tensor([1.0]),
    "computed": lambda: (_gpu() + 1).sum(),
    "computed with a number of the host": lambda: _gpu() * torch.tensor(2.0),
    "chosen by indices of the host": lambda: _gpu()[torch.tensor([0, 2])],
    "moved": lambda: torch.ones(3).cuda(),
    "sent": lambda: torch.ones(3).to("cuda", non_blocking=True),
    "sent by keyword": lambda: torch.ones(3).to(device="cuda", dtype=torch.half),
    "sent by number": lambda: torch.ones(3).to(0),
    "made for the device of a number": lambda: torch.ones(3, device=torch.device(0)),
    "sent where another is": lambda: torch.ones(3).to(_gpu()),
    "of the type of another": lambda: torch.ones(3).type_as(_gpu()),
    "taken over": lambda: torch.as_tensor(torch.ones(3), device="cuda"),
    "sent there and back": lambda: _gpu().cpu().to("cuda"),
    "pinned": lambda: torch.ones(3).pin_memory(),
    "made pinned": lambda: torch.empty(3, pin_memory=True),
    "written from the host": lambda: _gpu().copy_(torch.ones(3)),
    "a parameter, moved": lambda: torch.nn.Linear(3, 2).to("cuda").weight,
    "a parameter, moved and cast": lambda: torch.nn.Linear(3, 2).half().cuda().weight,
    "a parameter of a copy": lambda: copy.deepcopy(torch.nn.Linear(3, 2).cuda()).weight,
    "a parameter made there": lambda: torch.nn.Linear(3, 2, device="cuda").weight,
    "in a block for the GPU": lambda: _in_block("cuda"),
    "where a generator is": lambda: torch.empty(3, device=torch.Generator("cuda").device),
    "of a type that another names": lambda: torch.ones(3).type(_gpu().type()),
    "by default": lambda: _by_default(),
    "data given anew": lambda: _with_data_of_the_gpu(),
}


def _in_block(device: str) -> torch.Tensor:
    with torch.device(device):
        return torch.ones(3)


def _by_default() -> torch.Tensor:
    torch.set_default_device("cuda")
    try:
        return torch.ones(3) + torch.tensor([1.0])
    finally:
        torch.set_default_device(None)


def _with_data_of_the_gpu() -> torch.Tensor:
    tensor = torch.ones(3)
    tensor.data = _gpu()
    return tensor


@pytest.mark.parametrize("how", ON_HOST)
def test_what_a_gpu_cannot_reach_says_so_and_is_refused(how: str) -> None:
    tensor = ON_HOST[how]()
    assert is_on_host(tensor)
    assert (tensor.device.type, tensor.is_cuda, tensor.is_cpu) == ("cpu", False, True)
    assert tensor.get_device() == -1
    with pytest.raises(ValueError, match=r"Pointer argument \(at 2\) cannot be accessed"):
        refuse_launch([_gpu(), 3, tensor])


@pytest.mark.parametrize("how", ON_GPU)
def test_what_a_gpu_can_reach_is_launched(how: str) -> None:
    tensor = ON_GPU[how]()
    assert not is_on_host(tensor)
    assert (str(tensor.device), tensor.is_cuda, tensor.is_cpu) == ("cuda:0", True, False)
    refuse_launch([tensor, 3, (tensor, None), "text"])


def test_a_copy_leaves_the_original_where_it_was() -> None:
    host, there = torch.ones(3), _gpu()
    moved, back = host.to("cuda"), there.to("cpu")
    moved.zero_()
    back.zero_()
    assert host.tolist() == there.tolist() == [1, 1, 1]
    assert is_on_host(host) and not is_on_host(there)
    assert host.cpu() is host and there.to("cuda").data_ptr() == there.data_ptr()


def test_memory_without_bytes_and_tuples_are_told_apart() -> None:
    refuse_launch([torch.empty(0)])
    with pytest.raises(ValueError, match="at 1"):
        refuse_launch([(_gpu(), torch.ones(1))])


@pytest.mark.parametrize(
    "mixed",
    [
        lambda gpu, host: gpu + host,
        lambda gpu, host: host * gpu,
        lambda gpu, host: gpu.sub_(host),
        lambda gpu, host: torch.cat([gpu, host]),
        lambda gpu, host: torch.nn.functional.linear(gpu, host),
        lambda gpu, host: gpu @ host,
    ],
)
def test_operators_take_tensors_of_one_device(
    mixed: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> None:
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        mixed(_gpu(), torch.ones(3))
    assert not is_on_host(mixed(_gpu(), _gpu()))
    assert is_on_host(mixed(torch.ones(3), torch.ones(3)))


def test_what_is_of_unknown_origin_is_never_refused() -> None:
    with torch._C.DisableTorchFunction():
        unknown = torch.ones(3)
    refuse_launch([unknown, unknown.to(torch.ones(3)).cuda(), torch.ones(3).to(unknown)])
    for other in (torch.ones(3), _gpu()):
        assert (unknown + other).tolist() == [2, 2, 2]
    assert unknown.cuda().data_ptr() == unknown.data_ptr()
    assert (unknown + torch.ones(3)).tolist() == [2, 2, 2]
