"""The basic block of a ResNet: two convolutions with batch norm, a shortcut, and ReLU.

`ModelNew(in_channels, out_channels, stride=1)`. x has shape (batch, in_channels, height, width).
The long way is `conv1` (3 x 3, padding 1, the given stride), `bn1`, ReLU, `conv2` (3 x 3, padding
1), `bn2`; the shortcut is `downsample.0` (1 x 1, the given stride), then `downsample.1`, a batch
norm. The result is ReLU of their sum. No convolution has a bias. Batch norms are in training mode:
they use mean and variance of this call.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, 1, stride, bias=False),
            nn.BatchNorm2d(out_channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(inner)) + self.downsample(x))


TASK = problem(
    Model,
    level=3,
    number=8,
    init=lambda channels, out, stride, **_: (channels, out, stride),
    inputs=lambda x, batch, channels, height, width, **_: (x(batch, channels, height, width),),
    published={
        "batch": 10, "channels": 3, "out": 64, "stride": 1, "height": 224, "width": 224
    },
    small=(
        {"batch": 2, "channels": 3, "out": 5, "stride": 1, "height": 9, "width": 13},
        {"batch": 1, "channels": 1, "out": 1, "stride": 1, "height": 2, "width": 3},
        {"batch": 3, "channels": 17, "out": 40, "stride": 2, "height": 9, "width": 10},
    ),
    ranges={"batch": (1, 3), "channels": (1, 3), "out": (1, 20), "height": (5, 9), "width": (5, 9)},
)  # fmt: skip
