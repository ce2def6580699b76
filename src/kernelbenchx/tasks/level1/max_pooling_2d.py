"""The maximum of every window of an image.

`ModelNew(kernel_size, stride, padding, dilation)`, all of which vary; as published, windows of 4 x
4, stride 1, padding 1 and dilation 1. x has shape (images, channels, height, width), the result
(images, channels, height - 1, width - 1) for these. What lies outside the image is never the
maximum, also where all values are negative. A NaN in a window is its maximum; x may hold
infinities, too.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, kernel_size: int, stride: int, padding: int, dilation: int) -> None:
        super().__init__()
        self.maxpool = nn.MaxPool2d(kernel_size, stride, padding, dilation)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.maxpool(x)
        return result


TASK = problem(
    Model,
    level=1,
    number=42,
    init=lambda window, **_: window,
    inputs=lambda x, images, channels, height, width, **_: (x(images, channels, height, width),),
    published={"images": 32, "channels": 64, "height": 512, "width": 512},
    small=(
        {"images": 2, "channels": 3, "height": 9, "width": 13},
        {"images": 1, "channels": 1, "height": 3, "width": 3},
        {"images": 1, "channels": 2, "height": 40, "width": 71},
    ),
    ranges={"channels": (1, 4), "height": (3, 40), "width": (3, 40)},
    choices={"window": ((4, 1, 1, 1), (2, 2, 0, 1), (3, 2, 1, 2))},
    rare=("special",),
)
