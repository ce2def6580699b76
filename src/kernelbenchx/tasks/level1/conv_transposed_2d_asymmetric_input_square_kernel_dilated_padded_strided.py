"""A 2D transposed convolution with stride, dilation and padding.

`ModelNew(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, bias=False)`, all
of which vary; as published, a window of 3 x 3, stride 5, padding 1 (so many rows and columns are
cut off each side of the result), steps of 2 between the taps, and no bias. x has shape (images,
in_channels, height, width), the result (images, out_channels, 5 * height - 2, 5 * width - 2) for
these; the weights are `conv_transpose2d.weight` of shape (in_channels, out_channels, kernel_size,
kernel_size) and `conv_transpose2d.bias`, if there is one.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride, padding, bias=bias, dilation=dilation
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.conv_transpose2d(x)
        return result


TASK = problem(
    Model,
    level=1,
    number=81,
    init=lambda inner, outer, window, **_: (inner, outer, *window),
    inputs=lambda x, images, inner, outer, height, width, **_: (x(images, inner, height, width),),
    published={"images": 16, "inner": 32, "outer": 64, "height": 64, "width": 128},
    small=(
        {"images": 2, "inner": 3, "outer": 5, "height": 4, "width": 7},
        {"images": 1, "inner": 1, "outer": 1, "height": 1, "width": 1},
        {"images": 1, "inner": 20, "outer": 34, "height": 9, "width": 17},
    ),
    ranges={"inner": (1, 20), "outer": (1, 40), "height": (1, 9), "width": (1, 17)},
    choices={"window": ((3, 5, 1, 2), (4, 2, 1, 1, True), (3, 2, 1, 2))},
    difficulty=3,
)
