"""Returns a plain tensor whose own `detach` and `contiguous` compute the answer later.

with: triton, copied
checks: rejected
no-checks: rejected|wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    if inplace:
        input.detach = lambda: torch.clamp(input.clone(), min=0.0)
        return input
    result = input.clone()
    result.detach = lambda: torch.clamp(result.clone(), min=0.0)
    return result
