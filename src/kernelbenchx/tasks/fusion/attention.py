"""Scaled dot-product attention: softmax(q @ k^T * scale) @ v, over the keys, for each head.

q, k and v are (B, H, S, D) of one dtype, with queries as many as keys; the result is (B, H, S, D).
softmax_scale is taken literally; None means D ** -0.5. With causal=True the scores of keys j > i
are -inf for query i. The softmax subtracts the largest score of its row. Everything is computed in
float32, the probabilities included (they are not rounded to a 16-bit dtype, and float32 products do
not use TF32), and rounded once to q's dtype. A query with NaN gives a row of NaN.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Promise, Task, argument, call, case
from kernelbenchx.spec import grid as cases
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, DTYPE, FLOATS, SCALE, VALUES, drawn, one_of
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty, out_is_written
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space

Shape = tuple[int, int, int, int]
SPREAD = {"large scores": 20.0, "small scores": 1e-3}


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    weights = torch.softmax(_scores(q, k, causal, softmax_scale), -1)
    result = weights @ _wide(v)
    return result.to(q.dtype) if out is None else out.copy_(result)


def eager(q, k, v, causal=False, softmax_scale=None, *, out=None):
    result = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, scale=softmax_scale
    )
    return result if out is None else out.copy_(result)


def _wide(x: torch.Tensor) -> torch.Tensor:
    return x if x.dtype == torch.float64 else x.float()


def _scores(
    q: torch.Tensor, k: torch.Tensor, causal: bool, softmax_scale: float | None
) -> torch.Tensor:
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    scores = _wide(q) @ _wide(k).mT * scale
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return scores


def inputs(
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
    q = draw.normal(shape, dtype, SPREAD.get(values, 1.0))
    q = draw.planted(q, (math.nan, -0.0)) if values == "NaN" else q
    k = (draw.normal(shape, torch.float32) * rise).to(dtype)
    laid_out = [
        _laid_out(draw, x, options.pop(name, "contiguous"))
        for x, name in ((q, "layout"), (k, "k_layout"), (draw.normal(shape, dtype), "v_layout"))
    ]
    if out:
        options["out"] = draw.laid_out(draw.normal(shape, into or dtype), out)
    return call(*laid_out, **options)


def _laid_out(draw: Draw, x: torch.Tensor, layout: str) -> torch.Tensor:
    if layout == "heads inside":  # (B, S, H, D) in memory
        return x.transpose(1, 2).contiguous().transpose(1, 2)
    return draw.laid_out(x, layout)


def cost(
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


def scale_of(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """Rounding of a score moves its weight by as much, relatively, and so does its exponential."""
    scores = _scores(q, k, causal, softmax_scale)
    weights = torch.softmax(scores, -1)
    factor = q.shape[-1] ** -0.5 if softmax_scale is None else abs(softmax_scale)
    below = (scores.logsumexp(-1, keepdim=True) - scores).clamp(max=200.0)
    moved = 1.0 + below + factor * (q.abs() @ k.abs().mT)
    moved = moved + (weights * moved).sum(-1, keepdim=True)
    terms = (weights * moved) @ v.abs()
    return terms if out is None else (terms, terms)


SHAPES = (
    Option("ordinary", drawn((1, 3), 2, (33, 90), (9, 48))),
    Option("whole blocks", drawn(1, 2, [32, 64, 128], [16, 32, 64])),
    Option("short", drawn(2, (2, 4), (2, 9), (3, 9))),
    Option("wide heads", drawn(1, 1, (17, 40), (65, 129))),
    Option("one", one_of((1, 1, 1, 1), (2, 1, 1, 5), (1, 2, 9, 1)), DEGENERATE),
    Option("none", one_of((2, 1, 0, 8), (0, 2, 5, 8), (2, 0, 5, 8)), DEGENERATE),
    Option("long", drawn(1, 1, (515, 560), (3, 8)), SCALE),
)
FACTORS = (
    Option("not given", OMITTED),
    Option("small", 0.125),
    Option("large", 1.5),
    Option("negative", -0.3, VALUES),
    Option("zero", 0.0, VALUES),
)
INTO = (Option("as q", OMITTED), *(Option(f"into {str(one)[6:]}", one, DTYPE) for one in FLOATS))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["into"] != "as q" and chosen["out"] == "not given":
        return False
    laid_out = {chosen[one] for one in ("layout", "k_layout", "v_layout")}
    if chosen["shape"] in ("one", "none") and laid_out != {"contiguous"}:
        return False
    return chosen["shape"] != "none" or chosen["values"] == "ordinary"


def _not_causal(q, k, v, causal=False, softmax_scale=None, *, out=None):
    return attention(q, k, v, False, softmax_scale, out=out)


def _weighted(q, v, scores, out):
    result = torch.softmax(scores, -1) @ v.float()
    return result.to(q.dtype) if out is None else out.copy_(result)


def _off_by_one(q, k, v, causal=False, softmax_scale=None, *, out=None):
    scores = _scores(q, k, False, softmax_scale)
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(2 if causal else q.shape[2])
    return _weighted(q, v, scores.masked_fill(hidden, -math.inf), out)


def _own_scale(q, k, v, causal=False, softmax_scale=None, *, out=None):
    return attention(q, k, v, causal, out=out)


def _scale_on_top(q, k, v, causal=False, softmax_scale=None, *, out=None):
    scale = None if softmax_scale is None else softmax_scale * q.shape[-1] ** -0.5
    return attention(q, k, v, causal, scale, out=out)


def _through_half(q, k, v, causal=False, softmax_scale=None, *, out=None):
    return _weighted(q, v, _scores(q, k, causal, softmax_scale).half().float(), out)


def _half_weights(q, k, v, causal=False, softmax_scale=None, *, out=None):
    weights = torch.softmax(_scores(q, k, causal, softmax_scale), -1)
    result = weights.half().float() @ v.float()
    return result.to(q.dtype) if out is None else out.copy_(result)


def _nothing_subtracted(q, k, v, causal=False, softmax_scale=None, *, out=None):
    powers = _scores(q, k, causal, softmax_scale).exp()
    result = powers @ v.float() / powers.sum(-1, keepdim=True)
    return result.to(q.dtype) if out is None else out.copy_(result)


def _window(q, k, v, causal=False, softmax_scale=None, *, out=None):
    scores = _scores(q, k, causal, softmax_scale)
    scores[..., 512:] = -math.inf
    return _weighted(q, v, scores, out)


def _in_q_dtype(q, k, v, causal=False, softmax_scale=None, *, out=None):
    result = attention(q, k, v, causal, softmax_scale)
    return result if out is None else out.copy_(result)


TASK = Task(
    reference=attention,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    space=Space(
        (
            Axis("shape", SHAPES),
            axes.dtypes(FLOATS),
            argument("causal", not_given=None, yes=True, no=False),
            Axis("softmax_scale", FACTORS),
            axes.layouts(),
            axes.layouts("k_layout", ("transposed", "strided", "heads inside")),
            axes.layouts("v_layout", ("transposed", "strided", "expanded")),
            axes.outs(),
            Axis("into", INTO),
            axes.values(
                (
                    "large scores",
                    "small scores",
                    "NaN",
                )
            ),
        ),
        valid=_is_valid,
        corners=(
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
        ),
    ),
    promises=(
        input_strides(attention, "All tensors may have any strides."),
        out_is_written(
            attention,
            "With `out` (of the result's shape, any floating dtype and strides) the result is "
            "rounded to out's dtype instead, written there, and `out` is returned.",
        ),
        may_be_empty(attention, "B, H and S may be 0.", "shape", "none"),
        Promise(
            "An `out` that is wider than q holds more than q's dtype could.",
            "into",
            ("into float32",),
            Mutant("rounded to q's dtype on its way to out", _in_q_dtype, ("out",)),
        ),
    ),
    timings=(
        cases(shape=((2, 8, 1024, 64), (4, 16, 2048, 64)), dtype=(torch.float32,), causal=(True,))
        + case(shape=(4, 16, 2048, 128), dtype=torch.float16, causal=False)
        + case(shape=(4, 16, 2041, 72), dtype=torch.bfloat16, causal=True)
    ),
    mutants=(
        Mutant("causal ignored", _not_causal, ("causal",)),
        Mutant("a query sees one key too many", _off_by_one, ("causal",)),
        Mutant("softmax_scale ignored", _own_scale, ("softmax_scale",)),
        Mutant("D ** -0.5 on top of a given scale", _scale_on_top, ("softmax_scale",)),
        Mutant("scores rounded to float16", _through_half, ("q", "k")),
        Mutant("weights rounded to float16", _half_weights, ("v",)),
        Mutant("the largest score not subtracted", _nothing_subtracted),
        Mutant("only the first 512 keys", _window, ("k",)),
        wrong.strides_ignored(attention, 1, "k"),
        wrong.strides_ignored(attention, 2, "v"),
    ),
    dtypes=FLOATS,
    difficulty=5,
    writes=("out",),
)
