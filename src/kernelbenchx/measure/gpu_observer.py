"""Reads the state of the GPU: clocks, temperature, power, throttling, and other processes on it.

Uses NVML, which comes with the driver; without it, or for a query that fails, the field is None.
"""

import ctypes
from collections.abc import Callable, Collection
from typing import Any

from kernelbenchx.core.performance import Observation

LIBRARY = "libnvidia-ml.so.1"

_SM_CLOCK, _MEMORY_CLOCK = 1, 2
_GPU_SENSOR = 0
_MOST_PROCESSES = 256

# Bit by bit, NVML's reasons for lower clocks; an idle GPU is not one of them.
REASONS = {
    0x002: "application clocks",
    0x004: "power cap",
    0x008: "hardware slowdown",
    0x010: "synchronised boost",
    0x020: "software thermal slowdown",
    0x040: "hardware thermal slowdown",
    0x080: "power brake",
    0x100: "display clocks",
}
VOIDING = (
    "hardware slowdown",
    "software thermal slowdown",
    "hardware thermal slowdown",
    "power brake",
)
"""The GPU was disturbed: no time is worth keeping. A power cap is normal under load."""

Observer = Callable[[Collection[int]], Observation]
"""Given the process ids of kbx, the current state of the GPU."""


class _Process(ctypes.Structure):
    """One row of NVML's list of compute processes, third version."""

    _fields_ = (
        ("pid", ctypes.c_uint),
        ("used_bytes", ctypes.c_ulonglong),
        ("gpu_instance", ctypes.c_uint),
        ("compute_instance", ctypes.c_uint),
    )


def make_observer(uuid: str, library: Any = None) -> Observer:
    """An observer of the GPU with that uuid, with or without the prefix `GPU-`."""
    found = load_nvml() if library is None else library
    handle = None if found is None else _handle(found, uuid)
    if handle is None:
        return lambda _own: Observation()
    return lambda own: _read_observation(found, handle, own)


def load_nvml() -> Any:
    """NVML, or None on a machine without it."""
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError:
        return None


def find_disturbance(before: Observation, after: Observation) -> str:
    """Why a measurement between the two must not be trusted; empty if it may be."""
    said = {*before.throttled, *after.throttled}
    reasons = [reason for reason in VOIDING if reason in said]
    if reasons:
        return f"the GPU lowered its clocks: {', '.join(reasons)}"
    others = max(before.other_processes or 0, after.other_processes or 0)
    if others:
        noun = "another process was" if others == 1 else f"{others} other processes were"
        return f"{noun} on the GPU"
    return ""


def list_throttling(before: Observation, after: Observation) -> tuple[str, ...]:
    """Reasons for lower clocks that are worth a flag and void nothing."""
    said = {*before.throttled, *after.throttled}
    return tuple(word for word in REASONS.values() if word in said and word not in VOIDING)


def _read_observation(library: Any, handle: ctypes.c_void_p, own: Collection[int]) -> Observation:
    power_mw = _query_number(library, "nvmlDeviceGetPowerUsage", handle)
    reasons = _query_number(library, _reasons_function(library), handle, into=ctypes.c_ulonglong)
    return Observation(
        sm_mhz=_query_number(library, "nvmlDeviceGetClockInfo", handle, _SM_CLOCK),
        memory_mhz=_query_number(library, "nvmlDeviceGetClockInfo", handle, _MEMORY_CLOCK),
        temperature_c=_query_number(library, "nvmlDeviceGetTemperature", handle, _GPU_SENSOR),
        power_w=None if power_mw is None else power_mw / 1000,
        throttled=tuple(word for bit, word in REASONS.items() if (reasons or 0) & bit),
        other_processes=_count_other_processes(_list_processes(library, handle), own),
    )


def _reasons_function(library: Any) -> str:
    """The function's name; newer drivers renamed it and still keep the older name."""
    newer = "nvmlDeviceGetCurrentClocksEventReasons"
    return newer if hasattr(library, newer) else "nvmlDeviceGetCurrentClocksThrottleReasons"


def _handle(library: Any, uuid: str) -> ctypes.c_void_p | None:
    handle = ctypes.c_void_p()
    name = uuid if uuid.startswith(("GPU-", "MIG-")) else f"GPU-{uuid}"
    if not uuid or library.nvmlInit_v2() != 0:
        return None
    if library.nvmlDeviceGetHandleByUUID(name.encode(), ctypes.byref(handle)) != 0:
        return None
    return handle


def _query_number(
    library: Any, function: str, handle: ctypes.c_void_p, *which: int, into: Any = ctypes.c_uint
) -> int | None:
    """The one number that a query returns; None if it fails."""
    value = into()
    code = getattr(library, function)(handle, *which, ctypes.byref(value))
    return int(value.value) if code == 0 else None


def _list_processes(library: Any, handle: ctypes.c_void_p) -> list[int] | None:
    """Process ids on the GPU; None if the driver does not say."""
    rows = (_Process * _MOST_PROCESSES)()
    count = ctypes.c_uint(_MOST_PROCESSES)
    code = library.nvmlDeviceGetComputeRunningProcesses_v3(handle, ctypes.byref(count), rows)
    return [int(rows[i].pid) for i in range(count.value)] if code == 0 else None


def _count_other_processes(listed: list[int] | None, own: Collection[int]) -> int | None:
    """How many of the listed processes do not belong to kbx.

    In a container the list is often empty or holds ids of another namespace. A list is trusted only
    if it shows a process of kbx; if none is expected, every listed process is foreign.
    """
    if not listed:
        return None
    ours = set(own)
    if ours and not ours & set(listed):
        return None
    return len(set(listed) - ours)
