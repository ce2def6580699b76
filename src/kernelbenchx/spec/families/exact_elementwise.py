"""Elementwise tasks whose results are exact, of floats and of integers of all sizes."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.families.elementwise import elementwise
from kernelbenchx.spec.families.mistakes import moved_as_float32
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.task import Task

_BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}
"""Integers of as many bytes as a float."""
_INTEGRAL = ("int32", "int64")


def exact_elementwise(
    function: Callable[..., torch.Tensor],
    *,
    result: torch.dtype | None = None,
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family `elementwise` whose results equal the reference's bit for bit.

    `result`: the dtype of every result; None: the input's, also of integers.
    `rest`: what `elementwise` takes.
    """
    # The range only asks for integers: they are drawn here.
    fields: dict[str, Any] = {
        "contract": Exact(signed_zero=True),
        "truth": function,
        "integers": (0, 1),
    } | rest
    task = elementwise(function, promises=promises, **fields)
    # The family's own sentence about dtypes says that integers give float32.
    kept = tuple(one for one in task.promises if one.axis != "dtype" or one in promises)
    return replace(
        task,
        inputs=_Inputs(task.inputs, result),
        cost=_Cost(result),
        promises=(*kept, _dtype_promise(function, result)),
    )


def _dtype_promise(function: Callable[..., torch.Tensor], result: torch.dtype | None) -> Promise:
    plain = str(result).removeprefix("torch.")
    text = (
        "The result has the input's shape and dtype, also of int32 and int64."
        if result is None
        else f"The result has the input's shape and is {plain}, also of int32 and int64."
    )
    if result is None:
        return Promise(text, "dtype", _INTEGRAL, moved_as_float32(function))
    return Promise(text, "dtype", _INTEGRAL, _low_bits(function))


def _low_bits(function: Callable[..., Any]) -> Mutant:
    """Integers lose their high bits on the way in."""

    def answer(input: torch.Tensor, *args: Any, **words: Any) -> Any:
        return function(input if input.is_floating_point() else input.short(), *args, **words)

    return Mutant("only the low 16 bits of integers", answer, ("input", "dtype"))


class _Inputs:
    """Floats as the family draws them, integers of every size."""

    def __init__(self, floats: Callable[..., Call], result: torch.dtype | None) -> None:
        self.floats, self.result = floats, result

    def __call__(
        self,
        draw: Draw,
        shape: tuple[int, ...],
        dtype: torch.dtype,
        layout: str = "contiguous",
        out: str | None = None,
        **how: Any,
    ) -> Call:
        if dtype.is_floating_point:
            (x,) = self.floats(draw, shape, dtype, **how).args
            x = _with_negative_nan(x) if how else x
        else:
            x = _whole_numbers(draw, shape, dtype)
        words = {}
        if out is not None:
            room = draw.integers(shape, 0, 2, self.result or dtype)
            words["out"] = draw.laid_out(room, out)
        return call(draw.laid_out(x, layout), **words)


def _with_negative_nan(x: torch.Tensor) -> torch.Tensor:
    """Every second NaN gets the sign bit, which a conversion of dtypes may lose."""
    bits = x.flatten().view(_BITS[x.itemsize])
    places = x.flatten().isnan().nonzero()[::2, 0]
    bits[places] |= torch.iinfo(bits.dtype).min
    return bits.view(x.dtype).reshape(x.shape)


def _whole_numbers(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Half of them small; the ends of the range and what no float64 holds are planted."""
    ends = torch.iinfo(dtype)
    small = draw.integers(shape, -100, 100, dtype)
    large = draw.integers(shape, ends.min, ends.max, dtype)
    x = torch.where(draw.booleans(shape), small, large)
    odd = ends.max // 128 + 2  # 2**24 + 1, 2**56 + 1
    return draw.plant(x, (ends.min, ends.max, 0, -1, odd, -odd, ends.min + 1))


class _Cost:
    """One read, one write."""

    def __init__(self, result: torch.dtype | None) -> None:
        self.result = result

    def __call__(self, shape: tuple[int, ...], dtype: torch.dtype, **_: Any) -> Cost:
        count = math.prod(shape)
        written = (self.result or dtype).itemsize
        return Cost(flops=count, bytes=count * (dtype.itemsize + written))
