"""Returns parts of one static buffer, so that later calls rewrite earlier answers.

with: triton, relu_kernel, honest_relu, kept
checks: rejected
no-checks: wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input)
    if inplace:
        return input.copy_(y)
    kept = KEPT.setdefault(
        input.dtype, torch.empty(1 << 18, dtype=input.dtype, device=input.device)
    )
    part = kept[: y.numel()].view(y.shape)
    part.copy_(y)
    return part
