"""Linear layer with 4-bit weights quantised inside the call: input @ dequantised(weight)^T + bias.

Input (B, K), weight (N, K) and bias (N,) or None are float16 (any strides, finite); the result is
float16 (B, N). The weight is quantised symmetrically for each output channel in float32: s[n] =
max over k of |weight[n, k]| / 7, q[n, k] = round(weight[n, k] / s[n]) to nearest, ties to even,
by division, clamped to [-8, 7]; a row of zeros has scale 0 and codes 0. The codes are packed two
per byte along K, the first in the low nibble, in two's complement; an odd K is padded with a zero
nibble. (Only the result is returned, so the packed form is free.) Each dequantised weight q * s
is computed in float32 and rounded to float16. The input is not quantised. Products are
accumulated in float32, the bias is added to the float32 sum, and the result is rounded once to
float16. K is at least 1; B and N may be 0.

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
    Patch,
    Quantized,
    Scheme,
    Task,
    call,
    case,
    grid,
    product_slack,
    symmetric,
)

Sizes = tuple[int, int, int]


def linear_w4a16(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    return _layer(input, _dequantised(weight), bias)


def eager(input, weight, bias=None):
    return torch.nn.functional.linear(input, _dequantised(weight), bias)


def _dequantised(
    weight: torch.Tensor, dim: int | tuple[int, int] = 1, levels: int = 7
) -> torch.Tensor:
    scale = weight.float().abs().amax(dim, keepdim=True) / levels
    codes = torch.where(scale > 0, torch.round(weight.float() / scale), 0.0)
    return (codes.clamp(-levels - 1, levels) * scale).half()


def _layer(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    wide = None if bias is None else bias.float()
    return torch.nn.functional.linear(input.float(), weight.float(), wide).half()


def inputs(
    draw: Draw,
    sizes: Sizes,
    bias: float | None = None,
    layout: str = "contiguous",
    scale: float = 1.0,
    ties: bool = False,
) -> Call:
    """Channels of very different size; the second of several is zero.

    With `ties`: scales are powers of two, and half of the weights lie on a rounding tie.
    """
    b, k, n = sizes
    x = draw.normal((b, k), torch.float16)
    if ties:
        unit = 2.0 ** draw.integers((n, 1), -5, 3)
        w = (draw.integers((n, k), -13, 14) / 2 * unit).half()
        w[:, :1] = (7 * unit).half()
    else:
        channel = 10 ** draw.uniform((n, 1), torch.float16, -1.5, 0.5)
        w = draw.normal((n, k), torch.float16, scale) * channel
    w[1:2] = 0.0
    added = {} if bias is None else {"bias": draw.normal((n,), torch.float16, bias)}
    return call(draw.laid_out(x, layout), draw.laid_out(w, layout), **added)


def cost(sizes: Sizes, bias: float | None = None, **_: object) -> Cost:
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


def _unquantised(input, weight, bias=None):
    return _layer(input, weight, bias)


def _one_scale(input, weight, bias=None):
    return _layer(input, _dequantised(weight, (0, 1) if weight.numel() else 1), bias)


def _scale_by_input(input, weight, bias=None):
    return _layer(input, _dequantised(weight, 0 if weight.numel() else 1), bias)


def _groups(input, weight, bias=None):
    parts = [_dequantised(part) for part in weight.split(64, 1)]
    return _layer(input, torch.cat(parts, 1), bias)


def _eight_bits(input, weight, bias=None):
    return _layer(input, _dequantised(weight, 1, 127), bias)


def _input_too(input, weight, bias=None):
    """Quantises the activations to eight bits."""
    return _layer(_dequantised(input, 1, 127), _dequantised(weight), bias)


def _without_bias(input, weight, bias=None):
    return _layer(input, _dequantised(weight), None)


def _bias_apart(input, weight, bias=None):
    """Rounds the sum before the bias is added."""
    result = _layer(input, _dequantised(weight), None)
    return result if bias is None else result + bias


TASK = Task(
    reference=linear_w4a16,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Quantized(scheme=scheme),
    checks=(
        grid(sizes=((19, 130, 70),), bias=(None, 1.0), layout=("contiguous", "transposed"))
        + grid(sizes=((34, 257, 9),), bias=(10.0,), layout=("strided", "offset"))
        + case(sizes=(5, 2100, 6), bias=1.0)  # several blocks of the scale
        + grid(sizes=((7, 67, 5),), scale=(1e-4, 1e2))
        + case(sizes=(6, 40, 9), ties=True)
        + grid(sizes=((1, 1, 1), (1, 2, 3), (3, 1, 2), (1, 301, 66)), bias=(0.1,))
        + grid(sizes=((0, 3, 2), (2, 3, 0)))
    ),
    timings=grid(sizes=((8, 4096, 4096), (32, 4096, 16384)), bias=(1.0,)),
    mutants=(
        Mutant("nothing is quantised", _unquantised, ("W-UNQ",)),
        Mutant("one scale for the whole weight", _one_scale, ("weight", "I-QUANT")),
        Mutant("scales by input channel", _scale_by_input, ("weight",)),
        Mutant("scales for groups along K", _groups, ("I-QUANT",)),
        Mutant("eight bits", _eight_bits, ("B-CHK",)),
        Mutant("the input is quantised as well", _input_too, ("input",)),
        Mutant("the bias is left out", _without_bias, ("bias",)),
        Mutant("the sum is rounded before the bias", _bias_apart, ("bias",)),
        Patch("codes are truncated", "libdevice.rint(", "libdevice.trunc("),
        Patch("ties go away from zero", "libdevice.rint(", "libdevice.round("),
        Patch(
            "ties go up",
            "libdevice.rint(tl.div_rn(v, divisor))",
            "tl.floor(tl.div_rn(v, divisor) + 0.5)",
        ),
        Patch(
            "nibbles are read without their sign",
            "tl.where(nibble > 7, nibble - 16, nibble)",
            "nibble",
            ("weight",),
        ),
        Patch("nibbles are swapped", "(low | (high << 4))", "(high | (low << 4))"),
        Patch(
            "the input is taken for contiguous",
            "x += rows[:, None] * x_row",
            "x += rows[:, None] * k",
            ("input",),
        ),
        Patch("an odd K loses its last value", "half = (k + 1) // 2", "half = k // 2"),
    ),
    dtypes=(torch.float16,),
    difficulty=4,
    audit=("I-QUANT", "B-CHK", "W-UNQ"),
)
