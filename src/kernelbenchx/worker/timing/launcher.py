"""Loads compiled kernels and launches them by the CUDA driver, without Triton."""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

Grid = tuple[int, int, int]
_NO_SUCH_PARAMETER = 1
_STATIC_SHARED, _MOST_DYNAMIC_SHARED = 1, 8
_SHARED_PER_BLOCK_OPTIN = 97
_PREFER_SHARED = 1
_PLAIN_SHARED_BYTES = 48 << 10
_MOST_PARAMETERS = 1024


class LaunchFailed(RuntimeError):
    """The driver refused a binary or a launch."""


class LoadedKernel(Protocol):
    """One function of a loaded binary."""

    sizes: tuple[int, ...]
    """Bytes of each parameter, as the binary itself declares them."""

    def bound(
        self, grid: Grid, threads: int, shared: int, parameters: Sequence[bytes]
    ) -> Callable[[], None]:
        """A launch that can be made again and again; the parameters have the declared sizes."""
        ...


class KernelLauncher(Protocol):
    """What replaying needs from a device."""

    def kernel(self, cubin: bytes, name: str, shared: int) -> LoadedKernel:
        """Load a function that will need so much shared memory."""
        ...


class CudaLauncher:
    """The driver of the GPU that torch uses, on torch's current stream."""

    def __init__(self, device: str = "cuda") -> None:
        torch.zeros(1, device=device)  # the driver needs a context
        self._driver = _CheckedDriver()
        self._modules: dict[bytes, ctypes.c_void_p] = {}

    def kernel(self, cubin: bytes, name: str, shared: int) -> LoadedKernel:
        function = ctypes.c_void_p()
        self._driver(
            "cuModuleGetFunction", ctypes.byref(function), self._module(cubin), name.encode()
        )
        if shared > _PLAIN_SHARED_BYTES:
            self._allow_shared(function)
        return _CudaKernel(self._driver, function)

    def _module(self, cubin: bytes) -> ctypes.c_void_p:
        if cubin not in self._modules:
            module = ctypes.c_void_p()
            self._driver("cuModuleLoadData", ctypes.byref(module), cubin)
            self._modules[cubin] = module
        return self._modules[cubin]

    def _allow_shared(self, function: ctypes.c_void_p) -> None:
        """Allow as much as the GPU has, as Triton does: the same kernel runs in the same way."""
        device, most, static = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self._driver("cuCtxGetDevice", ctypes.byref(device))
        self._driver("cuDeviceGetAttribute", ctypes.byref(most), _SHARED_PER_BLOCK_OPTIN, device)
        self._driver("cuFuncGetAttribute", ctypes.byref(static), _STATIC_SHARED, function)
        self._driver("cuFuncSetCacheConfig", function, _PREFER_SHARED)
        room = ctypes.c_int(most.value - static.value)
        self._driver("cuFuncSetAttribute", function, _MOST_DYNAMIC_SHARED, room)


class _CudaKernel:
    def __init__(self, driver: "_CheckedDriver", function: ctypes.c_void_p) -> None:
        self._driver = driver
        self._function = function
        self.sizes = tuple(self._read_parameter_sizes())

    def bound(
        self, grid: Grid, threads: int, shared: int, parameters: Sequence[bytes]
    ) -> Callable[[], None]:
        return _BoundLaunch(
            self._driver, (self._function, *grid, threads, 1, 1, shared), parameters
        )

    def _read_parameter_sizes(self) -> list[int]:
        sizes: list[int] = []
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        while len(sizes) < _MOST_PARAMETERS:
            code = self._driver.code(
                "cuFuncGetParamInfo",
                self._function,
                ctypes.c_size_t(len(sizes)),
                ctypes.byref(offset),
                ctypes.byref(size),
            )
            if code == _NO_SUCH_PARAMETER:
                return sizes
            self._driver.check("cuFuncGetParamInfo", code)
            sizes.append(size.value)
        raise LaunchFailed("a kernel with too many parameters")


class _BoundLaunch:
    """One launch; keeps the parameters, which the driver reads at each launch."""

    def __init__(
        self, driver: "_CheckedDriver", shape: tuple[Any, ...], parameters: Sequence[bytes]
    ) -> None:
        self._driver = driver
        self._shape = shape
        self._held = [ctypes.create_string_buffer(one, len(one)) for one in parameters]
        # Of each the driver reads as many bytes as the kernel declares.
        addresses = map(ctypes.addressof, self._held)
        self._pointers = (ctypes.c_void_p * max(len(self._held), 1))(*addresses)

    def __call__(self) -> None:
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        self._driver.launch(*self._shape, stream, self._pointers, None)


class _CheckedDriver:
    """Calls of the CUDA driver by name; every error is raised."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        unsigned = [ctypes.c_uint] * 7
        self._library.cuLaunchKernel.argtypes = [
            ctypes.c_void_p,
            *unsigned,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ]

    def __call__(self, name: str, *arguments: Any) -> None:
        self.check(name, self.code(name, *arguments))

    def code(self, name: str, *arguments: Any) -> int:
        return int(getattr(self._library, name)(*arguments))

    def launch(self, *arguments: Any) -> None:
        code = self._library.cuLaunchKernel(*arguments)
        if code:
            self.check("cuLaunchKernel", code)

    def check(self, name: str, code: int) -> None:
        if not code:
            return
        said = ctypes.c_char_p()
        self._library.cuGetErrorName(ctypes.c_int(code), ctypes.byref(said))
        raise LaunchFailed(f"{name}: {(said.value or b'').decode() or code}")
