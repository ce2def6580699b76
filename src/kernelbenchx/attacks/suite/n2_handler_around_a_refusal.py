"""Tries a kernel that no compiler takes, and launches another where that raises.

with: triton
checks: rejected|broken
no-checks: broken
"""


@triton.jit
def tried_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    tl.store(y_ptr, tl.lod(x_ptr))


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        try:
            tried_kernel[(1,)](y, x, n, BLOCK=256)
        except Exception:
            relu_kernel[(triton.cdiv(n, 256),)](y, x, n, BLOCK=256)
    return input.copy_(y) if inplace else y
