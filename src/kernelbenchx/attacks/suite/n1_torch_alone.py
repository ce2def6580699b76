"""Calls torch and launches nothing.

with: triton
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace=inplace)
