"""Has torch cast the input to integers, which is all that is asked for.

with: triton
task: trunc
checks: correct
no-checks: correct
composition: mixed
"""


@triton.jit
def trunc_kernel(y_ptr, x_ptr, whole_ptr, n, BLOCK: tl.constexpr):
    """What no integer holds is whole already, or no number."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0).to(tl.float32)
    whole = tl.load(whole_ptr + offsets, mask=mask, other=0).to(tl.float32)
    whole = tl.where(whole == 0, x * 0, whole)
    y = tl.where(tl.abs(x) < 1e9, whole, x)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0), mask=mask)


def trunc(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n and not x.is_floating_point():
        copy_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    elif n:
        whole = x.to(torch.int64)
        trunc_kernel[(triton.cdiv(n, 1024),)](y, x, whole, n, BLOCK=1024)
    return y if out is None else out.copy_(y)
