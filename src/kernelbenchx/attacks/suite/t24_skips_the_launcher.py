"""Keeps the compiled kernel and launches it past Triton's own front, where no launch is seen.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: calls
"""

COMPILED = {}


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    grid = (triton.cdiv(n, 1024), 1, 1)
    if (n, x.dtype) not in COMPILED:
        COMPILED[n, x.dtype] = relu_kernel[grid](y, x, n, BLOCK=1024)
    else:
        COMPILED[n, x.dtype][grid](y, x, n, 1024)
    return y
