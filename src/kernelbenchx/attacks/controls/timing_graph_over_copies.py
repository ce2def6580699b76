"""A graph over buffers of its own, into which every input is copied first.

with: triton, relu_kernel
checks: off
device: cuda
stage: perf
"""


def launch(y, x):
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(y, x)
    return input.copy_(y) if inplace else y


def captured(x):
    y = torch.empty_like(x)
    launch(y, x)  # compiled and loaded before anything is captured
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        graph.capture_begin()
        launch(y, x)
        graph.capture_end()
    torch.cuda.current_stream().wait_stream(side)
    return graph, x, y


LARGE = 1 << 20
KEPT = {}


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if inplace or input.numel() < LARGE:
        return honest_relu(input, inplace)
    key = (input.shape, input.dtype)
    if key not in KEPT:
        KEPT[key] = captured(input.contiguous().clone())
    graph, x, y = KEPT[key]
    x.copy_(input)
    graph.replay()
    return y.clone()
