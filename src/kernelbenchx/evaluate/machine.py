"""What this machine has, asked without importing torch where that can be avoided."""

import ctypes
import importlib.metadata
import platform
import subprocess
import warnings
from functools import lru_cache

from kernelbenchx import __version__
from kernelbenchx.core.environment import Environment


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
