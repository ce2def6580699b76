"""Where torch keeps what it compiled: one folder per torch version and card, for trusted processes.

What lies there is loaded without doubt: nothing with a submission in it is ever told of it.
"""

import os
import re
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

import torch

from kernelbenchx.measure.peak_cache import cache_folder


def compile_folder(device: str, environment: Mapping[str, str]) -> Path:
    """For this torch and the card behind a device."""
    where = torch.device(device)
    card = torch.cuda.get_device_name(where) if where.type == "cuda" else "host"
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{card}-torch-{torch.__version__}")
    return cache_folder(environment) / "compiled" / name


def kept_folder(wanted: Path) -> Path:
    """The folder, made where it was not; a fresh one where others could write there, or we cannot.

    What torch would take by itself has a name that anybody can foresee.
    """
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = wanted.stat()
        ours = seen.st_uid == os.geteuid() and not seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if ours and os.access(wanted, os.W_OK):
            return wanted
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="kernelbenchx-compiled-"))


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
