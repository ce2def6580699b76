"""Products of matrices that are quantised inside the call."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from kernelbenchx.spec.families import wrong
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.axes import layouts, optional, without, words
from kernelbenchx.spec.families.matmul import sizes
from kernelbenchx.spec.families.sentences import any_strides
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.quantized import Quantized, Scheme
from kernelbenchx.spec.space import Axis, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]


def quantized_product(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    scheme: Callable[..., Scheme],
    dtypes: tuple[torch.dtype, ...],
    scales: tuple[str, ...],
    away_from_zero: Function,
    zeros_divided: Function,
    factor: float = 4.0,
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: input, weight, perhaps `bias` by name.

    `scales`: words for other sizes of values. `factor`: of the contract. Wrong answers:
    `away_from_zero` rounds ties so, `zeros_divided` divides by a scale of 0. `rest`: fields of
    `Task`. `inputs` has a parameter `values`, which is "ties" where quotients should lie there.
    """
    axes = (
        without(sizes(), "empty sum"),
        dtype_axis(dtypes),
        layouts(),
        layouts("second_layout", ("transposed", "strided", "expanded")),
        *((optional("bias"),) if "bias" in inspect.signature(function).parameters else ()),
        words("values", *scales, "ties"),
    )
    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    fixed += (
        {"layout": "transposed", "second_layout": "transposed"},
        {"sizes": "empty"},
        {"sizes": "empty", "values": "ties"},
        {"values": "ties"},
        {"values": "ties", "sizes": "small", "dtype": fixed[-1]["dtype"]},
    )
    return Task(
        reference=function,
        contract=Quantized(scheme=scheme, factor=factor),
        space=Space(
            axes,
            valid=lambda chosen: _is_valid(chosen) and valid(chosen),
            corners=fixed + corners,
        ),
        promises=(*_promises(function, axes, away_from_zero, zeros_divided), *promises),
        dtypes=dtypes,
        **rest,
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    ways = {chosen["layout"], chosen["second_layout"]}
    return chosen["sizes"] != "empty" or ways == {"contiguous"}


def _promises(
    function: Function, axes: tuple[Axis, ...], away_from_zero: Function, zeros_divided: Function
) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    yield any_strides(function, known["layout"], 0, "input")
    yield any_strides(function, known["second_layout"], 1, "weight")
    if "bias" in known:
        yield any_strides(function, known["bias"], 2, "bias")
    yield Promise(
        "Codes are quotients, by division, rounded to nearest, ties to even.",
        "values",
        ("ties",),
        Mutant("ties go away from zero", away_from_zero),
    )
    yield Promise(
        "Values that share a scale and are all zero have scale 0 and codes 0.",
        "values",
        ("ordinary",),
        Mutant("zeros divided by their scale", zeros_divided),
    )
    yield Promise(
        "The summed size is at least 1; the other sizes may be 0.",
        "sizes",
        ("empty",),
        wrong.refuses(function, "empty result refused", lambda x, w, *_: not x.numel() * w.numel()),
    )
