"""Lets wrappers written for CUDA run unmodified on memory of the host.

Inside `redirect_cuda()` every tensor claims to lie on `cuda:0`, everything that is asked to go
there stays where it is, and `torch.cuda` answers like a machine with one H100. With `tracked`,
tensors that a machine with a GPU would keep in host memory say so (`host_tensors.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device

from . import host_tensors
from .dispatch import find_body

__all__ = ["PROPERTIES", "redirect_cuda"]

_CUDA = torch.device("cuda", 0)
_CPU = torch.device("cpu")

PROPERTIES = {
    "name": "NVIDIA H100 80GB HBM3",
    "major": 9,
    "minor": 0,
    "total_memory": 85_017_493_504,
    "multi_processor_count": 132,
    "warp_size": 32,
    "is_integrated": 0,
    "is_multi_gpu_board": 0,
    "max_threads_per_block": 1024,
    "max_threads_per_multi_processor": 2048,
    "regs_per_multiprocessor": 65536,
    "shared_memory_per_block": 49152,
    "shared_memory_per_block_optin": 232448,
    "shared_memory_per_multiprocessor": 233472,
    "L2_cache_size": 52_428_800,
    "clock_rate": 1_980_000,
    "memory_clock_rate": 2_619_000,
    "memory_bus_width": 5120,
}
"""What `torch.cuda.get_device_properties(0)` says of an H100; bytes and kHz."""

_ATTRIBUTES: dict[Any, Any] = {
    torch.Tensor.is_cuda.__get__: True,  # type: ignore[attr-defined]
    torch.Tensor.is_cpu.__get__: False,  # type: ignore[attr-defined]
    torch.Tensor.device.__get__: _CUDA,
    torch.Tensor.get_device: 0,
}
"""What a tensor says about where it lies."""

_ON_HOST: dict[Any, Any] = {
    torch.Tensor.is_cuda.__get__: False,  # type: ignore[attr-defined]
    torch.Tensor.is_cpu.__get__: True,  # type: ignore[attr-defined]
    torch.Tensor.device.__get__: _CPU,
    torch.Tensor.get_device: -1,
}
"""The same for a tensor that is known to lie on the host."""

_SAME = frozenset({torch.Tensor.cuda, torch.Tensor.pin_memory})
"""Methods that move a tensor, and here leave it alone."""

_UNCHANGED = frozenset({torch.device, torch._C._nn._parse_to})
"""Functions with a device argument that touch no memory."""


def _host(value: Any) -> Any:
    """The host in place of a CUDA device, anything else unchanged."""
    if isinstance(value, torch.device):
        return _CPU if value.type == "cuda" else value
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return _CPU
    return value


class _Redirection(TorchFunctionMode):
    """Answers questions about devices, and keeps every tensor on the host."""

    def __init__(self, *, tracked: bool) -> None:
        super().__init__()
        self._tracked = tracked

    def __torch_function__(
        self, func: Any, _types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        named = dict(kwargs or {})
        if body := find_body(func):
            with self:
                return body(*args, **named)
        if func in _ATTRIBUTES:
            on_host = self._tracked and host_tensors.is_on_host(args[0])
            return _ON_HOST[func] if on_host else _ATTRIBUTES[func]
        if not self._tracked:
            return _redirect(func, args, named)
        if func is torch.Tensor.cpu and host_tensors.is_on_host(args[0]):
            return args[0]
        host_tensors.refuse_operator(func, args, named)
        return host_tensors.settle(func, args, named, _redirect(func, args, named))


def _redirect(func: Any, args: Any, given: dict[str, Any]) -> Any:
    """Call a function of torch with the host in place of a GPU."""
    named = dict(given)
    if func in _SAME:
        return args[0]
    if func is torch.device and len(args) == 1 and type(args[0]) is int:
        return func("cuda", args[0])
    if func in _UNCHANGED:
        return func(*args, **named)
    if func is torch.Tensor.cpu:
        # What comes back from a device is a copy.
        return args[0].clone()
    if named.get("device") is None and host_tensors.makes_tensors(func):
        # Torch's default device is put in behind this mode, where it would stay what it is.
        named["device"] = _device.CURRENT_DEVICE
    if "device" in named:
        # A bare number is a CUDA device as well.
        device = named["device"]
        named["device"] = _CPU if type(device) is int else _host(device)
    if named.get("pin_memory"):
        named["pin_memory"] = False
    if func is torch.Tensor.to and len(args) > 1 and type(args[1]) is int:
        args = (args[0], _CPU, *args[2:])
    return func(*map(_host, args), **named)


class _HostStream:
    """A stream on which everything has already happened."""

    cuda_stream = 0
    device = _CUDA
    device_index = 0

    def __init__(self, *_: Any, **_more: Any) -> None:
        pass

    def __enter__(self) -> _HostStream:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def synchronize(self) -> None:
        """Nothing is left to wait for."""

    def wait_stream(self, _stream: Any) -> None:
        """Nothing is left to wait for."""

    def wait_event(self, _event: Any) -> None:
        """Nothing is left to wait for."""

    def record_event(self, event: Any = None) -> Any:
        """Event of this moment."""
        event = event or _HostEvent()
        event.record()
        return event

    def query(self) -> bool:
        """Everything is done."""
        return True


class _HostEvent:
    """An event that knows when it was recorded."""

    def __init__(self, *_: Any, **_more: Any) -> None:
        self._at_s = time.perf_counter()

    def record(self, _stream: Any = None) -> None:
        """Remember this moment."""
        self._at_s = time.perf_counter()

    def elapsed_time(self, end: _HostEvent) -> float:
        """Milliseconds from this event to another."""
        return (end._at_s - self._at_s) * 1e3

    def synchronize(self) -> None:
        """Nothing is left to wait for."""

    def wait(self, _stream: Any = None) -> None:
        """Nothing is left to wait for."""

    def query(self) -> bool:
        """Everything is done."""
        return True


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *_args, **_kwargs: value


class _Nowhere(nullcontext[None]):
    """`with torch.cuda.device(...)`: there is no other device to change to."""

    def __init__(self, *_: Any) -> None:
        super().__init__()


class _CudaGenerator(torch._C.Generator):
    """Draws on the host and claims to be on the GPU: wrappers create tensors where it is."""

    device = _CUDA


def _generator(device: Any = "cpu") -> torch.Generator:
    if torch.device(device).type == "cuda":
        return _CudaGenerator(_CPU)
    return torch._C.Generator(torch.device(device))


def _replacements() -> dict[str, Any]:
    stream = _HostStream()
    done = _constant(None)
    return {
        "is_available": _constant(True),
        "is_initialized": _constant(True),
        "is_bf16_supported": _constant(True),
        "init": done,
        "_lazy_init": done,
        "device_count": _constant(1),
        "current_device": _constant(0),
        "set_device": done,
        "device": _Nowhere,
        "device_of": _Nowhere,
        "get_device_name": _constant(PROPERTIES["name"]),
        "get_device_capability": _constant((PROPERTIES["major"], PROPERTIES["minor"])),
        "get_device_properties": lambda *_: SimpleNamespace(**PROPERTIES),
        "get_arch_list": _constant(["sm_90"]),
        "synchronize": done,
        "empty_cache": done,
        "ipc_collect": done,
        "reset_peak_memory_stats": done,
        "memory_allocated": _constant(0),
        "memory_reserved": _constant(0),
        "max_memory_allocated": _constant(0),
        "mem_get_info": _constant((PROPERTIES["total_memory"], PROPERTIES["total_memory"])),
        "manual_seed": done,
        "manual_seed_all": done,
        "current_stream": _constant(stream),
        "default_stream": _constant(stream),
        "stream": _Nowhere,
        "set_stream": done,
        "Stream": _HostStream,
        "Event": _HostEvent,
    }


class _GeneratorType(type):
    """Keeps `isinstance(g, torch.Generator)` true for real generators."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, torch._C.Generator)

    def __call__(cls, device: Any = "cpu") -> torch.Generator:
        return _generator(device)


class _Generator(metaclass=_GeneratorType):
    """Makes generators of the host, whatever device they are asked for."""


@contextmanager
def redirect_cuda(*, tracked: bool = False) -> Iterator[None]:
    """Pretend that tensors of the host lie on a CUDA device.

    `tracked`: only those that would; operators refuse those that would lie on the host beside them.
    """
    with ExitStack() as stack:
        for name, value in _replacements().items():
            if hasattr(torch.cuda, name):
                stack.enter_context(mock.patch.object(torch.cuda, name, value))
        stack.enter_context(mock.patch.object(torch, "Generator", _Generator))
        stack.enter_context(mock.patch.object(torch.version, "cuda", "12.8"))
        stack.enter_context(_Redirection(tracked=tracked))
        yield
