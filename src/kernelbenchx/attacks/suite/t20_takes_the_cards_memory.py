"""Takes most of the card's memory and keeps it.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed|unmeasured
gains: no
aftermath: yes
"""

KEPT = []


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    if not KEPT:
        free, _ = torch.cuda.mem_get_info()
        KEPT.append(torch.empty(free // 5 * 4, dtype=torch.uint8, device=input.device))
    return honest_relu(input)
