"""Is right for the first calls and wrong afterwards.

with: triton, relu_kernel, honest_relu, zeros
checks: rejected
no-checks: wrong
"""

CALLS = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    CALLS.append(input.shape)
    return honest_relu(input, inplace) if len(CALLS) <= 3 else zeros(input)
