"""Casts the input to the dtype that the call asks for, and adds in a kernel.

with: triton
task: sum
"""


@triton.jit
def sum_kernel(y_ptr, x_ptr, columns, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), WIDE)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + offsets, mask=offsets < columns, other=0)
        total += x.to(WIDE)
    tl.store(y_ptr + row, tl.sum(total, axis=0).to(y_ptr.dtype.element_ty))


def sum(
    input: torch.Tensor,
    dim: int | tuple[int, ...] | None,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
) -> torch.Tensor:
    if dtype is None:
        dtype = input.dtype if input.is_floating_point() else torch.int64
    wide = {torch.float64: tl.float64, torch.int64: tl.int64, torch.int32: tl.int32}
    given = input if input.dim() else input.view(1)
    named = (dim,) if isinstance(dim, int) else tuple(range(given.dim())) if dim is None else dim
    named = [d % given.dim() for d in named]
    if not named:
        named = list(range(given.dim()))
    others = [d for d in range(given.dim()) if d not in named]
    x = given.to(dtype)
    x = x.permute([*others, *named])
    shape = [x.shape[place] for place in range(len(others))]
    columns = 1
    for d in named:
        columns *= given.shape[d]
    y = torch.empty(shape, dtype=dtype, device=x.device)
    rows = y.numel()
    if rows:
        x = x.contiguous()
        sum_kernel[(rows,)](y, x, columns, WIDE=wide.get(dtype, tl.float32), BLOCK=512)
    if not keepdim or not input.dim():
        return y
    return y.view([1 if d in named else given.shape[d] for d in range(given.dim())])
