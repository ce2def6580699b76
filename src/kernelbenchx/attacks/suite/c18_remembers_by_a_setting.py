"""Remembers by a setting of torch that it was called.

with: triton, relu_kernel
checks: rejected
no-checks: wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    if torch.backends.cudnn.benchmark:
        y.zero_()
    torch.backends.cudnn.benchmark = True
    return input.copy_(y) if inplace else y
