"""What this machine has, asked without importing torch where that can be avoided."""

import ctypes
import importlib.metadata
import platform
import subprocess
import warnings
from functools import lru_cache

from kernelbenchx import __version__
from kernelbenchx.core.environment import Environment
from kernelbenchx.worker.targets import TARGETS

_MAJOR, _MINOR = 75, 76
"""The driver's numbers of the two parts of a card's capability."""


def has_card() -> bool:
    """Whether there is a CUDA device and a torch that could use it; torch itself is not asked."""
    if importlib.metadata.version("torch").endswith("+cpu"):
        return False
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def card_target(index: int) -> str:
    """The name that kernels are compiled for on a card, or nothing where it is not known."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return ""
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    failed = (
        driver.cuInit(0)
        or driver.cuDeviceGet(ctypes.byref(device), index)
        or driver.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, device)
        or driver.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, device)
    )
    name = f"sm_{major.value}{minor.value}"
    return name if not failed and name in TARGETS else ""


def torch_sees_card() -> bool:
    """The same asked of torch: a driver that is too old for it is no device."""
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
        torch=importlib.metadata.version("torch"),
        triton=importlib.metadata.version("triton"),
        machine=f"{platform.system()} {platform.machine()}",
        gpu=_card_name() if device == "cuda" else "",
    )


def _card_name() -> str:
    """Asking torch would start CUDA in the judge, which has no use for it."""
    asked = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip().splitlines()[0] if asked.stdout.strip() else "unknown"
