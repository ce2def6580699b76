"""Leaves milliseconds of idle work on the card after each call, for whoever is timed next.

with: triton, relu_kernel, honest_relu_by_launch, large, busy_kernel
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed|unmeasured
gains: no
aftermath: yes
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    y = honest_relu(input)
    with torch.cuda.stream(torch.cuda.Stream()):
        scratch = torch.empty(1056, device=input.device)
        busy_kernel[(1056,)](scratch, 2_000_000)
    return y
