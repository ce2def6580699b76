"""Finds the processes of kbx on a GPU: this run's, and the idle ones of other runs.

Other runs wait for the lease while this one takes times, so their processes are idle.
"""

import os
import time
from collections.abc import Callable

from kernelbenchx.core.performance import Observation
from kernelbenchx.runner.gpu_users import live_users
from kernelbenchx.worker.processes import family

SETTLE_S = 6.0
"""Grace for the processes of a run that was killed: they end within seconds, and the lease is free
at once."""
_PAUSE_S = 0.25


def own_processes(uuid: str) -> set[int]:
    """Process ids of this bench, of its run, and of other runs on the GPU."""
    return {os.getpid(), *family(os.getppid()), *processes_of_runs(uuid)}


def processes_of_runs(uuid: str) -> set[int]:
    """Every run that is registered for the GPU, with all processes that it started."""
    found: set[int] = set()
    for one in live_users(uuid) if uuid else ():
        found |= family(one.pid)
    return found


def observe_settled(
    observe: Callable[[], Observation],
    now: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> Observation:
    """Observe the GPU without foreign processes, or with those that stay.

    One that was seen counts until an observation shows none.
    """
    until = now() + SETTLE_S
    seen = observe()
    while seen.other_processes and now() < until:
        pause(_PAUSE_S)
        later = observe()
        seen = seen if later.other_processes is None else later
    return seen
