"""Whether a card waited for the host during calls that the judge's clock was around.

That clock sees calls end, not kernels run. What the baseline launches is known, and a graph of it
runs without the host: where the calls took much longer than the graph, the host decided how long
they took, on both sides, and the case says nothing about a kernel.
"""

from statistics import median
from typing import Any

from kernelbenchx.measure.blocks import Block
from kernelbenchx.measure.runners import Runner, RunnerFailed

MOST_WAITING = 0.2
"""Of a call's time; what is around a call is below a tenth of it where kernels fill the card."""
_RUNS = 3


def waits_for_host(runner: Runner, first: Block, calls_us: float) -> bool:
    """Of a baseline that took so long for each call; one that no graph can hold is not asked."""
    try:
        if not runner.ask({"op": "capture"}, 60.0).header.get("graph"):
            return False
        seeds: dict[str, Any] = {} if first.seeds is None else {"seeds": list(first.seeds)}
        graph_us = median(runner.run("graph", **seeds) for _ in range(_RUNS)) / first.slots
    except RunnerFailed:
        return False  # a label is no reason to lose what was measured
    return graph_us < (1.0 - MOST_WAITING) * calls_us
