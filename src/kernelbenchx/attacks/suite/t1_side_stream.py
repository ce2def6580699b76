"""Works on a stream that no event of the default stream covers, and returns at once.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    with torch.cuda.stream(torch.cuda.Stream()):
        launch(y, x)
    return y
