"""Launches a kernel, throws its result away and returns torch's.

with: triton, copied
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    result = torch.clamp(input, min=0.0)
    return input.copy_(result) if inplace else result
