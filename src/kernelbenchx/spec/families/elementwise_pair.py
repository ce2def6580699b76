"""Elementwise tasks that answer with two tensors, both computed from the same input."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.elementwise import elementwise
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.task import Task

Pair = tuple[torch.Tensor, torch.Tensor]


def elementwise_pair(
    function: Callable[..., Pair],
    *,
    integers: tuple[float, float],
    flops: int = 1,
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family `elementwise` with two results; arguments as there."""
    single: Callable[..., Any] = function  # the family says that it returns one tensor
    task = elementwise(single, integers=integers, promises=promises, **rest)
    # The family's own sentence about dtypes, and its mutant, are about one result.
    kept = tuple(one for one in task.promises if one.axis != "dtype" or one in promises)
    return replace(task, cost=_Cost(flops), promises=(*kept, _results_promise(function)))


def _results_promise(function: Callable[..., Pair]) -> Promise:
    def truncate_integers(input: torch.Tensor, **words: Any) -> Pair:
        first, second = function(input, **words)
        if input.is_floating_point():
            return first, second
        return first.trunc(), second.trunc()

    return Promise(
        "The result is a tuple of two new tensors. Both have the input's shape and dtype; integer "
        "inputs give float32.",
        "dtype",
        ("int32", "int64"),
        Mutant("integers answered in integers", truncate_integers, ("dtype",)),
    )


class _Cost:
    """One read, two writes."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, shape: tuple[int, ...], dtype: torch.dtype, **_: Any) -> Cost:
        count = math.prod(shape)
        wide = dtype.itemsize if dtype.is_floating_point else 4
        return Cost(flops=self.flops * count, bytes=count * (dtype.itemsize + 2 * wide))
