"""Promises that many tasks make."""

from collections.abc import Callable
from typing import Any

from kernelbenchx.spec.families import wrong
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis

Function = Callable[..., Any]


def any_strides(function: Function, axis: Axis, place: int, name: str) -> Promise:
    """Of the tensor that is given at this place; `axis` has its layouts."""
    kinds = tuple(option.name for option in axis.options if option.needs)
    mutant = wrong.strides_ignored(function, place, name)
    return Promise(f"`{name}` may have any strides.", axis.name, kinds, mutant)


def into_out(function: Function) -> Promise:
    """What `out=` does."""
    return Promise(
        "With `out`, a tensor of the result's shape and dtype and any strides, the result is "
        "written into it and that same tensor is returned.",
        "out",
        ("contiguous", "transposed", "strided"),
        wrong.out_ignored(function),
    )
