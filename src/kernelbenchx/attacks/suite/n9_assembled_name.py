"""Assembles the name of a torch function beside a decoy.

with: triton, copied
checks: rejected
no-checks: rejected
"""

COMPUTE = getattr(torch, "cla" + "mp")


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    result = COMPUTE(input, min=0.0)
    return input.copy_(result) if inplace else result
