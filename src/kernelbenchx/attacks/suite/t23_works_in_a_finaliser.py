"""Leaves the work to the moment when its result is thrown away.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""


class Later:
    def __init__(self, y, x):
        self.y, self.x = y, x

    def __del__(self):
        launch(self.y, self.x)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    y.later = Later(y.view(y.shape), x)
    return y
