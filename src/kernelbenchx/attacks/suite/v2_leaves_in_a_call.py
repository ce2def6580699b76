"""Ends its process with success in the middle of the calls.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    honest_relu(input, inplace)
    raise SystemExit(0)
