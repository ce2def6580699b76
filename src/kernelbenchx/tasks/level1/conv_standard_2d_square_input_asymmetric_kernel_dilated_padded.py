"""A 2D convolution with a window of another height than width, padded with zeros and dilated.

`ModelNew(in_channels, out_channels, kernel_size, stride=1, padding=(0, 0), dilation=(1, 1),
bias=False)`, all of which vary; as published, a window of (5, 9), stride 1, (2, 4) rows and columns
of zeros on each side, steps of (2, 3) between the taps, and no bias. x has shape (images,
in_channels, height, width); the weights are `conv2d.weight` of shape (out_channels, in_channels,
*kernel_size) and `conv2d.bias`, if there is one.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int],
        stride: int = 1,
        padding: tuple[int, int] = (0, 0),
        dilation: tuple[int, int] = (1, 1),
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels, out_channels, kernel_size, stride, padding, dilation, bias=bias
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.conv2d(x)
        return result


TASK = problem(
    Model,
    level=1,
    number=80,
    init=lambda inner, outer, window, **_: (inner, outer, *window),
    inputs=lambda x, images, inner, outer, height, width, **_: (x(images, inner, height, width),),
    published={"images": 8, "inner": 32, "outer": 64, "height": 512, "width": 512},
    small=(
        {"images": 2, "inner": 3, "outer": 5, "height": 11, "width": 27},
        {"images": 1, "inner": 1, "outer": 1, "height": 5, "width": 17},
        {"images": 1, "inner": 17, "outer": 33, "height": 14, "width": 40},
    ),
    ranges={"inner": (1, 20), "outer": (1, 40), "height": (5, 20), "width": (17, 40)},
    choices={
        "window": (
            ((5, 9), 1, (2, 4), (2, 3)),
            ((3, 2), 2, (0, 1), (1, 2), True),
            ((4, 3), 1, (3, 0), (1, 1), False),
        )
    },
    difficulty=3,
)
