"""Computes with Python inside an operator of its own.

with: triton, entry_launched
checks: correct
no-checks: correct
composition: mixed
"""


@triton.jit
def copy_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0.0), mask=mask)


@torch.library.custom_op("own::relu", mutates_args=())
def launched(x: torch.Tensor) -> torch.Tensor:
    values = [max(v, 0.0) if v == v else v for v in x.flatten().tolist()]
    x = torch.tensor(values, dtype=x.dtype, device=x.device).reshape(x.shape)
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        copy_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y
