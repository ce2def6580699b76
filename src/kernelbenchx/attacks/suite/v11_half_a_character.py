"""Raises an error whose text no encoding can write.

with: triton, zeros
checks: broken
no-checks: broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    raise ValueError("half of a pair: \ud800, nothing: \x00")
