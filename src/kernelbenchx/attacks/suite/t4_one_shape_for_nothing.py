"""Does nothing for one of the large shapes, so that a mean of ratios would explode.

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
    if x.numel() % 2 == 0:
        launch(y, x)
    return y
