"""What this machine has, read without importing torch if possible."""

import ctypes
import importlib.metadata
import platform
import warnings
from functools import lru_cache

from kernelbenchx import __version__
from kernelbenchx.core.environment import Environment
from kernelbenchx.runner.gpus import driver, gpu_count
from kernelbenchx.worker.targets import TARGETS

_MAJOR, _MINOR = 75, 76
"""The driver's attribute numbers of the major and minor compute capability."""


def has_gpu() -> bool:
    """Whether there is a CUDA device and a torch that could use it; torch itself is not asked."""
    torch = _version("torch")
    return bool(torch) and not torch.endswith("+cpu") and gpu_count() > 0


def find_gpu_target(index: int) -> str:
    """The target that kernels are compiled for on a GPU; empty if unknown."""
    library, device = driver(), ctypes.c_int()
    major, minor = ctypes.c_int(), ctypes.c_int()
    if (
        library is None
        or library.cuDeviceGet(ctypes.byref(device), index)
        or library.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, device)
        or library.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, device)
    ):
        return ""
    name = f"sm_{major.value}{minor.value}"
    return name if name in TARGETS else ""


def read_gpu_name(index: int) -> str:
    """The driver's name of a GPU. Asking torch would start CUDA in the judge."""
    library, device = driver(), ctypes.c_int()
    said = ctypes.create_string_buffer(256)
    if (
        library is None
        or library.cuDeviceGet(ctypes.byref(device), index)
        or library.cuDeviceGetName(said, len(said), device)
    ):
        return "unknown"
    return said.value.decode(errors="replace")


def torch_sees_gpu() -> bool:
    """The same by torch: with a driver that is too old there is no device."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.cuda.is_available()


@lru_cache(maxsize=4)
def environment(device: str) -> Environment:
    """Versions and machine, as recorded with every evaluation."""
    return Environment(
        harness=__version__,
        python=platform.python_version(),
        torch=_version("torch"),
        triton=_version("triton"),
        machine=f"{platform.system()} {platform.machine()}",
        gpu=read_gpu_name(0) if device == "cuda" else "",
    )


def _version(package: str) -> str:
    """Empty if it is not installed: the first stage needs neither torch nor Triton."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
