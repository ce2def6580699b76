"""Two-dimensional transposed convolution with groups: the adjoint of a convolution in its input.

out starts as bias[o] (0 without a bias) everywhere; then for all n, c, o, y, x, i, j
    out[n, o, y * sH + i * dH - pH, x * sW + j * dW - pW] += input[n, c, y, x] * weight[c, o', i, j]
where that place lies inside the output. The channels of input and of output are cut into `groups`
equal runs; c and o are of the same run, and o' is the place of o in its run. input (N, Cin, H, W),
weight (Cin, Cout/groups, kH, kW), bias (Cout,) or None, all of one dtype. stride (s), padding (p),
output_padding and dilation (d) are an int or a pair (vertical, horizontal). The output has height
    (H - 1) * sH - 2 * pH + dH * (kH - 1) + output_padding + 1
and its width alike: padding takes rows away on both sides, output_padding < max(s, d) adds rows
at the far end, which hold what reaches them, or the bias alone.
Output in the dtype of input; products of 16-bit inputs are summed in float32, the bias is added
there, and the result is rounded once.
"""

import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.transposed_convolution import transposed_convolution

Pair = int | tuple[int, int]


def conv_transpose2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    output_padding: Pair = 0,
    groups: int = 1,
    dilation: Pair = 1,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    b = None if bias is None else bias.to(wide)
    out = torch.nn.functional.conv_transpose2d(
        input.to(wide), weight.to(wide), b, stride, padding, output_padding, groups, dilation
    )
    return out.to(input.dtype)


def _flip_kernel(input, weight, bias=None, **options):
    return conv_transpose2d(input, weight.flip(2, 3), bias, **options)


def _swap_pairs(input, weight, bias=None, **options):
    pairs = {name: value[::-1] for name, value in options.items() if isinstance(value, tuple)}
    return conv_transpose2d(input, weight, bias, **options | pairs)


def _narrow(input, weight, *rest, **options):
    x, w = (one.bfloat16().to(one.dtype) for one in (input, weight))
    return conv_transpose2d(x, w, *rest, **options)


def _rows_in_front(input, weight, bias=None, output_padding=0, **options):
    more = (output_padding,) * 2 if isinstance(output_padding, int) else output_padding
    out = conv_transpose2d(input, weight, bias, output_padding=output_padding, **options)
    return out.roll(more, (2, 3))


def _first_group(input, weight, bias=None, groups=1, **options):
    inner, out = input.shape[1] // groups, weight.shape[1] * groups
    first = conv_transpose2d(input[:, :inner], weight[:inner], None, **options)
    found = first.repeat(1, groups, 1, 1)
    return found if bias is None else found + bias.view(1, out, 1, 1)


def _bias_of_the_group(input, weight, bias=None, groups=1, **options):
    seen = None if bias is None else bias[: weight.shape[1]].repeat(groups)
    return conv_transpose2d(input, weight, seen, groups=groups, **options)


UP = {"stride": 2, "padding": 1}

TASK = transposed_convolution(
    conv_transpose2d,
    eager=torch.nn.functional.conv_transpose2d,
    timings=case(
        image=(32, 64, 56, 56), kernel=(64, 3, 3), dtype=torch.float32, output_padding=1, **UP
    )
    # torch rounds a 16-bit result once more when it adds a bias to it.
    + case(image=(32, 256, 28, 28), kernel=(128, 4, 4), dtype=torch.float16, bias=None, **UP)
    + case(image=(31, 128, 55, 53), kernel=(128, 3, 3), dtype=torch.bfloat16, padding=1, bias=None),
    mutants=(
        Mutant("kernel flipped", _flip_kernel, ("weight",)),
        Mutant("pairs taken as horizontal, vertical", _swap_pairs, ("stride", "padding")),
        Mutant("bfloat16 operands", _narrow, ("input", "weight")),
        Mutant("output_padding at the near end", _rows_in_front, ("output_padding",)),
        Mutant("first group only", _first_group, ("groups",)),
        Mutant("bias by channel in the group", _bias_of_the_group, ("bias",)),
    ),
    difficulty=4,
    audit=("W-ARG",),
)
