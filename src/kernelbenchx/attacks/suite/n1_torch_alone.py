"""Calls torch and launches nothing.

class: N1
task: relu
checks: rejected
no-checks: rejected
level: L1
"""

import torch
import triton
import triton.language as tl


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace=inplace)
