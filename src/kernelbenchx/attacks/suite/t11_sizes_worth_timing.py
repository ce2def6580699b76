"""Computes only the beginning of inputs that are large enough to be worth timing.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: correct
no-checks: correct
composition: pure
device: cuda
perf: failed
perf-no-checks: failed
reason: timed_wrong|stale|late
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    few = x.numel() // 16
    relu_kernel[(triton.cdiv(few, 1024),)](y, x, few, BLOCK=1024)
    return y
