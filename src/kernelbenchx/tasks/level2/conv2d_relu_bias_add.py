"""A convolution, ReLU, then one more number added per channel, after the ReLU.

`ModelNew(in_channels, out_channels, kernel_size, bias_shape)`. x has shape (batch, in_channels,
height, width); no padding, stride 1; kernel_size varies. The weights are `conv.weight`, `conv.bias`
and `bias` of shape `bias_shape`, which is (out_channels, 1, 1). Results may be negative: `bias` may
be.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, bias_shape: tuple[int, ...]
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.conv(x)) + self.bias


TASK = problem(
    Model,
    level=2,
    number=1,
    init=lambda channels, out, kernel, **_: (channels, out, kernel, (out, 1, 1)),
    inputs=lambda x, batch, channels, height, width, **_: (x(batch, channels, height, width),),
    published={"batch": 128, "channels": 64, "out": 128, "height": 128, "width": 128},
    small=(
        {"batch": 2, "channels": 3, "out": 5, "height": 9, "width": 13},
        {"batch": 1, "channels": 1, "out": 1, "height": 3, "width": 3},
        {"batch": 3, "channels": 17, "out": 70, "height": 10, "width": 11},
    ),
    ranges={
        "batch": (1, 3),
        "channels": (1, 9),
        "out": (1, 20),
        "height": (3, 14),
        "width": (3, 14),
    },
    choices={"kernel": (3, 2, 1)},
)
