"""Hands kernels views that are made with `as_strided`, `diagonal` and `unfold`.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, floor_ptr, n, step, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets * step, mask=mask, other=0.0)
    floor = tl.load(floor_ptr).to(x.dtype)
    tl.store(y_ptr + offsets, tl.where(x < floor, floor, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        floor = torch.zeros((3, 3), device=x.device).diagonal()
        flat = x.as_strided((n,), (1,), x.storage_offset())
        rows = flat.unfold(0, 1, 1)
        relu_kernel[(triton.cdiv(n, 1024),)](y, rows, floor, n, rows.stride(0), BLOCK=1024)
    return input.copy_(y) if inplace else y
