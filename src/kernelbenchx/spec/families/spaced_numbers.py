"""Tasks that give numbers which lie evenly between two ends, on some scale."""

from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    LONG,
    SCALE,
    argument,
    dtypes,
    fresh_number,
    one_of,
)
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import fills_tiles

Function = Callable[..., torch.Tensor]
_DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64)


def spaced_numbers(
    function: Function,
    *,
    ends: Axis,
    arguments: tuple[Axis, ...],
    corners: tuple[Mapping[str, str], ...],
    mutants: tuple[Mutant, ...],
    flops: int,
    **rest: Any,
) -> Task:
    """A task of the family; `function(start, end, steps, ...)` is the reference.

    `ends`: the axis of pairs of numbers, each of which may be given in a 0-d tensor. `flops`: of
    each element. `rest`: fields of `Task`.
    """
    axes = (
        _steps(),
        ends,
        argument("given", numbers=None, tensors="tensors", start="start", end="end"),
        *arguments,
        dtypes(_DTYPES[:1], _DTYPES[1:]),
    )
    few = mistakes.refuses(function, "0 and 1 refused", lambda _start, _end, steps: steps < 2)
    text = "steps may be 0 or 1, and has no upper limit."
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_Cost(flops),
        space=Space(axes, corners=corners, spans_tiles=lambda c: fills_tiles((c["steps"],))),
        promises=(Promise(text, "steps", ("one", "none", "many"), few),),
        mutants=(
            Mutant("start and end swapped", _swap_ends(function), ("start", "end")),
            Mutant("the last is left out", _without_end(function), ("end", "steps")),
            *mutants,
        ),
        dtypes=_DTYPES,
        inert=("layout", "device", "requires_grad"),
        **rest,
    )


def _steps() -> Axis:
    return Axis(
        "steps",
        (
            Option("some", fresh_number(1100, 3000)),
            Option("few", fresh_number(3, 40)),
            Option("whole blocks", one_of(1024, 2048, 4096)),
            Option("two", 2),
            Option("one", 1, DEGENERATE),
            Option("none", 0, DEGENERATE),
            Option("many", fresh_number(66_000, 74_000), SCALE, after=fresh_number(*LONG)),
        ),
    )


def _inputs(
    draw: Draw,
    steps: int,
    dtype: torch.dtype,
    ends: tuple[float, float],
    given: str = "numbers",
    **words: Any,
) -> Call:
    """Ends in tensors are moved a little by every draw; numbers are what they are."""
    moved = draw.uniform((2,), torch.float32, -0.25, 0.25) + torch.tensor(ends, device=draw.device)
    start = moved[0] if given in ("tensors", "start") else ends[0]
    end = moved[1] if given in ("tensors", "end") else ends[1]
    # Not a stand-in: budgets lie where the tensors of a timed call do.
    options = words if dtype == torch.float32 else words | {"dtype": dtype}
    return call(start, end, steps, **options, device=draw.device)


class _Cost:
    """Nothing is read, every element is written once."""

    def __init__(self, flops: int) -> None:
        self.flops = flops

    def __call__(self, steps: int, dtype: torch.dtype, **_: Any) -> Cost:
        return Cost(flops=self.flops * steps, bytes=steps * dtype.itemsize)


def _swap_ends(function: Function) -> Function:
    def answer(start: Any, end: Any, steps: int, **words: Any) -> torch.Tensor:
        return function(end, start, steps, **words)

    return answer


def _without_end(function: Function) -> Function:
    def answer(start: Any, end: Any, steps: int, **words: Any) -> torch.Tensor:
        return function(start, end, steps + 1, **words)[:-1]

    return answer
