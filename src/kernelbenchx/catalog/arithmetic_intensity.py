"""Operations per byte of a task: all that a generation method may know of its cases."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from kernelbenchx import catalog

if TYPE_CHECKING:
    from kernelbenchx.spec.cost import Cost
    from kernelbenchx.spec.task import Task

_BYTES_PER_RESULT = 16
"""Where fewer bytes are moved for each operation, operations are not looked at again."""
_NO_SIZES = ("values", "dtype")


@cache
def intensity(name: str) -> float | None:
    """Of `category/name`, over its timed cases (geometric mean); None where its cost is not known.

    The task is loaded, and so is torch.
    """
    task = catalog.load(name)
    logs = [
        math.log(cost.flops / cost.bytes)
        for cost in (cost_of(task, case.params) for case in task.timings)
        if cost.flops and cost.bytes
    ]
    return math.exp(sum(logs) / len(logs)) if logs else None


def cost_of(task: "Task", params: Mapping[str, Any]) -> "Cost":
    """What a call must at least do.

    Problems count one operation for each result beside their products. A reduction has one result
    for many elements: each element of its largest tensor takes part in an operation.
    """
    cost = task.cost(**params)
    shapes = getattr(task, "data_shapes", None)
    if shapes is None or cost.flops * _BYTES_PER_RESULT >= cost.bytes:
        return cost
    sizes = {key: value for key, value in params.items() if key not in _NO_SIZES}
    return replace(cost, flops=max([cost.flops, *map(math.prod, shapes(**sizes))]))
