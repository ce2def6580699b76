"""Works on a side stream and lets the default stream wait for it.

with: triton, relu_kernel, honest_relu_by_launch, large
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: timed
gains: no
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    x = input.contiguous()
    y = torch.empty_like(x)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        launch(y, x)
    torch.cuda.current_stream().wait_stream(side)
    return y
