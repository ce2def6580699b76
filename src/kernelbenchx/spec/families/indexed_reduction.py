"""Reductions along one dimension that give values and the indices where they stand."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import outs
from kernelbenchx.spec.families.dimensions import Dim, Shape
from kernelbenchx.spec.families.reduction import reduction
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import reduced_count
from kernelbenchx.spec.space import Chosen, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]


def indexed_reduction(
    function: Function,
    *,
    corners: Sequence[Chosen] = (),
    **settings: Any,
) -> Task:
    """A task of the family `reduction` whose function gives a pair: values and int64 indices.

    With dim=None it gives values alone. A parameter `out` takes what it gives: two tensors, or
    one. Mutants are written without `out`. `settings`: of `reduction`.
    """
    # The interpreter compares pairs of value and index one by one.
    known: dict[str, Any] = {"empty_slices": False, "long": 18_000} | settings
    takes_out = "out" in inspect.signature(function).parameters
    task = reduction(_without_out(function), corners=() if takes_out else corners, **known)
    task = replace(task, reference=function, cost=_Cost(task.cost))
    if not takes_out:
        return task
    assert task.space is not None
    given = (
        {"out": "contiguous"},
        {"shape": "three dimensions", "dim": "middle", "out": "strided"},
    )
    space = Space(
        (*task.space.axes, outs()),
        task.space.valid,
        (*task.space.corners, *given, *corners),
    )
    return replace(
        task,
        inputs=_Inputs(task.inputs, function),
        space=space,
        promises=(*(_promise_into_out(one) for one in task.promises), _out_promise(function)),
        mutants=tuple(map(_into_out, task.mutants)),
        writes=("out",),
    )


def _without_out(function: Function) -> Function:
    """The same function, whose signature has no `out`."""

    def bare(*args: Any, **words: Any) -> Any:
        return function(*args, **words)

    signature = inspect.signature(function)
    kept = [one for one in signature.parameters.values() if one.name != "out"]
    bare.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return bare


def store_reduction(result: Any, out: Any) -> Any:
    """What a reduction gives, in `out` where that is given and has the room."""
    if out is None:
        return result
    rooms, values = (one if isinstance(one, tuple) else (one,) for one in (out, result))
    if [one.shape for one in rooms] != [one.shape for one in values]:
        return result
    for room, value in zip(rooms, values, strict=True):
        room.copy_(value)
    return out


def smallest(scores: torch.Tensor, dim: int | None, keepdim: bool, dtype: torch.dtype) -> Any:
    """The smallest of the scores, cast to `dtype`, and where it stands; alone with dim=None."""
    if dim is None:
        return torch.min(scores).to(dtype)
    values, indices = torch.min(scores, dim, keepdim)
    return values.to(dtype), indices


def size_of_smallest(
    scores: torch.Tensor, sizes: torch.Tensor, dim: int | None, keepdim: bool
) -> tuple[torch.Tensor, ...] | None:
    """A local scale for values: the largest size among scores that rounding may take for the least.

    `sizes`: what the rounding of each score is a share of; it may be off by 2^-21 of that.
    """
    if not scores.numel():
        return None
    dims = tuple(range(scores.dim())) if dim is None else dim
    finite = sizes.nan_to_num(0.0, 0.0)
    near = scores <= scores.amin(dims, keepdim=True) + 2.0**-20 * finite
    found = torch.where(near, finite, 0.0).amax(dims, keepdim and dim is not None)
    return (found,) * 4  # values and indices, and `out` holds both again


def _into_out(mutant: Mutant | Patch) -> Mutant | Patch:
    """Whose answer goes into `out`."""
    if isinstance(mutant, Patch):
        return mutant
    answer = mutant.answer

    def into(*args: Any, out: Any = None, **words: Any) -> Any:
        return store_reduction(answer(*args, **words), out)

    return replace(mutant, answer=into)


def _promise_into_out(promise: Promise) -> Promise:
    return replace(promise, mutant=_into_out(promise.mutant))


def _out_promise(function: Function) -> Promise:
    return Promise(
        "With `out`, a pair of tensors like the results (one tensor with dim=None) and of any "
        "strides, the results are written into it and these same tensors are returned.",
        "out",
        ("contiguous", "transposed", "strided"),
        mistakes.out_ignored(function),
    )


class _Inputs:
    """Draws the arguments of one call, and what `out` holds before it."""

    def __init__(self, inputs: Callable[..., Call], function: Function) -> None:
        self.inputs, self.function = inputs, function

    def __call__(self, draw: Draw, out: str | None = None, **params: Any) -> Call:
        asked = self.inputs(draw, **params)
        if out is None:
            return asked
        like = self.function(*asked.args, **asked.kwargs)
        rooms = tuple(
            draw.laid_out(draw.integers(one.shape, 0, 9, one.dtype), out)
            for one in (like if isinstance(like, tuple) else (like,))
        )
        given = rooms if isinstance(like, tuple) else rooms[0]
        return replace(asked, kwargs={**asked.kwargs, "out": given})


class _Cost:
    """What `reduction` counts, and an index of eight bytes beside each value."""

    def __init__(self, values: Callable[..., Cost]) -> None:
        self.values = values

    def __call__(self, shape: Shape, dtype: torch.dtype, dim: Dim = None, **rest: Any) -> Cost:
        found = self.values(shape, dtype, dim, **rest)
        if dim is None:
            return found
        return replace(found, bytes=found.bytes + 8 * reduced_count(shape, dim))
