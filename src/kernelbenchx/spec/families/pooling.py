"""Tasks that compute each element of the result from a window of the input, channel by channel."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    SCALE,
    Drawn,
    Normal,
    dtypes,
    layouts,
    values,
)
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import Shape, Sizes, compute_pooled_sizes, per_dimension
from kernelbenchx.spec.space import OMITTED, Axis, Chosen, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]


def pooling(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    rank: int,
    others: Mapping[str, Drawn],
    ordinary: Drawn = Normal(),  # noqa: B008 - frozen
    arguments: Sequence[Axis] = (),
    valid: Callable[[Chosen], bool] = lambda _chosen: True,
    corners: Sequence[Chosen] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, kernel_size, stride, padding, ...)` is the reference.

    `rank`: over how many of the last dimensions a window reaches. `ordinary`, `others`: what the
    input is filled with, a word for each of the others. `arguments`: ceil_mode, dilation and the
    like. `rest`: fields of `Task`.
    """
    axes = (
        _windows(rank),
        _strides(rank),
        _paddings(rank),
        *arguments,
        _shapes(rank),
        dtypes(FLOATS),
        layouts(),
        values(others),
    )

    def both(chosen: Chosen) -> bool:
        return _is_valid(chosen) and valid(chosen)

    fields: dict[str, Any] = {"cost": _Cost(rank), "dtypes": FLOATS}
    return Task(
        reference=function,
        inputs=_Inputs({"ordinary": ordinary, **others}),
        space=Space(axes, valid=both, corners=(*_CORNERS, *corners)),
        promises=_promises(function, rank) + promises,
        **fields | rest,
    )


def _windows(rank: int) -> Axis:
    """Below and above 64 elements."""
    low, high = (65, 100) if rank == 1 else (9, 12)
    return Axis(
        "kernel_size",
        (
            Option("three", 3),
            Option("two", 2),
            Option("some", FreshValue(lambda c, _: c.randrange(4, 8))),
            Option("one", 1, trivial=True),
            Option("wide", FreshValue(lambda c, _: c.randrange(low, high))),
            *_each(rank, lambda c, _: c.randrange(2, 6)),
        ),
    )


def _strides(rank: int) -> Axis:
    return Axis(
        "stride",
        (
            Option("not given", OMITTED),
            Option("none", None),
            Option("one", 1),
            Option("two", 2),
            Option(
                "beyond the window", FreshValue(lambda c, b: max(_window(b)) + c.randrange(1, 4))
            ),
            *_each(rank, lambda c, _: c.randrange(1, 4)),
        ),
    )


