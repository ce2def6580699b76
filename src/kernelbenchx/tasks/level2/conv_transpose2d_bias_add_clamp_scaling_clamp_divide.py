"""A transposed convolution plus a number per channel, clamped, scaled, clamped and scaled back.

`ModelNew(in_channels, out_channels, kernel_size, stride, padding, output_padding, bias_shape,
scaling_factor)`. x has shape (batch, in_channels, height, width). All arguments vary;
scaling_factor is any number but 0, a fraction or negative. With y the transposed convolution plus
`bias`: c = clamp(y, 0, 1), then clamp(c * scaling_factor, 0, 1) / scaling_factor. The weights are
`conv_transpose.weight`, `conv_transpose.bias` and `bias` of shape (out_channels, 1, 1).
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
        stride: int,
        padding: int,
        output_padding: int,
        bias_shape: tuple[int, ...],
        scaling_factor: float,
    ) -> None:
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride, padding, output_padding
        )
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scaling_factor = scaling_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shifted: torch.Tensor = self.conv_transpose(x) + self.bias
        return (shifted.clamp(0.0, 1.0) * self.scaling_factor).clamp(0.0, 1.0) / self.scaling_factor


TASK = problem(
    Model,
    level=2,
    number=2,
    init=lambda channels, out, window, factor, **_: (channels, out, *window, (out, 1, 1), factor),
    inputs=lambda x, batch, channels, height, width, **_: (x(batch, channels, height, width),),
    published={"batch": 128, "channels": 64, "out": 64, "height": 128, "width": 128},
    small=(
        {"batch": 2, "channels": 3, "out": 5, "height": 5, "width": 7},
        {"batch": 1, "channels": 1, "out": 1, "height": 1, "width": 1},
        {"batch": 3, "channels": 17, "out": 40, "height": 6, "width": 5},
    ),
    ranges={"batch": (1, 3), "channels": (1, 9), "out": (1, 20), "height": (1, 8), "width": (1, 8)},
    numbers={"factor": 2.0},
    choices={"window": ((3, 2, 1, 1), (4, 3, 0, 2), (2, 1, 0, 0))},
)
