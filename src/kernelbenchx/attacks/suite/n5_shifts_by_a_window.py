"""Has torch write the input twice in a row, and takes a window of that.

class: N5
task: ifftshift
checks: correct
no-checks: correct
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0), mask=mask)


def copied(x):
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        copy_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y


def ifftshift(input: torch.Tensor, dim: int | tuple[int, ...] | None = None) -> torch.Tensor:
    named = tuple(range(input.dim())) if dim is None else (dim,) if isinstance(dim, int) else dim
    x = input.contiguous()
    for d in named:
        d = d % x.dim()
        shape, n = list(x.shape), x.shape[d]
        twice = x.unsqueeze(d).expand([*shape[:d], 2, *shape[d:]])
        twice = twice.reshape([*shape[:d], 2 * n, *shape[d + 1 :]])
        x = twice.narrow(d, n // 2, n).contiguous()
    if x.is_complex():
        return torch.view_as_complex(copied(torch.view_as_real(x)))
    return copied(x)
