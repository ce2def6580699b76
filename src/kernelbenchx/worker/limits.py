"""Limits on a child's time, memory, files and processes, and how the kernel enforces them."""

import json
import math
import resource
from dataclasses import asdict, dataclass
from pathlib import Path

from .settings import Policy

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """One child's limits. What the kernel cannot count, the zygote watches."""

    wall_s: float = 60.0
    cpu_s: float = 60.0
    program_s: float = 0.0
    """Further CPU time for interpreted programs that came to their end."""
    idle_s: float = math.inf
    """Time in which it neither uses nor waits for a processor."""
    call_s: float = math.inf
    """CPU time of one call without programs that ended; the same limit holds for its sleep."""
    long_s: float = math.inf
    """CPU time and sleep after which the trusted side is notified that it still runs."""
    memory_bytes: int = 4096 * MIB
    """Beyond what the zygote already holds when it forks."""
    result_bytes: int = 1024 * MIB
    scratch_bytes: int = 256 * MIB
    scratch_files: int = 20_000
    log_bytes: int = 16 * MIB
    """A child that prints more is ended; only the first and last 32 KiB are kept anyway."""
    processes: int = 128
    """Threads count too."""
    open_files: int = 256

    def to_json(self) -> str:
        return json.dumps(asdict(self))


_PROGRAMS = 4
_GENEROUS = 10


def interpreter_limits(seconds: float, **others: int) -> Limits:
    """CPU time for all but finished programs, four times as much for those; sleep counts too.

    Other work on the machine costs no CPU time of this child, so its limit of elapsed time is
    generous: it ends what the other limits miss.
    """
    most = (1 + _PROGRAMS) * seconds
    return Limits(
        wall_s=_GENEROUS * most,
        cpu_s=seconds,
        program_s=_PROGRAMS * seconds,
        idle_s=seconds,
        **others,
    )


def compiler_limits(seconds: float, **others: int) -> Limits:
    """CPU time, as in the interpreter: other work on the machine is not the submission's fault."""
    return Limits(wall_s=_GENEROUS * seconds, cpu_s=seconds, idle_s=seconds, **others)


def limits_from_json(text: str | bytes) -> Limits:
    """The inverse of `Limits.to_json`."""
    return Limits(**json.loads(text))


def apply_rlimits(limits: Limits, policy: Policy, *, own_uid: bool) -> None:
    """Lower this process's limits for good; `own_uid`: no other process counts against NPROC."""
    seconds = max(1, math.ceil(limits.cpu_s + limits.program_s))
    # The hard limit kills one second after the soft one, should SIGXCPU be ignored.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    largest_file = max(limits.result_bytes, limits.scratch_bytes)
    _lower(resource.RLIMIT_FSIZE, largest_file)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    if not policy.device:
        _lower(resource.RLIMIT_AS, _address_space() + limits.memory_bytes)
    if own_uid:
        _lower(resource.RLIMIT_NPROC, limits.processes)
    message_queues = getattr(resource, "RLIMIT_MSGQUEUE", None)
    if message_queues is not None:
        _lower(message_queues, 0)


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def _address_space() -> int:
    """Bytes of address space in use; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
