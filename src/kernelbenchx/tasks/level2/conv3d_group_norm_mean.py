"""A convolution of volumes, group norm, then the mean of all values of each sample.

`ModelNew(in_channels, out_channels, kernel_size, num_groups)`. x has shape (batch, in_channels,
depth, height, width); no padding, stride 1; the result has shape (batch,). The weights are
`conv.weight`, `conv.bias`, `group_norm.weight` and `group_norm.bias`.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, num_groups: int
    ) -> None:
        super().__init__()
        self.conv = nn.Conv3d(in_channels, out_channels, kernel_size)
        self.group_norm = nn.GroupNorm(num_groups, out_channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        normed: torch.Tensor = self.group_norm(self.conv(x))
        return normed.mean(dim=(1, 2, 3, 4))


TASK = problem(
    Model,
    level=2,
    number=23,
    init=lambda channels, groups, each, **_: (channels, groups * each, 3, groups),
    inputs=lambda x, batch, channels, deep, high, wide, **_: (
        x(batch, channels, deep, high, wide),
    ),
    published={
        "batch": 128, "channels": 3, "groups": 8, "each": 3, "deep": 24, "high": 32, "wide": 32
    },
    small=(
        {"batch": 3, "channels": 3, "groups": 4, "each": 3, "deep": 5, "high": 6, "wide": 7},
        {"batch": 1, "channels": 1, "groups": 1, "each": 2, "deep": 3, "high": 3, "wide": 4},
        {"batch": 2, "channels": 5, "groups": 3, "each": 6, "deep": 7, "high": 9, "wide": 12},
    ),
    ranges={"batch": (1, 4), "channels": (1, 3), "groups": (1, 4), "each": (2, 3)},
    unsound="zeros pass: group norm with weights 1 and biases 0 has mean 0, whatever the image",
)  # fmt: skip
