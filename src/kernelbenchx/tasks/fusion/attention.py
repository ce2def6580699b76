"""Scaled dot-product attention: softmax(q @ k^T * scale) @ v, over the keys, for each head.

q, k and v are (B, H, S, D) of one dtype, with any strides and queries as many as keys; the result
is (B, H, S, D). softmax_scale is taken literally; None means D ** -0.5. With causal=True the
scores of keys j > i are -inf for query i. The softmax subtracts the largest score of its row.
Everything is computed in float32, the probabilities included (they are not rounded to a 16-bit
dtype, and float32 products do not use TF32), and rounded once to q's dtype. With `out` (of the
result's shape, any floating dtype and strides) the result is rounded to out's dtype instead,
written there, and `out` is returned. A query with NaN gives a row of NaN. B, H and S may be 0.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
HALF = (torch.float16,)
Shape = tuple[int, int, int, int]


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
    layout: str = "contiguous",
    planted: tuple[float, ...] = (),
    into: torch.dtype | None = None,
    spread: float = 1.0,
    **options: float,
) -> Call:
    """Later keys score higher, so that a running maximum moves."""
    rise = torch.linspace(0.5, 1.5, max(shape[2], 1), device=draw.device)[: shape[2], None]
    q = draw.planted(draw.normal(shape, dtype, spread), planted)
    k = (draw.normal(shape, torch.float32) * rise).to(dtype)
    v = draw.normal(shape, dtype)
    written = {}
    if into is not None:
        written["out"] = draw.laid_out(draw.normal(shape, into), layout)
    return call(*(draw.laid_out(x, layout) for x in (q, k, v)), **options, **written)


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


def _not_causal(q, k, v, causal=False, softmax_scale=None, *, out=None):
    return attention(q, k, v, False, softmax_scale, out=out)


def _off_by_one(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """A query sees the key after its own."""
    scores = _scores(q, k, False, softmax_scale)
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(2)
        scores = scores.masked_fill(hidden, -math.inf)
    result = torch.softmax(scores, -1) @ v.float()
    return result.to(q.dtype) if out is None else out.copy_(result)


def _own_scale(q, k, v, causal=False, softmax_scale=None, *, out=None):
    return attention(q, k, v, causal, None, out=out)


def _scale_on_top(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Multiplies a given scale by D ** -0.5."""
    given = None if softmax_scale is None else softmax_scale * q.shape[-1] ** -0.5
    return attention(q, k, v, causal, given, out=out)


def _leaves_out(q, k, v, causal=False, softmax_scale=None, *, out=None):
    dtype = q.dtype if out is None else out.dtype
    return attention(q, k, v, causal, softmax_scale).to(dtype)


def _through_half(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Rounds the scores to float16."""
    scores = _scores(q, k, causal, softmax_scale).half().float()
    result = torch.softmax(scores, -1) @ v.float()
    return result.to(q.dtype) if out is None else out.copy_(result)


TASK = Task(
    reference=attention,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=(
        grid(shape=((1, 2, 71, 40),), dtype=FLOATS, causal=(False, True))
        + grid(shape=((2, 1, 33, 16),), dtype=FLOATS, layout=("transposed", "strided"))
        + grid(shape=((1, 2, 64, 32),), dtype=HALF, causal=(True,), softmax_scale=(0.125, 1.5))
        + case(shape=(1, 1, 50, 64), dtype=torch.float32, softmax_scale=1.0, spread=20.0)
        + case(shape=(1, 1, 50, 16), dtype=torch.float32, softmax_scale=-0.3, spread=1e-3)
        + case(shape=(2, 3, 5, 7), dtype=torch.float32, causal=True, planted=(math.nan, -0.0))
        + case(shape=(1, 1, 40, 8), dtype=torch.float16, softmax_scale=0.0)
        + grid(shape=((1, 2, 37, 24),), dtype=HALF, into=FLOATS, layout=("transposed",))
        + grid(shape=((1, 1, 1, 1), (2, 1, 0, 8)), dtype=(torch.float32,), causal=(True,))
    ),
    timings=(
        grid(shape=((2, 8, 1024, 64), (4, 16, 2048, 64)), dtype=(torch.float32,), causal=(True,))
        + grid(shape=((4, 16, 2048, 128),), dtype=HALF, causal=(False,))
    ),
    mutants=(
        Mutant("causal is ignored", _not_causal, ("causal",)),
        Mutant("a query sees one key too many", _off_by_one, ("causal",)),
        Mutant("softmax_scale is ignored", _own_scale, ("softmax_scale",)),
        Mutant("D ** -0.5 comes on top of a given scale", _scale_on_top, ("softmax_scale",)),
        Mutant("out is not written", _leaves_out, ("out",)),
        Mutant("scores are rounded to float16", _through_half, ("q", "k")),
        Patch(
            "the largest score is not subtracted",
            "higher = tl.maximum(top, tl.max(scores, axis=1))",
            "higher = tl.zeros_like(top)",
        ),
        Patch(
            "earlier blocks are not scaled down",
            "shrink = tl.exp(top - higher)",
            "shrink = tl.where(top > -float('inf'), 1.0, 0.0)",
        ),
        Patch(
            "padded keys count", "seen = keys[None, :] < s", "seen = keys[None, :] < s + 1", ("k",)
        ),
        Patch(
            "weights are rounded to float16",
            "acc = tl.dot(weights, z,",
            "acc = tl.dot(weights.to(tl.float16).to(tl.float32), z,",
            ("v",),
        ),
        Patch(
            "q is taken for contiguous",
            "q + b * q_b + h * q_h + rows * q_s + cols[None, :] * q_d",
            "q + b * q_b + h * q_h + rows * d + cols[None, :]",
            ("q",),
        ),
        Patch("every head reads the first head's values", "h * v_h", "0 * v_h", ("v",)),
    ),
    dtypes=FLOATS,
    difficulty=5,
    writes=("out",),
)
