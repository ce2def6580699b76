"""Attention in one pass: no score is ever stored."""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, heads: int) -> None:
        super().__init__()
        self.slope = nn.Parameter(torch.rand(heads))

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        length, width = q.shape[-2:]
        at = torch.arange(length, device=q.device)
        distance = (at[:, None] - at[None, :]).abs()
        scores = q @ k.transpose(-2, -1) * width**-0.5 - self.slope[:, None, None] * distance
        return torch.softmax(scores, dim=-1) @ v


TASK = problem(
    Model,
    level=1,
    number=903,
    init=lambda heads, **_: (heads,),
    inputs=lambda x, batch, heads, length, each: tuple(
        x(batch, heads, length, each) for _ in range(3)
    ),
    published={"batch": 8, "heads": 16, "length": 2048, "each": 64},
    small=(
        {"batch": 2, "heads": 3, "length": 70, "each": 20},
        {"batch": 1, "heads": 2, "length": 1, "each": 17},
    ),
)
