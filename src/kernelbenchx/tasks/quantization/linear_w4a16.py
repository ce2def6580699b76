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
    Mutant,
    Rule,
    Scheme,
    case,
    grid,
    ignore_argument,
    quantise,
    quantized_product,
    symmetric,
)
from kernelbenchx.spec.ulps import ulp

HALF = torch.float16
BY_CHANNEL = Rule(over=1, levels=7)


def linear_w4a16(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    return _layer(input, _dequantise_weight(weight), bias)


def eager(input, weight, bias=None):
    return torch.nn.functional.linear(input, _dequantise_weight(weight), bias)


def _dequantise_weight(weight: torch.Tensor) -> torch.Tensor:
    codes, scale = quantise(weight, BY_CHANNEL)
    return (codes * scale).half()


def _layer(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    """Of operands that are rounded to float16."""
    x, w = (one.half().float() for one in (input, weight))
    return torch.nn.functional.linear(x, w, None if bias is None else bias.float()).half()


def scheme(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> Scheme:
    codes = symmetric(weight.mT, 0, 7, -8)
    exact = codes.values
    # A scale that is off by its last bit may round some weights to the other float16 neighbour.
    low, high = (exact * (1 - 2.0**-22)).half(), (exact * (1 + 2.0**-22)).half()
    rounded, x = exact.float().half().double(), input.double()
    added = torch.zeros((), dtype=torch.float64) if bias is None else bias.double()
    growth = max(1.0, math.sqrt(input.shape[1]) / 4)
    # The other code near a tie is a step away, and either one is rounded to float16.
    step = torch.where(codes.ambiguous, codes.scale + ulp(exact.abs() + codes.scale, HALF), 0.0)
    return Scheme(
        truth=x @ rounded + added,
        slack=x.abs() @ (step + (high.double() - low.double()).abs()),
        scale=growth * (x.abs() @ rounded.abs()) + added.abs(),
    )


def _bias_apart(input, weight, bias=None):
    """Rounds the sum before the bias is added."""
    result = linear_w4a16(input, weight)
    return result if bias is None else result + bias


TASK = quantized_product(
    linear_w4a16,
    layer=_layer,
    weight_rule=BY_CHANNEL,
    other_levels=127,
    scheme=scheme,
    dtypes=(HALF,),
    gives=HALF,
    scales={"small": 1e-4, "large": 1e2},
    spread=(-1.5, 0.5),
    corners=({"bias": "contiguous"}, {"bias": "strided", "sizes": "small"}),
    eager=eager,
    timings=grid(sizes=((8, 4096, 4096), (32, 4096, 16384)), bias=("contiguous",))
    # torch rounds before it adds a bias where sizes are odd.
    + case(sizes=(9, 4099, 4093), bias=None),
    mutants=(
        ignore_argument(linear_w4a16, "bias"),
        Mutant("the sum is rounded before the bias", _bias_apart, ("bias",)),
    ),
    difficulty=4,
)
