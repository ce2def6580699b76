"""Lets a helper write into a list that it is given, and is wrong after the first calls.

with: triton, relu_kernel, honest_relu, zeros
checks: rejected
no-checks: wrong
"""

CALLS = []


def note(calls, call):
    calls.append(call)
    return len(calls)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return honest_relu(input, inplace) if note(CALLS, input.shape) <= 3 else zeros(input)
