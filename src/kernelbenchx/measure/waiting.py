"""Whether a card waited for the host during calls that the judge's clock was around.

That clock sees calls end, not kernels run. What the baseline launches is known, and a graph of it
runs without the host: where the calls took much longer than the graph, the host decided how long
they took, on both sides, and the case says nothing about a kernel. Calls that no graph can hold
wait for the host inside; for how long is not known.
"""

from dataclasses import dataclass
from statistics import median
from typing import Any

from kernelbenchx.measure.blocks import Block
from kernelbenchx.measure.runners import Runner, RunnerFailed

MOST_WAITING = 0.2
"""Of a call's time; what is around a call is below a tenth of it where kernels fill the card."""
_RUNS = 3


@dataclass(frozen=True)
class Waiting:
    """What the host has to do with the time of a case."""

    bound: bool
    """It decided how long the calls took."""
    within: bool
    """It is in that time, more or less."""


NEVER = Waiting(bound=False, within=False)


def waiting(runner: Runner, first: Block, calls_us: float) -> Waiting:
    """Of a baseline that took so long for each call."""
    try:
        if not runner.ask({"op": "capture"}, 60.0).header.get("graph"):
            return Waiting(bound=False, within=True)
        seeds: dict[str, Any] = {} if first.seeds is None else {"seeds": list(first.seeds)}
        graph_us = median(runner.run("graph", **seeds) for _ in range(_RUNS)) / first.slots
    except RunnerFailed:
        return NEVER  # a label is no reason to lose what was measured
    bound = graph_us < (1.0 - MOST_WAITING) * calls_us
    return Waiting(bound=bound, within=bound)
