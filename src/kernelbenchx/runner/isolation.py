"""Finds the isolation level that this machine supports by trying, and chooses one."""

import importlib.util
import json
import os
import sys
from functools import cache
from pathlib import Path

from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.runner.levels import Identity, Level, WorkerIsolation
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker import landlock
from kernelbenchx.worker.limits import Limits

__all__ = ["Identity", "Level", "WorkerIsolation", "choose", "detect"]

_PROBE_LIMITS = Limits(wall_s=20, cpu_s=20)
_PROBE_RESULT_BYTES = 1 << 16


@cache
def detect() -> WorkerIsolation:
    """The highest level at which a child really starts here; what failed above it is named."""
    version = landlock.abi() if sys.platform == "linux" else 0
    missing = [] if version else ["Landlock: not in this kernel"]
    if 0 < version < 6:
        missing.append(f"Landlock {version}: signals to other processes are not held back")
    for candidate in _candidates(version):
        failure = _try(candidate)
        if not failure:
            return WorkerIsolation(candidate.level, tuple(missing), version, candidate.identity)
        missing.append(failure)
    raise EvaluatorFault(f"no worker can be started here: {'; '.join(missing)}")


def choose(wanted: str | None) -> WorkerIsolation:
    """The level asked for, or the highest; asking for more than there is, is an error."""
    found = detect()
    if wanted is None or wanted == found.level:
        return found
    if wanted not in tuple(Level):
        raise BadInput(f"unknown isolation level {wanted!r}; choose one of {', '.join(Level)}")
    if wanted > found.level:
        reasons = "; ".join(found.missing)
        raise BadInput(f"isolation {wanted} is not available here, only {found.level}: {reasons}")
    given_up = f"{found.level}: available, not asked for"
    return WorkerIsolation(Level(wanted), (*found.missing, given_up), found.landlock_abi)


def _candidates(version: int) -> list[WorkerIsolation]:
    """The levels to try, from the strongest to the weakest."""
    found = []
    if sys.platform == "linux":
        identities = [Identity.MAPPED]
        if os.geteuid() == 0:
            identities = [Identity.OTHER, Identity.SAME, Identity.MAPPED]
        found += [WorkerIsolation(Level.L3, (), version, identity) for identity in identities]
        if version:
            found.append(WorkerIsolation(Level.L2, (), version))
    return [*found, WorkerIsolation(Level.L1)]


def _try(candidate: WorkerIsolation) -> str:
    """Why a child cannot work at this level; empty where it can."""
    name = f"{candidate.level} as {candidate.identity} user"
    try:
        with (
            Scratch() as scratch,
            Zygote("plain", candidate, jobs=1, start=Start(main="worker.probe:serve")) as zygote,
        ):
            order = scratch.order("probe", json.dumps(_list_required_files()).encode())
            result = scratch.result("probe")
            ending = zygote.run(order, result, _PROBE_LIMITS)
            if not ending.clean:
                return f"{name}: {ending.fault or ending.log.strip() or ending}"
            facts = json.loads(read_result(result, limit_bytes=_PROBE_RESULT_BYTES))
    except (EvaluatorFault, OversizedResult, OSError, ValueError) as error:
        return f"{name}: {error}"
    if facts["unreadable"]:
        return f"{name}: cannot read {facts['unreadable'][0]}"
    return ""


def _list_required_files() -> list[str]:
    """Files that every child may come to read: the interpreter's library and large packages."""
    found = [json.__file__]
    for name in ("numpy", "torch", "triton"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.append(str(Path(spec.origin).resolve()))
    return found
