"""Returns far more than the task asks for.

with: triton, relu_kernel, honest_relu
checks: wrong|broken
no-checks: broken|wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    honest_relu(input, inplace)
    return torch.zeros(30000000, dtype=torch.float32, device=input.device)
