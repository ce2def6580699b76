"""Where torch keeps what it compiled: one folder per torch version and card, for trusted processes.

What lies there is loaded without doubt: nothing with a submission in it is ever told of it.
"""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import torch

from kernelbenchx.core.cache import cache_folder, own_folder


def compile_folder(device: str, environment: Mapping[str, str]) -> Path:
    """For this torch and the card behind a device."""
    where = torch.device(device)
    card = torch.cuda.get_device_name(where) if where.type == "cuda" else "host"
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{card}-torch-{torch.__version__}")
    return cache_folder(environment) / "compiled" / name


def kept_folder(wanted: Path) -> Path:
    """The folder, or a fresh one where others could write there, or we cannot.

    What torch would take by itself has a name that anybody can foresee.
    """
    return own_folder(wanted) or Path(tempfile.mkdtemp(prefix="kernelbenchx-compiled-"))


def compile_environment(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """For processes that compile: caches in this folder, and no more processes beside the one."""
    return {
        **environment,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
    }
