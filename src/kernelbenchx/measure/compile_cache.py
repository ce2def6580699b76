"""The folder for torch's compiled code: one per torch version and GPU, for trusted processes.

Its content is loaded without checks: processes with a submission in them never learn its path.
"""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import torch

from kernelbenchx.core.cache import cache_folder, own_folder


def compile_folder(device: str, environment: Mapping[str, str]) -> Path:
    """The folder for this torch and the GPU behind a device."""
    where = torch.device(device)
    card = torch.cuda.get_device_name(where) if where.type == "cuda" else "host"
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{card}-torch-{torch.__version__}")
    return cache_folder(environment) / "compiled" / name


def kept_folder(wanted: Path) -> Path:
    """The folder, or a new one if others could write there, or this process cannot.

    Torch's default has a name that any user of the machine can predict.
    """
    return own_folder(wanted) or Path(tempfile.mkdtemp(prefix="kernelbenchx-compiled-"))


def compile_environment(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """For processes that compile: caches in this folder, and no additional compile processes."""
    return {
        **environment,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
    }