def _paddings(rank: int) -> Axis:
    return Axis(
        "padding",
        (
            Option("not given", OMITTED),
            Option("zero", 0),
            Option("one", 1),
            Option("half a window", FreshValue(lambda _, b: min(_window(b)) // 2)),
            *_each(rank, lambda c, window: c.randrange(window // 2 + 1)),
        ),
    )


def _each(rank: int, size: Callable[[random.Random, int], int]) -> tuple[Option, ...]:
    """A number for each dimension, where there are several."""
    if rank == 1:
        return ()

    def draw(chance: random.Random, before: Mapping[str, Any]) -> Shape:
        windows = _window(before, rank) if "kernel_size" in before else (0,) * rank
        return tuple(size(chance, window) for window in windows)

    return (Option("one for each dimension", FreshValue(draw)),)


def _shapes(rank: int) -> Axis:
    """Each at least as large as a window."""
    long = 66_000 if rank == 1 else 1_100

    def longest(*sizes: int) -> FreshValue:
        return _around(rank, (1, 2), (1, 3), (sizes[0], sizes[1]), (1, 4))

    few = (20, 200) if rank == 1 else (5, 20)
    return Axis(
        "shape",
        (
            Option("batch", _around(rank, (2, 4), (3, 6), few)),
            Option("no batch", _around(rank, (3, 9), few)),
            Option("many outputs", _around(rank, (1, 3), (1, 3), (1100, 2000), (1, 4))),
            Option("one output", _around(rank, (2, 4), (3, 6), (0, 1)), DEGENERATE),
            Option("one channel", _around(rank, (1, 2), (1, 2), few), DEGENERATE),
            Option("empty batch", _around(rank, (0, 1), (2, 5), few), DEGENERATE),
            Option("long", longest(long, long + 8_000), SCALE, after=longest(1_100, 2_200)),
        ),
    )


def _around(rank: int, *ranges: tuple[int, int]) -> FreshValue:
    """Leading sizes, then how much larger than a window the pooled ones are; the last for all."""
    leading = 1 if len(ranges) == 2 else 2

    def draw(chance: random.Random, before: Mapping[str, Any]) -> Shape:
        sizes = [chance.randrange(*one) for one in ranges[:leading]]
        reach = before.get("dilation", 1)
        longest = chance.randrange(rank)
        for place, window in enumerate(_window(before, rank)):
            wider = ranges[leading if place == longest else -1]
            sizes.append(reach * (window - 1) + 1 + chance.randrange(*wider))
        return tuple(sizes)

    return FreshValue(draw)


def _window(before: Mapping[str, Any], rank: int = 1) -> Shape:
    return per_dimension(before["kernel_size"], rank)


_CORNERS: tuple[Chosen, ...] = (
    {"dtype": "float32"},
    {"dtype": "float16", "padding": "one"},
    {"dtype": "bfloat16", "kernel_size": "wide", "stride": "one", "padding": "half a window"},
    {"shape": "no batch", "stride": "two", "padding": "one"},
    {"shape": "one output"},
    {"shape": "empty batch"},
    {"shape": "no batch", "layout": "transposed"},
    {"values": "special", "stride": "one", "padding": "one"},
)


def _is_valid(chosen: Chosen) -> bool:
    if chosen["kernel_size"] == "one" and chosen["padding"] == "one":
        return False  # at most half a window
    if chosen["shape"] == "long" and chosen["kernel_size"] == "wide":
        return False  # the interpreter would take seconds
    return chosen["shape"] != "empty batch" or chosen["layout"] == "contiguous"


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, fills: Mapping[str, Drawn]) -> None:
        self.fills = fills

    def __call__(
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        kernel_size: Sizes,
        layout: str = "contiguous",
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        x = self.fills[values](draw, shape, dtype)
        return call(draw.laid_out(x, layout), kernel_size, **words)


class _Cost:
    """One read, one write, an operation for each element of each window."""

    def __init__(self, rank: int) -> None:
        self.rank = rank

    def __call__(self, shape: Shape, dtype: torch.dtype, kernel_size: Sizes, **words: Any) -> Cost:
        sizes = compute_pooled_sizes(shape[-self.rank :], kernel_size, **words)
        outputs = math.prod(shape[: -self.rank]) * math.prod(sizes)
        moved = (math.prod(shape) + outputs) * dtype.itemsize
        return Cost(flops=outputs * math.prod(per_dimension(kernel_size, self.rank)), bytes=moved)


def _promises(function: Function, rank: int) -> tuple[Promise, ...]:
    kind = "ints" if rank == 1 else f"ints, or tuples of {rank} ints, one for each dimension"
    return (
        Promise(
            f"kernel_size, stride and padding are {kind}; windows may be of any size.",
            "kernel_size",
            ("wide",),
            _narrow_windows(function, rank),
        ),
        Promise(
            "stride None stands for kernel_size.",
            "stride",
            ("not given", "none"),
            _stride_one(function),
        ),
        Promise(
            "0 <= padding <= kernel_size / 2.",
            "padding",
            ("one", "half a window"),
            mistakes.ignore_argument(function, "padding"),
        ),
        Promise(
            "The batch dimension may be missing or empty.",
            "shape",
            ("no batch", "empty batch"),
            mistakes.refuses(
                function,
                "no batch refused",
                lambda x, *_: x.dim() < rank + 2 or not x.shape[0],
            ),
        ),
        mistakes.strides_promise(function),
    )


def _narrow_windows(function: Function, rank: int) -> Mutant:
    """Windows end after so many elements that there are 64 in all."""
    most = 64 if rank == 1 else 8

    def answer(input: torch.Tensor, kernel_size: Sizes, **words: Any) -> Any:
        seen = tuple(min(one, most) for one in per_dimension(kernel_size, rank))
        right = function(input, kernel_size, **words)
        if seen == per_dimension(kernel_size, rank):
            return right
        step = words.pop("stride", None) or kernel_size
        words["padding"] = min(words.get("padding", 0), most // 2)
        result = function(input, seen if rank > 1 else seen[0], stride=step, **words)
        return result[tuple(slice(0, size) for size in right.shape)].contiguous()

    return Mutant(f"windows of at most {most}", answer, ("kernel_size",))


def _stride_one(function: Function) -> Mutant:
    def answer(input: torch.Tensor, kernel_size: Sizes, **words: Any) -> Any:
        return function(input, kernel_size, **words | {"stride": words.get("stride") or 1})

    return Mutant("stride 1 for None", answer, ("stride",))
