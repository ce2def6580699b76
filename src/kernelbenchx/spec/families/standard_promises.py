"""Standard sentences of a statement, each with the options that try it and a wrong answer."""

from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis

Function = Callable[..., Any]


def any_strides(function: Function, axis: Axis, place: int, name: str) -> Promise:
    """Of the tensor that is given at this place; `axis` has its layouts."""
    kinds = tuple(option.name for option in axis.options if option.needs)
    mutant = mistakes.strides_ignored(function, place, name)
    return Promise(f"`{name}` may have any strides.", axis.name, kinds, mutant)


def input_strides(
    function: Function, text: str = "Any strides.", place: int = 0, of: str = "input"
) -> Promise:
    """Of the argument at a place, whose axis is called `layout`."""
    mutant = mistakes.strides_ignored(function, place, of)
    return Promise(text, "layout", ("transposed", "strided", "expanded"), mutant)


def may_be_empty(function: Function, text: str, axis: str, *options: str) -> Promise:
    """Some tensor that is given has no element."""
    return Promise(
        text, axis, options, mistakes.refuses(function, "refuses what is empty", _is_empty)
    )


def out_is_written(function: Function, text: str = "") -> Promise:
    """`out=`, on the axis that `axes.outs` gives."""
    standard = (
        "With `out`, a tensor of the result's shape and dtype and any strides, the result is "
        "written into it and that same tensor is returned."
    )
    options = ("contiguous", "transposed", "strided")
    return Promise(text or standard, "out", options, mistakes.out_ignored(function))


def _is_empty(*args: Any) -> bool:
    return any(isinstance(one, torch.Tensor) and one.numel() == 0 for one in args)
