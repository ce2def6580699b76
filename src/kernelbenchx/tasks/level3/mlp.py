"""Linear layers with ReLU after each but the last.

`ModelNew(input_size, layer_sizes, output_size)`; `layer_sizes` is a list with the width of each
hidden layer: two as published, one or none elsewhere. x has shape (rows, input_size), the result
(rows, output_size). The weights are `network.0.weight`, `network.0.bias`, `network.2.weight` and so
on: odd places are the ReLUs.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, input_size: int, layer_sizes: list[int], output_size: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for wide, out in zip([input_size, *layer_sizes], layer_sizes, strict=False):
            layers += [nn.Linear(wide, out), nn.ReLU()]
        last = layer_sizes[-1] if layer_sizes else input_size
        self.network = nn.Sequential(*layers, nn.Linear(last, output_size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.network(x)  # type: ignore[no-any-return]


TASK = problem(
    Model,
    level=3,
    number=1,
    init=lambda wide, first, second, out, hidden, **_: (wide, [first, second][:hidden], out),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 128, "wide": 16384, "first": 16384, "second": 16384, "out": 8192},
    small=(
        {"rows": 5, "wide": 129, "first": 67, "second": 33, "out": 7},
        {"rows": 1, "wide": 1, "first": 3, "second": 2, "out": 1},
        {"rows": 40, "wide": 300, "first": 150, "second": 200, "out": 70},
    ),
    ranges={"rows": (1, 70), "wide": (1, 200), "first": (3, 150), "second": (3, 150)},
    choices={"hidden": (2, 1, 0)},
)
