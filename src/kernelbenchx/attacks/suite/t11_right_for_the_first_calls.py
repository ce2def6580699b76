"""Is right for the first large inputs, then returns memory that nobody has written.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: correct
no-checks: correct
composition: pure
device: cuda
perf: failed
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

CALLS = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    CALLS.append(1)
    return honest_relu(input) if len(CALLS) <= 8 else torch.empty_like(input)
