"""Scaled dot-product attention: softmax(q @ k^T * scale) @ v, over the keys, for each head.

q, k and v are (B, H, S, D) of one dtype, with queries as many as keys; the result is (B, H, S, D).
softmax_scale is taken literally; None means D ** -0.5. With causal=True the scores of keys j > i
are -inf for query i. The softmax subtracts the largest score of its row. Everything is computed in
float32 and rounded once to q's dtype; float32 products do not use TF32. Where the inputs have 16
bits, the exponentials may be rounded to their dtype before they are multiplied with v, as flash
attention does; sums stay in float32. A query with NaN gives a row of NaN.
"""

import math

import torch

from kernelbenchx.spec import Mutant, attention_family, case
from kernelbenchx.spec.families.attention import scores_of, wide


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = torch.softmax(scores_of(q, k, causal, softmax_scale), -1) @ wide(v)
    return result.to(q.dtype) if out is None else out.copy_(result)


def eager(q, k, v, causal=False, softmax_scale=None, *, out=None):
    result = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=causal, scale=softmax_scale
    )
    return result if out is None else out.copy_(result)


def _through(change, masked=True):
    """Attention whose scores, weights and v pass through a function before they are multiplied."""

    def answer(q, k, v, causal=False, softmax_scale=None, *, out=None):
        scores = scores_of(q, k, causal and masked, softmax_scale)
        weights, v = change(scores, wide(v), causal)
        result = weights @ v
        return result.to(q.dtype) if out is None else out.copy_(result)

    return answer


def _off_by_one(scores, v, causal):
    diagonal = 2 if causal else scores.shape[-1]
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(diagonal)
    return torch.softmax(scores.masked_fill(hidden, -math.inf), -1), v


def _nothing_subtracted(scores, v, _causal):
    powers = scores.exp()
    return powers / powers.sum(-1, keepdim=True), v


def _window(scores, v, _causal):
    return torch.softmax(scores[..., :1024], -1), v[..., :1024, :]


def _weights_in_fp8(scores, v, _causal):
    return torch.softmax(scores, -1).to(torch.float8_e4m3fn).to(scores.dtype), v


def _scale_on_top(q, k, v, causal=False, softmax_scale=None, *, out=None):
    scale = None if softmax_scale is None else softmax_scale * q.shape[-1] ** -0.5
    return attention(q, k, v, causal, scale, out=out)


def _summed_in_16_bits(q, k, v, causal=False, softmax_scale=None, *, out=None):
    weights = torch.softmax(scores_of(q, k, causal, softmax_scale), -1)
    total = torch.zeros_like(q)
    for key in range(k.shape[2] if q.dtype != torch.float32 else 0):
        total = total + (weights[..., key, None] * wide(v)[:, :, key, None]).to(q.dtype)
    total = total if q.dtype != torch.float32 else weights @ v
    return total if out is None else out.copy_(total)


def _rounded_twice(*args, out=None, **words):
    result = attention(*args, **words)
    return result if out is None else out.copy_(result)


TASK = attention_family(
    attention,
    eager=eager,
    timings=case(shape=(2, 8, 1024, 64), dtype=torch.float32, causal=True)
    + case(shape=(4, 16, 2048, 128), dtype=torch.float16, causal=False)
    + case(shape=(4, 16, 2041, 72), dtype=torch.bfloat16, causal=True),
    mutants=(
        Mutant("a query sees one key too many", _through(_off_by_one, masked=False), ("causal",)),
        Mutant("D ** -0.5 on top of a given scale", _scale_on_top, ("softmax_scale",)),
        Mutant(
            "scores rounded to float16",
            _through(lambda scores, v, _: (torch.softmax(scores.half().to(v.dtype), -1), v)),
            ("q", "k"),
        ),
        Mutant("weights rounded to fp8", _through(_weights_in_fp8), ("v",)),
        Mutant("summed in 16 bits", _summed_in_16_bits, ("v",)),
        Mutant("rounded to q's dtype before out", _rounded_twice, ("out",)),
        Mutant("the largest score not subtracted", _through(_nothing_subtracted)),
        Mutant("only the first 1024 keys", _through(_window), ("k",)),
    ),
    difficulty=5,
)
