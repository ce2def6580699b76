"""Linear layer with 4-bit weights quantised inside the call: input @ dequantised(weight)^T + bias.

Input (B, K), weight (N, K) and bias (N,) or None are float16 and finite; the result is float16
(B, N). The weight is quantised symmetrically for each output channel in float32: s[n] = max over
k of |weight[n, k]| / 7, q[n, k] = round(weight[n, k] / s[n]), clamped to [-8, 7]. The codes are
packed two per byte along K, the first in the low nibble, in two's complement; an odd K is padded
with a zero nibble. (Only the result is returned, so the packed form is free.) Each dequantised
weight q * s is computed in float32 and rounded to float16. The input is not quantised. Products
are accumulated in float32, the bias is added to the float32 sum, and the result is rounded once
to float16.

The published reference is the unquantised layer; here the scheme itself is the exact result,
without groups along K.
"""

import math

import torch

from kernelbenchx.spec import (
    Call,
    Cost,
    Draw,
    Mutant,
    Scheme,
    call,
    grid,
    ignored,
    product_slack,
    quantized_product,
    symmetric,
)

HALF = torch.float16
Sizes = tuple[int, int, int]
SCALES = {"small": 1e-4, "large": 1e2}


def linear_w4a16(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    return _layer(input, _dequantised(weight), bias)


def eager(input, weight, bias=None):
    return torch.nn.functional.linear(input, _dequantised(weight), bias)


def _dequantised(weight, dim=1, levels=7, rounded=torch.round, of_zeros=0.0):
    scale = weight.float().abs().amax(dim, keepdim=True) / levels
    codes = torch.where(scale > 0, rounded(weight.float() / scale), of_zeros)
    return (codes.clamp(-levels - 1, levels) * scale).half()


def _layer(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    wide = None if bias is None else bias.float()
    return torch.nn.functional.linear(input.float(), weight.float(), wide).half()


def inputs(
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype = HALF,
    bias: str | None = None,
    layout: str = "contiguous",
    second_layout: str = "contiguous",
    values: str = "ordinary",
) -> Call:
    """Channels of very different size; the second of several is zero.

    With ties scales are powers of two, and half of the weights lie on a rounding tie.
    """
    b, k, n = sizes
    x = draw.normal((b, k), dtype)
    if values == "ties":
        unit = 2.0 ** draw.integers((n, 1), -5, 3)
        w = (draw.integers((n, k), -13, 14) / 2 * unit).half()
        w[:, :1] = (7 * unit).half()
    else:
        channel = 10 ** draw.uniform((n, 1), dtype, -1.5, 0.5)
        w = draw.normal((n, k), dtype, SCALES.get(values, 1.0)) * channel
    w[1:2] = 0.0
    added = draw.normal((n,), dtype) * 10 ** draw.uniform((n,), dtype, -1.0, 1.0)
    words = {} if bias is None else {"bias": draw.laid_out(added, bias)}
    return call(draw.laid_out(x, layout), draw.laid_out(w, second_layout), **words)


def cost(sizes: Sizes, bias: str | None = None, **_: object) -> Cost:
    b, k, n = sizes
    elements = b * k + n * k + b * n + (0 if bias is None else n)
    return Cost(flops=2 * b * k * n, bytes=2 * elements)


def scheme(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> Scheme:
    codes = symmetric(weight.mT, 0, 7, -8)
    exact = codes.values
    # A scale that is off by its last bit may round some weights to the other float16 neighbour.
    low, high = (exact * (1 - 2.0**-22)).half(), (exact * (1 + 2.0**-22)).half()
    rounded, x = exact.float().half().double(), input.double()
    added = torch.zeros((), dtype=torch.float64) if bias is None else bias.double()
    growth = max(1.0, math.sqrt(input.shape[1]) / 4)
    # The other code near a tie is a step away, and its rounding to float16 adds 14 * 2^-11 of it.
    steps = 1.01 * product_slack(x, codes)
    return Scheme(
        truth=x @ rounded + added,
        slack=steps + x.abs() @ (high.double() - low.double()).abs(),
        scale=growth * (x.abs() @ rounded.abs()) + added.abs(),
    )


def _with(dim=1, **rules):
    """Scales over other dimensions, or codes by other rules."""

    def answer(input, weight, bias=None):
        return _layer(input, _dequantised(weight, dim if weight.numel() else 1, **rules), bias)

    return answer


def _groups(input, weight, bias=None):
    parts = [_dequantised(part) for part in weight.split(64, 1)]
    return _layer(input, torch.cat(parts, 1), bias)


def _input_too(input, weight, bias=None):
    """Quantises the activations to eight bits."""
    return _layer(_dequantised(input, 1, 127), _dequantised(weight), bias)


def _bias_apart(input, weight, bias=None):
    """Rounds the sum before the bias is added."""
    result = _layer(input, _dequantised(weight), None)
    return result if bias is None else result + bias


TASK = quantized_product(
    linear_w4a16,
    scheme=scheme,
    dtypes=(HALF,),
    scales=tuple(SCALES),
    away_from_zero=_with(rounded=lambda x: (x.abs() + 0.5).floor() * x.sign()),
    zeros_divided=_with(of_zeros=torch.nan),
    corners=({"bias": "contiguous"}, {"bias": "strided", "sizes": "small"}),
    eager=eager,
    inputs=inputs,
    cost=cost,
    timings=grid(sizes=((8, 4096, 4096), (32, 4096, 16384), (9, 4099, 4093)), bias=("contiguous",)),
    mutants=(
        Mutant("nothing is quantised", lambda x, w, bias=None: _layer(x, w, bias), ("W-UNQ",)),
        Mutant("one scale for the whole weight", _with((0, 1)), ("weight", "I-QUANT")),
        Mutant("scales by input channel", _with(0), ("weight",)),
        Mutant("scales for groups along K", _groups, ("I-QUANT",)),
        Mutant("eight bits", _with(levels=127), ("B-CHK",)),
        Mutant("codes are truncated", _with(rounded=torch.trunc), ("weight",)),
        Mutant("the input is quantised as well", _input_too, ("input",)),
        ignored(linear_w4a16, "bias"),
        Mutant("the sum is rounded before the bias", _bias_apart, ("bias",)),
    ),
    difficulty=4,
    audit=("I-QUANT", "B-CHK", "W-UNQ"),
)
