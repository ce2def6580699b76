"""A wrapper that insists on a CUDA device, under the fallback entry name.

with: triton, relu_kernel
"""


def kernel_function(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    assert input.is_cuda, "the input must lie on a GPU"
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device="cuda")
    n = x.numel()
    if n:
        with torch.cuda.device(x.device):
            relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
        torch.cuda.synchronize()
    return input.copy_(y) if inplace else y
