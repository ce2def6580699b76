"""Decides whether the GPU waited for the host during host-timed calls.

Host timing sees calls end, not kernels run. What the baseline launches is known, and a graph of it
runs without the host. If calls took much longer than the graph, the host decided how long they
took, on both sides, and the case says nothing about a kernel. Calls that no graph can hold are
queued behind a spin. If the host finishes them before the spin ends, they run without the host,
too. Otherwise they wait for it inside; for how long is not known.
"""

from dataclasses import dataclass
from statistics import median
from typing import Any

from kernelbenchx.measure.case_inputs import Block
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed

MOST_WAITING = 0.2
"""Share of a call's time; overhead around a call is below a tenth of it if kernels fill the GPU."""
_RUNS = 3


@dataclass(frozen=True)
class HostWait:
    """How the host affects the time of a case."""

    bound: bool
    """The host decided how long the calls took."""
    within: bool
    """The time includes host time to some degree."""


NEVER = HostWait(bound=False, within=False)


def measure_host_wait(runner: RunnerClient, first: Block, calls_us: float) -> HostWait:
    """Measure on a baseline that took so long for each call."""
    try:
        graph = bool(runner.ask({"op": "capture"}, 60.0).header.get("graph"))
        alone_us = _alone_us(runner, first, "graph" if graph else "queued")
    except RunnerFailed:
        alone_us = None  # a label is no reason to lose what was measured
    if alone_us is None:
        return HostWait(bound=False, within=True)
    bound = alone_us < (1.0 - MOST_WAITING) * calls_us
    return HostWait(bound=bound, within=bound)


def _alone_us(runner: RunnerClient, first: Block, how: str) -> float | None:
    """Time of a call without waiting for the host; None if it waits.

    A host that finished all calls early once does not delay them. The first time does not count:
    trying to capture leaves no memory at hand, and the host has to allocate it.
    """
    seeds: dict[str, Any] = {} if first.seeds is None else {"seeds": list(first.seeds)}
    found = [runner.ask({"op": "run", "how": how, **seeds}, 20.0).header for _ in range(1 + _RUNS)]
    alone = [float(one["us"]) for one in found[1:] if how == "graph" or one.get("ahead")]
    return median(alone) / first.slots if alone else None
