"""Tasks that weigh values by the softmax of scores: attention and its kin."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    LAYOUT,
    SCALE,
    VALUES,
    argument,
    draw_shape,
    one_of,
)
from kernelbenchx.spec.families.standard_promises import input_strides, may_be_empty, out_is_written
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, int, int, int]
SUBNORMAL = 2.0**-14
"""Below it float16 rounds to multiples, so a smaller weight is wrong by as much as this one."""


def attention_family(
    function: Function,
    *,
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(q, k, v, causal, softmax_scale, *, out)` is the reference.

    q, k and v are (B, H, S, D). `corners` follow those of every attention. `rest`: fields of
    `Task`.
    """
    fields: dict[str, Any] = {
        "inputs": _inputs,
        "cost": _cost,
        "contract": Close(scale=_scale, operands=_operands),
        "dtypes": FLOATS,
        "writes": ("out",),
    }
    return Task(
        reference=function,
        space=Space(_AXES, valid=_is_valid, corners=(*_CORNERS, *corners)),
        promises=(
            input_strides(function, "All tensors may have any strides.", 0, "q"),
            out_is_written(
                function,
                "With `out` (of the result's shape, any floating dtype and strides) the result is "
                "rounded to out's dtype instead, written there, and `out` is returned.",
            ),
            may_be_empty(function, "B, H and S may be 0.", "shape", "none"),
            *promises,
        ),
        mutants=(
            mistakes.strides_ignored(function, 1, "k"),
            mistakes.strides_ignored(function, 2, "v"),
            mistakes.ignore_argument(function, "causal"),
            mistakes.ignore_argument(function, "softmax_scale"),
            *mutants,
        ),
        **fields | rest,
    )


def scores_of(
    q: torch.Tensor, k: torch.Tensor, causal: bool = False, softmax_scale: float | None = None
) -> torch.Tensor:
    """In float32 at least; -inf where a query must not look."""
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    scores = wide(q) @ wide(k).mT * scale
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return scores


def wide(x: torch.Tensor) -> torch.Tensor:
    """In float32 at least."""
    return x if x.dtype == torch.float64 else x.float()


def _inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    values: str = "",
    out: str = "",
    into: torch.dtype | None = None,
    **options: Any,
) -> Call:
    """Later keys score higher, so that a running maximum moves."""
    rise = torch.linspace(0.5, 1.5, max(shape[2], 1), device=draw.device)[: shape[2], None]
    q = draw.normal(shape, dtype, _SPREAD.get(values, 1.0))
    q = draw.plant(q, (math.nan, -0.0)) if values == "NaN" else q
    k = (draw.normal(shape, torch.float32) * rise).to(dtype)
    v = draw.normal(shape, dtype) + (10 if values == "v around 10" else 0)
    laid_out = [
        _laid_out(draw, x, options.pop(name, "contiguous"))
        for x, name in ((q, "layout"), (k, "k_layout"), (v, "v_layout"))
    ]
    if out:
        options["out"] = draw.laid_out(draw.normal(shape, into or dtype), out)
    return call(*laid_out, **options)


