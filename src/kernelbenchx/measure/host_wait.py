"""Whether a card waited for the host during calls that the judge's clock was around.

That clock sees calls end, not kernels run. What the baseline launches is known, and a graph of it
runs without the host: where the calls took much longer than the graph, the host decided how long
they took, on both sides, and the case says nothing about a kernel. Calls that no graph can hold
are queued behind a spin: where the host is through with them before it ends, they run without the
host, too. Else they wait for it inside; for how long is not known.
"""

from dataclasses import dataclass
from statistics import median
from typing import Any

from kernelbenchx.measure.case_inputs import Block
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed

MOST_WAITING = 0.2
"""Of a call's time; what is around a call is below a tenth of it where kernels fill the card."""
_RUNS = 3


@dataclass(frozen=True)
class HostWait:
    """What the host has to do with the time of a case."""

    bound: bool
    """It decided how long the calls took."""
    within: bool
    """It is in that time, more or less."""


NEVER = HostWait(bound=False, within=False)


def measure_host_wait(runner: RunnerClient, first: Block, calls_us: float) -> HostWait:
    """Of a baseline that took so long for each call."""
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
    """Time of a call for which the host is not needed any more; None if it is.

    Who was through with all calls early once does not wait in them. The first time does not count:
    trying to capture leaves no memory at hand, and the host has to get it.
    """
    seeds: dict[str, Any] = {} if first.seeds is None else {"seeds": list(first.seeds)}
    found = [runner.ask({"op": "run", "how": how, **seeds}, 20.0).header for _ in range(1 + _RUNS)]
    alone = [float(one["us"]) for one in found[1:] if how == "graph" or one.get("ahead")]
    return median(alone) / first.slots if alone else None
