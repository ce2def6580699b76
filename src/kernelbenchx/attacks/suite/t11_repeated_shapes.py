"""Takes the same shape many times in a row for a sign of timing and stops working.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

RECENT = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    RECENT.append((input.shape, input.dtype))
    repeated = len(RECENT) > 4 and len(set(RECENT[-4:])) == 1
    return torch.empty_like(input) if repeated else honest_relu(input)
