"""A Triton driver without a GPU: answers for the GPU, loads nothing, launches nothing."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.runtime import _allocation

from ..gpu_autotune import run_once
from ..targets import Target
from .compilation_record import Compilation

_EVENT_MS = 1000.0
"""Time between two events: long, so that a benchmark that repeats by time repeats once."""


class CompileOnlyDriver(DriverBase):  # type: ignore[misc]
    """Replaces Triton's GPU driver; keeps the compilation that it serves."""

    def __init__(self, target: Target, compilation: Compilation) -> None:
        super().__init__()
        self.target = target
        self.compilation = compilation
        self.utils = TargetUtilities(target, compilation)
        self.launcher_cls = self._launcher

    def _launcher(self, source: Any, metadata: Any) -> "Launcher":
        return Launcher(source, metadata, self)

    @classmethod
    def is_active(cls) -> bool:
        return False

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_current_target(self) -> GPUTarget:
        return GPUTarget(self.target.backend, self.target.arch, self.target.warp_size)

    def get_device_capability(self, device: object = None) -> tuple[int, int]:
        del device
        return self.target.capability

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: object) -> None:
        del device

    def get_current_stream(self, device: object = None) -> int:
        del device
        return 0

    def get_active_torch_device(self) -> torch.device:
        return torch.device("cuda", 0)

    def get_device_interface(self) -> type["DeviceInterface"]:
        return DeviceInterface

    def get_benchmarker(self) -> Callable[..., Any]:
        return run_once

    def get_empty_cache_for_benchmark(self) -> torch.Tensor:
        return torch.zeros(1, dtype=torch.int32, device="cpu")

    def clear_cache(self, cache: torch.Tensor) -> None:
        cache.zero_()

    def assemble_tensormap_to_arg(self, tensormaps_info: object, args: Any) -> Any:
        del tensormaps_info
        return args


class TargetUtilities:
    """What `driver.active.utils` offers: the GPU's facts, and loading a binary."""

    def __init__(self, target: Target, compilation: Compilation) -> None:
        self._target = target
        self._compilation = compilation

    def get_device_properties(self, device: object = None) -> dict[str, Any]:
        del device
        target = self._target
        facts: dict[str, Any] = {
            "max_shared_mem": target.max_shared_bytes,
            "max_num_regs": target.max_registers,
            "multiprocessor_count": target.multiprocessors,
            "warpSize": target.warp_size,
            "sm_clock_rate": target.core_clock_khz,
            "mem_clock_rate": target.memory_clock_khz,
            "mem_bus_width": target.memory_bus_bits,
        }
        if target.backend == "hip":
            facts |= {"arch": target.arch, "cooperativeLaunch": 1}
        return facts

    def load_binary(
        self, name: str, binary: bytes, shared_bytes: int, device: object
    ) -> tuple[int, int, int, int, int]:
        """Handles, registers, spills and threads per block, in the order that Triton expects."""
        del name, shared_bytes, device
        needs = self._compilation.resources(binary)
        threads = self._target.threads_with(needs.registers)
        return 1, 1, needs.registers, needs.spills, threads

    def unload_module(self, module: object) -> None:
        del module

    def set_printf_fifo_size(self, size: int) -> None:
        del size

    def cuOccupancyMaxActiveClusters(self, *launch: object) -> int:  # noqa: N802 - Triton's name
        del launch
        return self._target.multiprocessors


class Launcher:
    """Accepts a kernel's launches and executes none of them."""

    def __init__(self, source: Any, metadata: Any, driver: CompileOnlyDriver) -> None:
        self._name: str = source.fn.__name__ if hasattr(source, "fn") else source.name
        self._metadata = metadata
        self._driver = driver

    def __call__(self, x: int, y: int, z: int, stream: int, *rest: Any) -> None:
        """Check what the GPU checks, then note the launch.

        Triton passes the function, two kinds of metadata and two hooks before the arguments.
        """
        grid = (int(x), int(y), int(z))
        self._driver.compilation.launch(self._name, self._metadata.hash, grid)
        # On a GPU a grid with nothing in it is skipped, whatever its other sides are.
        if min(grid) <= 0:
            return
        if any(
            side > limit for side, limit in zip(grid, self._driver.target.max_grid, strict=True)
        ):
            raise RuntimeError(
                f"Triton Error [{self._driver.target.backend.upper()}]: invalid argument "
                f"(grid {grid} exceeds {self._driver.target.max_grid})"
            )
        self._allocate_scratch(grid, stream)
        self._call_hooks(rest)

    def _allocate_scratch(self, grid: tuple[int, int, int], stream: int) -> None:
        """Call the submission's allocator for the workspace, as on a GPU: it may not have one."""
        size = getattr(self._metadata, "global_scratch_size", 0) or 0
        if size:
            blocks = grid[0] * grid[1] * grid[2] * getattr(self._metadata, "num_ctas", 1)
            align = self._metadata.global_scratch_align
            _allocation._allocator.get()(blocks * size, align, stream)

    @staticmethod
    def _call_hooks(rest: Sequence[Any]) -> None:
        _, _, launch_metadata, enter, leave = rest[:5]
        for hook in (enter, leave):
            if hook is not None:
                hook(launch_metadata)


class DeviceInterface:
    """The part of `torch.cuda` that Triton's own benchmarking uses."""

    @staticmethod
    def synchronize(device: object = None) -> None:
        del device

    @staticmethod
    def current_device() -> int:
        return 0

    class Event:
        """A point in time; any two lie equally far apart."""

        def __init__(self, enable_timing: bool = False, **options: object) -> None:
            del enable_timing, options

        def record(self, stream: object = None) -> None:
            del stream

        def synchronize(self) -> None:
            return None

        def elapsed_time(self, end: object) -> float:
            del end
            return _EVENT_MS
