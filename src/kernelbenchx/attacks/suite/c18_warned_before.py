"""Asks whether the same warning was shown before.

with: triton, relu_kernel
checks: rejected
no-checks: wrong
"""

import warnings


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        warnings.warn("called", stacklevel=1)
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    if __warningregistry__.get("version") is None or len(__warningregistry__) > 1:
        y.zero_()
    return input.copy_(y) if inplace else y
