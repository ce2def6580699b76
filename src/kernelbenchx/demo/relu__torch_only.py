"""Right, and no kernel: torch does it."""

import torch


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.relu_(input) if inplace else torch.relu(input)
