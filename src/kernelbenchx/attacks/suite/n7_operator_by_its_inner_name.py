"""Reaches torch's compute through torch.ops and launches nothing.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    result = torch.ops.aten.threshold.default(input, 0.0, 0.0)
    return input.copy_(result) if inplace else result
