"""Brings the dimension that an index names to the end before a kernel gathers.

with: triton
task: index_select
"""


@triton.jit
def gather_kernel(y_ptr, x_ptr, index_ptr, n, named, size, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(index_ptr + offsets % named, mask=mask, other=0)
    x = tl.load(x_ptr + offsets // named * size + place, mask=mask, other=0)
    tl.store(y_ptr + offsets, x, mask=mask)


def index_select(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    x = input.movedim(dim, -1).contiguous()
    shape, places = [*x.shape[:-1], index.numel()], index.contiguous()
    y = torch.empty(shape, dtype=x.dtype, device=x.device)
    moved = (y, x)
    if x.is_complex():
        moved = (y.view(torch.int64), x.view(torch.int64))
    n = y.numel()
    if n:
        grid = (triton.cdiv(n, 1024),)
        gather_kernel[grid](*moved, places, n, index.numel(), x.shape[-1], BLOCK=1024)
    return y.movedim(-1, dim)
