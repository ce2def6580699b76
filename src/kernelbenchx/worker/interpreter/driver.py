"""A driver without a device for code that asks for one: it reports the facts of an H100."""

from __future__ import annotations

from typing import Any

import torch
from triton.backends.compiler import GPUTarget

__all__ = ["PROPERTIES", "Driver"]

PROPERTIES = {
    "max_shared_mem": 232448,
    "max_num_regs": 65536,
    "multiprocessor_count": 132,
    "warpSize": 32,
    "sm_clock_rate": 1980000,
    "mem_clock_rate": 2619000,
    "mem_bus_width": 5120,
}
"""What Triton's own driver reports of such a GPU; clocks in kHz, memory in bytes."""


class _Utilities:
    """The part of a driver that reports device properties."""

    def get_device_properties(self, _device: int = 0) -> dict[str, int]:
        """Facts of the one device there is."""
        return dict(PROPERTIES)


class Driver:
    """Answers queries; launches do not use it."""

    def __init__(self) -> None:
        self.utils = _Utilities()

    def get_current_target(self) -> Any:
        """Architecture a kernel would be compiled for."""
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self) -> int:
        """Number of the one device there is."""
        return 0

    def set_current_device(self, _device: int) -> None:
        """Do nothing: there is one device."""

    def get_current_stream(self, _device: int = 0) -> int:
        """Everything happens on the default stream."""
        return 0

    def get_active_torch_device(self) -> torch.device:
        """The GPU where wrappers see a simulated one, else the host."""
        with torch._C.DisableTorchFunction():
            unmarked = torch.empty(0)
        return unmarked.device

    def get_device_interface(self) -> Any:
        """Module with streams and events."""
        return torch.cuda

    def get_device_capability(self, _device: int = 0) -> tuple[int, int]:
        """Compute capability."""
        return (9, 0)

    def get_benchmarker(self) -> Any:
        """Function that times another one."""
        import triton.testing

        return triton.testing.do_bench

    def get_empty_cache_for_benchmark(self) -> torch.Tensor:
        """Buffer that a benchmark clears between runs; a small one will do."""
        return torch.empty(1, dtype=torch.int32)

    def clear_cache(self, cache: torch.Tensor) -> None:
        """Clear that buffer."""
        cache.zero_()

    def map_python_to_cpp_type(self, ty: str) -> str:
        """Never called by anything that runs here."""
        return ty
