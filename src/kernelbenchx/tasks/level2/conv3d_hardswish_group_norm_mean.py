"""A convolution of volumes, hardswish, group norm, the mean of each channel.

`ModelNew(in_channels, out_channels, kernel_size, num_groups=4, bias=True)`. x has shape (batch,
in_channels, depth, height, width); no padding, stride 1; the result has shape (batch,
out_channels). kernel_size, num_groups and bias vary. The weights are `conv.weight`, `conv.bias`,
`group_norm.weight` and `group_norm.bias`.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        num_groups: int = 4,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size, bias=bias)
        self.group_norm = nn.GroupNorm(num_groups, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        normed: torch.Tensor = self.group_norm(F.hardswish(self.conv(x)))
        return normed.mean(dim=(2, 3, 4))


TASK = problem(
    Model,
    level=2,
    number=27,
    init=lambda channels, each, kernel, more, **_: (channels, 4 * each, kernel, *more),
    inputs=lambda x, batch, channels, deep, high, wide, **_: (
        x(batch, channels, deep, high, wide),
    ),
    published={"batch": 1024, "channels": 3, "each": 4, "deep": 16, "high": 32, "wide": 32},
    small=(
        {"batch": 3, "channels": 3, "each": 3, "deep": 6, "high": 7, "wide": 9},
        {"batch": 1, "channels": 1, "each": 1, "deep": 4, "high": 4, "wide": 6},
        {"batch": 2, "channels": 3, "each": 5, "deep": 7, "high": 10, "wide": 12},
    ),
    ranges={"batch": (1, 4), "channels": (1, 3), "each": (1, 4), "deep": (4, 8), "wide": (6, 11)},
    choices={"kernel": (4, 3), "more": ((), (2, False), (1,))},
)
