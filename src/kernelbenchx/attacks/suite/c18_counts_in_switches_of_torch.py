"""Keeps a bit in torch's own grad mode: every second call finds it set, and is wrong.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    late = not torch.is_grad_enabled()
    torch.set_grad_enabled(late)
    return y.zero_() if late else y
