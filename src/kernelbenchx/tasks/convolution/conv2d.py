"""Two-dimensional convolution (cross-correlation) with zero padding and groups.

out[n, o, y, x] = bias[o] + sum_{c, i, j} weight[o, c, i, j]
                  * input[n, c0 + c, y * sH + i * dH - pH, x * sW + j * dW - pW]
with zeros outside the image and c0 the first input channel of o's group: the channels of input and
of output are cut into `groups` equal runs, and the g-th run of output sees the g-th run of input.
input (N, Cin, H, W), weight (Cout, Cin/groups, kH, kW), bias (Cout,) or None, all of one dtype.
stride, padding and dilation are an int or a pair (vertical, horizontal). padding may also be
'valid' (none) or, with stride 1, 'same': dH * (kH - 1) rows are added in all, half of them above
(rounded down) and the rest below, columns alike: the output has the size of the input. Otherwise
its height is floor((H + 2 * pH - dH * (kH - 1) - 1) / sH) + 1, its width alike.
Output in the dtype of input; products of 16-bit inputs are summed in float32, the bias is added
there, and the result is rounded once.
"""

import torch

from kernelbenchx.spec import Mutant, case, convolution
from kernelbenchx.spec.families.windows2d import resolve_padding

Pair = int | tuple[int, int]


def conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    x = input.to(wide)
    if isinstance(padding, str):
        (top, bottom), (left, right) = resolve_padding(weight, padding, dilation)
        x, padding = torch.nn.functional.pad(x, (left, right, top, bottom)), 0
    b = None if bias is None else bias.to(wide)
    out = torch.nn.functional.conv2d(x, weight.to(wide), b, stride, padding, dilation, groups)
    return out.to(input.dtype)


def _one_group(input, weight, bias=None, groups=1, **options):
    return conv2d(input[:, : input.shape[1] // groups], weight, bias, **options)


def _bias_of_the_group(input, weight, bias=None, groups=1, **options):
    if bias is not None:
        bias = bias[: bias.numel() // groups].repeat(groups)
    return conv2d(input, weight, bias, groups=groups, **options)


def _more_above(input, weight, bias=None, padding=0, dilation=1, **options):
    if padding != "same":
        return conv2d(input, weight, bias, padding=padding, dilation=dilation, **options)
    (top, bottom), (left, right) = resolve_padding(weight, padding, dilation)
    x = torch.nn.functional.pad(input, (right, left, bottom, top))
    return conv2d(x, weight, bias, dilation=dilation, **options)


TASK = convolution(
    conv2d,
    eager=torch.nn.functional.conv2d,
    timings=case(image=(32, 64, 56, 56), kernel=(64, 3, 3), dtype=torch.float32, padding=1)
    # torch rounds a 16-bit result once more when it adds a bias to it.
    + case(image=(32, 256, 56, 56), kernel=(512, 1, 1), dtype=torch.float16, stride=2, bias=None)
    + case(
        image=(31, 128, 55, 53),
        kernel=(128, 3, 3),
        dtype=torch.bfloat16,
        padding=1,
        groups=4,
        bias=None,
    ),
    mutants=(
        Mutant("bias by channel in the group", _bias_of_the_group, ("bias",)),
        Mutant("first group only", _one_group, ("groups", "W-ARG")),
        Mutant("'same' with more above", _more_above, ("padding",)),
        Mutant(
            "kernel flipped", lambda x, w, *b, **o: conv2d(x, w.flip(2, 3), *b, **o), ("weight",)
        ),
    ),
    difficulty=4,
    audit=("W-ARG",),
)
