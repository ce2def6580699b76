"""GELU of a batched matrix product with dropout in between: gelu(dropout(bmm(input1, input2), p)).

input1 (B, N, M) and input2 (B, M, P) of one dtype give (B, N, P) in that dtype. Dropout comes
before GELU: in training each element of the product is dropped with probability p, independently
and anew in every call, and a kept one is z / (1 - p); a dropped one gives exactly 0. With
training=False, or p = 0, nothing is dropped or scaled; with p = 1 in training all is 0.
GELU is 0.5 * x * (1 + erf(x / sqrt(2))) for approximate='none' and 0.5 * x * (1 + tanh(sqrt(2 /
pi) * (x + 0.044715 * x**3))) for 'tanh'. All is computed in float32 and rounded once; float32
products do not use TF32. `inplace` concerns the intermediate product alone and changes nothing
that a caller can see.

The published test compares with torch's own random stream, which no kernel can follow; here the
law of the mask is judged. The reference gives the value of every element if none is dropped.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import (
    Call,
    Close,
    Cost,
    Draw,
    Dropout,
    Mutant,
    Task,
    argument,
    call,
    case,
    grid,
)
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, SCALE, VALUES, drawn, one_of
from kernelbenchx.spec.families.chances import WRONG_MASKS, fair
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty, out_is_written
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space

Sizes = tuple[int, int, int, int]


def fused_bmm_dropout_gelu(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = _gelu(_product(input1, input2) * _factor(p, training), approximate, input1.dtype)
    return result if out is None else out.copy_(result)


def eager(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    kept = torch.nn.functional.dropout(torch.bmm(input1, input2), p, training, inplace)
    result = torch.nn.functional.gelu(kept, approximate=approximate)
    return result if out is None else out.copy_(result)


def _product(input1: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    if input1.dtype == torch.float64:
        return torch.bmm(input1, input2)
    return torch.bmm(input1.float(), input2.float())


def _gelu(x: torch.Tensor, approximate: str, dtype: torch.dtype) -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate=approximate).to(dtype)


def _factor(p: float, training: bool) -> float:
    if not training:
        return 1.0
    return 0.0 if p == 1 else 1.0 / (1.0 - p)


def inputs(
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype,
    values: float = 1.0,
    layout: str = "contiguous",
    layout2: str = "contiguous",
    out: str = "",
    **options: Any,
) -> Call:
    """`values` is the size of the product."""
    b, n, m, p = sizes
    x = draw.laid_out(draw.normal((b, n, m), dtype, values * max(m, 1) ** -0.5), layout)
    y = draw.laid_out(draw.normal((b, m, p), dtype), layout2)
    if out:
        options["out"] = draw.laid_out(draw.normal((b, n, p), dtype), out)
    return call(x, y, **options)


def cost(sizes: Sizes, dtype: torch.dtype, **_: object) -> Cost:
    b, n, m, p = sizes
    elements = b * (n * m + m * p + n * p)
    return Cost(flops=b * n * p * (2 * m + 10), bytes=elements * dtype.itemsize)


def keep(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    *_: object,
    **__: object,
) -> float:
    return 1.0 - p if training else 1.0


def scale_of(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    *_: object,
    **__: object,
) -> torch.Tensor:
    """The product of absolute values, scaled; GELU magnifies it by 1.13 at most.

    It is as large as the argument of 1 + erf, which cancels in the negative tail.
    """
    growth = 1.25 * max(1.0, math.sqrt(input1.shape[2]) / 8)
    return growth * _factor(p, training) * torch.bmm(input1.abs(), input2.abs())


SIZES = (
    Option("ordinary", drawn(2, (33, 70), (17, 70), (65, 99))),
    Option("whole blocks", drawn([1, 3], [32, 64], 32, 64)),
    Option("narrow", drawn(3, (9, 40), (3, 20), (3, 12))),
    Option("one", one_of((1, 1, 1, 1), (2, 1, 5, 1), (1, 7, 1, 3)), DEGENERATE),
    Option("none", one_of((2, 3, 0, 4), (2, 0, 3, 4), (0, 3, 2, 4)), DEGENERATE),
    # More than 2^16 elements: a mask that repeats after 2^16 shows.
    Option("large", drawn(2, (115, 125), 3, (290, 310)), SCALE),
    Option("long", drawn(1, 2, (8200, 9000), 3), SCALE),
)
RATES = (
    Option("not given", OMITTED),
    Option("a part", one_of(0.1, 0.25, 0.3, 0.7)),
    # Called often: the rate of each position shows.
    Option("hardly any", 0.0005, calls=6),
    Option("nearly all", 0.9995, calls=6),
    Option("nothing", 0.0, VALUES),
    Option("everything", 1.0, VALUES),
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    rare = chosen["p"] in ("hardly any", "nearly all")
    if rare and (chosen["sizes"] != "ordinary" or chosen["training"] == "no"):
        return False  # few positions say nothing, many take long
    flat = chosen["sizes"] in ("one", "none")
    return not flat or (chosen["layout"], chosen["layout2"]) == ("contiguous", "contiguous")


def _answer(change):
    """`change(product, p, training, approximate)`, in float32, gives the result."""

    def answer(a, b, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
        result = change(_product(a, b), p, training, approximate).to(a.dtype)
        return result if out is None else out.copy_(result)

    return answer


def _masked(mask):
    """`mask(product, p)` says what is kept."""

    def change(x, p, training, approximate):
        kept = mask(x, p) if training else torch.ones_like(x, dtype=torch.bool)
        return _gelu(torch.where(kept, x * _factor(p, training), 0.0), approximate, x.dtype)

    return _answer(change)


def _always(x, p, training, approximate):
    return _gelu(torch.where(fair(x, p), x * _factor(p, True), 0.0), approximate, x.dtype)


def _after(x, p, training, approximate):
    kept = fair(x, p) if training else torch.ones_like(x, dtype=torch.bool)
    return torch.where(kept, _gelu(x, approximate, x.dtype) * _factor(p, training), 0.0)


def _unscaled(x, p, training, approximate):
    kept = fair(x, p) if training else torch.ones_like(x, dtype=torch.bool)
    return _gelu(torch.where(kept, x, 0.0), approximate, x.dtype)


_right = _masked(fair)

TASK = Task(
    reference=fused_bmm_dropout_gelu,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Dropout(keep=keep, given=fused_bmm_dropout_gelu, close=Close(scale=scale_of)),
    space=Space(
        (
            Axis("sizes", SIZES),
            axes.dtypes(FLOATS),
            Axis("p", RATES),
            argument("training", not_given=None, no=False, yes=True),
            argument("approximate", not_given=None, tanh="tanh", none="none"),
            axes.layouts(),
            axes.layouts("layout2", ("transposed", "strided", "expanded")),
            axes.outs(),
            Axis("values", (Option("ordinary", OMITTED), Option("wide", 4.0, VALUES))),
        ),
        valid=_is_valid,
        corners=(
            {"sizes": "large"},
            {"sizes": "large", "dtype": "float16"},
            {"p": "hardly any"},
            {"p": "hardly any", "approximate": "tanh"},
            {"p": "nearly all", "dtype": "float16", "approximate": "tanh"},
            {"p": "nearly all"},
            {"training": "no", "layout": "transposed", "layout2": "transposed"},
            {"training": "no", "layout": "strided", "layout2": "strided", "dtype": "bfloat16"},
            {"p": "everything"},
            {"sizes": "none"},
        ),
        calls=16,
    ),
    promises=(
        input_strides(_right, "input1 and input2 may have any strides."),
        out_is_written(_right),
        may_be_empty(_right, "Sizes may be 0.", "sizes", "none"),
    ),
    timings=(
        # Large: who draws is timed from outside, where a call of 80 us shows how fast the host is.
        grid(sizes=((32, 1024, 1024, 1024),), dtype=FLOATS[:2], p=(0.5,))
        + case(sizes=(8, 2048, 2048, 2048), dtype=torch.bfloat16, p=0.1, approximate="tanh")
        + case(sizes=(31, 1021, 1027, 1019), dtype=torch.float16, p=0.5)
    ),
    mutants=(
        Mutant("dropout after GELU", _answer(_after), ("p",)),
        Mutant("dropout outside training", _answer(_always), ("training",)),
        Mutant("no dropout", fused_bmm_dropout_gelu, ("p", "training")),
        Mutant("kept values not scaled", _answer(_unscaled), ("p",)),
        wrong.ignored(_right, "approximate"),
        wrong.strides_ignored(_right, 1, "input2"),
        *(Mutant(name, _masked(mask), ("I-RNG", "p")) for name, mask in WRONG_MASKS.items()),
    ),
    dtypes=FLOATS,
    difficulty=3,
    writes=("out",),
    inert=("inplace",),
    randomness="randint",
    audit=("I-RNG",),
)
