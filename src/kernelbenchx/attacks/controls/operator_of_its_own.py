"""Makes its kernel an operator of torch, as libraries of kernels do.

with: triton, relu_kernel, entry_launched
"""


@torch.library.custom_op("own::relu", mutates_args=())
def launched(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y


@launched.register_fake
def _(x):
    return torch.empty_like(x)