def _laid_out(draw: Draw, x: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "heads inside":  # (B, S, H, D) in memory
        return x.transpose(1, 2).contiguous().transpose(1, 2)
    return draw.laid_out(x, layout)


def _cost(
    shape: Shape,
    dtype: torch.dtype,
    causal: bool = False,
    into: torch.dtype | None = None,
    **_: object,
) -> Cost:
    b, h, s, d = shape
    pairs = b * h * (s * (s + 1) // 2 if causal else s * s)
    written = (into or dtype).itemsize
    return Cost(flops=(4 * d + 4) * pairs, bytes=b * h * s * d * (3 * dtype.itemsize + written))


def _scale(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Rounding of a score moves its weight by as much, relatively, and so does its exponential."""
    scores = scores_of(q, k, causal, softmax_scale)
    weights = torch.softmax(scores, -1)
    factor = q.shape[-1] ** -0.5 if softmax_scale is None else abs(softmax_scale)
    below = (scores.logsumexp(-1, keepdim=True) - scores).clamp(max=200.0)
    moved = 1.0 + below + factor * (q.abs() @ k.abs().mT)
    moved = moved + (weights * moved).sum(-1, keepdim=True)
    terms = (weights * moved) @ v.abs()
    return terms if out is None else (terms, terms)


def _operands(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,  # noqa: ARG001 - the arguments of the task
) -> torch.Tensor:
    """Weights are rounded before they meet v: the root of the sum of (weight * v)^2."""
    weights = torch.softmax(scores_of(q, k, causal, softmax_scale), -1)
    weights = torch.where(weights > 0, weights.clamp(min=SUBNORMAL), weights)
    return (weights.square() @ v.square()).sqrt()


_SPREAD = {"large scores": 20.0, "small scores": 1e-3}
_SHAPES = (
    Option("ordinary", draw_shape((1, 3), 2, (33, 90), (9, 48))),
    Option("whole blocks", draw_shape(1, 2, [32, 64, 128], [16, 32, 64])),
    Option("short", draw_shape(2, (2, 4), (2, 9), (3, 9))),
    Option("wide heads", draw_shape(1, 1, (17, 40), (65, 129))),
    Option("one", one_of((1, 1, 1, 1), (2, 1, 1, 5), (1, 2, 9, 1)), DEGENERATE),
    Option("none", one_of((2, 1, 0, 8), (0, 2, 5, 8), (2, 0, 5, 8)), DEGENERATE),
    Option(
        "long", draw_shape(1, 1, (515, 560), (3, 8)), SCALE, after=draw_shape(1, 1, (270, 300), 5)
    ),
    Option(
        "very long",
        draw_shape(1, 1, (1026, 1090), (3, 8)),
        SCALE,
        after=draw_shape(1, 1, (270, 300), 5),
    ),
)
_FACTORS = (
    Option("not given", OMITTED),
    Option("small", 0.125),
    Option("large", 1.5),
    Option("negative", -0.3, VALUES),
    Option("zero", 0.0, VALUES),
)
_INTO = (Option("as q", OMITTED), *(Option(f"into {str(one)[6:]}", one, LAYOUT) for one in FLOATS))
_AXES = (
    Axis("shape", _SHAPES),
    axes.dtypes(FLOATS),
    argument("causal", not_given=None, yes=True, no=False),
    Axis("softmax_scale", _FACTORS),
    axes.layouts(),
    axes.layouts("k_layout", ("transposed", "strided", "heads inside")),
    axes.layouts("v_layout", ("transposed", "strided", "expanded")),
    axes.outs(),
    Axis("into", _INTO),
    axes.values(("large scores", "small scores", "v around 10", "NaN")),
)
_CORNERS = (
    {"causal": "yes"},
    {"dtype": "bfloat16"},
    {"dtype": "float16", "causal": "yes", "softmax_scale": "large"},
    {"layout": "transposed", "k_layout": "transposed", "v_layout": "transposed"},
    {"layout": "strided", "k_layout": "strided", "v_layout": "strided"},
    {"dtype": "float16", "out": "transposed", "into": "into float32"},
    {"dtype": "float16", "out": "contiguous", "into": "into float32", "causal": "yes"},
    {"values": "large scores", "softmax_scale": "large"},
    {"values": "large scores", "softmax_scale": "large", "dtype": "bfloat16"},
    {"shape": "none"},
    {"shape": "none", "causal": "yes"},
    {"shape": "long", "causal": "yes"},
    {"shape": "very long"},
    # Rounded weights average out over many keys: what is left is how the result is rounded.
    {"dtype": "float16", "out": "strided", "into": "into float32", "values": "v around 10"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    shape, out = chosen["shape"], chosen["out"]
    if chosen["into"] != "as q" and out == "not given":
        return False
    laid_out = {chosen[one] for one in ("layout", "k_layout", "v_layout")}
    if shape == "very long":  # these calls are slow: none for other options
        return laid_out == {"contiguous"} and (out, chosen["values"]) == ("not given", "ordinary")
    if shape in ("one", "none") and laid_out != {"contiguous"}:
        return False
    return shape != "none" or chosen["values"] == "ordinary"
