"""Operations per byte of a task: all that somebody who may not see its cases can know of them."""

import math
from functools import cache

from kernelbenchx import catalog


@cache
def intensity(name: str) -> float | None:
    """Of `category/name`, over its timed cases (geometric mean); None where its cost is not known.

    The task is loaded, and so is torch.
    """
    task = catalog.load(name)
    logs = [
        math.log(cost.flops / cost.bytes)
        for cost in (task.cost(**case.params) for case in task.timings)
        if cost.flops and cost.bytes
    ]
    return math.exp(sum(logs) / len(logs)) if logs else None
