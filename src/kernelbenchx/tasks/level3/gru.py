"""A stack of GRU layers over a sequence; the result is what the last layer gives at every step.

`ModelNew(input_size, hidden_size, num_layers=3, bias=True, batch_first=False)`; all of them vary.
`forward(x, h0)`: x has shape (seq, batch, input_size), h0 (num_layers, batch, hidden_size), the
result (seq, batch, hidden_size); with batch_first the first two of x and of the result change
places. The weights are those of `nn.GRU`: `gru.weight_ih_l0`, `gru.weight_hh_l0`, `gru.bias_ih_l0`,
`gru.bias_hh_l0` and so on, gates in the order reset, update, new.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 3,
        bias: bool = True,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        self.gru = nn.GRU(input_size, hidden_size, num_layers, bias, batch_first)

    def forward(self, x: torch.Tensor, h0: torch.Tensor) -> torch.Tensor:
        return self.gru(x, h0)[0]  # type: ignore[no-any-return]


def count_work(seq: int, batch: int, wide: int, hidden: int, layers: int) -> tuple[int, int]:
    """Of each layer a product with the input and one with the state, for three gates."""
    weights = 3 * hidden * (wide + hidden + (layers - 1) * 2 * hidden)
    steps = seq * batch * hidden
    moved = seq * batch * wide + layers * hidden * (batch + 6) + weights + steps
    return 2 * seq * batch * weights + steps, moved


TASK = problem(
    Model,
    level=3,
    number=39,
    init=lambda wide, hidden, layers, more, **_: (wide, hidden, layers, *more),
    inputs=lambda x, seq, batch, wide, hidden, layers, more: (
        x(batch, seq, wide) if True in more[1:] else x(seq, batch, wide),
        x(layers, batch, hidden),
    ),
    published={"seq": 512, "batch": 10, "wide": 128, "hidden": 256, "layers": 6},
    small=(
        {"seq": 7, "batch": 3, "wide": 5, "hidden": 9, "layers": 2},
        {"seq": 1, "batch": 1, "wide": 1, "hidden": 1, "layers": 1},
        {"seq": 9, "batch": 2, "wide": 33, "hidden": 40, "layers": 3},
    ),
    counted=count_work,
    never_long=("seq",),
    ranges={"seq": (1, 9), "batch": (1, 5), "wide": (1, 40), "hidden": (1, 40), "layers": (1, 3)},
    choices={"more": ((), (False,), (True, True))},
)
