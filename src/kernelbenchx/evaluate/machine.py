"""What this machine has, asked without importing torch where that can be avoided."""

import importlib.metadata
import platform
import subprocess
import warnings

from kernelbenchx import __version__
from kernelbenchx.core.environment import Environment


def has_card() -> bool:
    """Whether torch sees a CUDA device."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a driver too old for torch is simply no device
        return torch.cuda.is_available()


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
