"""The GPUs that this process may use, by number and UUID, from the driver rather than torch."""

import ctypes
import os
import uuid
from collections.abc import Mapping
from typing import Any

_MIG = "MIG-"


def gpu_count() -> int:
    """How many CUDA devices the driver shows to this process."""
    library, count = driver(), ctypes.c_int()
    if library is None or library.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def gpu_uuid(index: int) -> str:
    """The UUID as torch spells it; empty where the driver reports none."""
    library, device, said = driver(), ctypes.c_int(), ctypes.create_string_buffer(16)
    if (
        library is None
        or library.cuDeviceGet(ctypes.byref(device), index)
        or library.cuDeviceGetUuid_v2(said, device)
    ):
        return ""
    return str(uuid.UUID(bytes=said.raw))


def visible_to_workers(environment: Mapping[str, str] = os.environ) -> str:
    """`CUDA_VISIBLE_DEVICES` for workers: the same GPUs in the same order as here, by UUID.

    A number would mean another GPU there: workers do not inherit what Slurm or Ray set here.
    """
    given = environment.get("CUDA_VISIBLE_DEVICES", "")
    if given.startswith(_MIG):  # the driver reports the UUID of the whole GPU or of its part
        return given
    named = [gpu_uuid(index) for index in range(gpu_count())]
    if all(named) and named:
        return ",".join(f"GPU-{one}" for one in named)
    return given or "0"


def driver() -> Any:
    """The driver's library, initialised; None where there is none, or no GPU."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    return None if library.cuInit(0) else library
