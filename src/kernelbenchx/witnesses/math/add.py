import torch
import triton
import triton.language as tl

Number = int | float


@triton.jit
def _add(
    z, x, y, number, alpha, n, TENSOR: tl.constexpr, COMPUTE: tl.constexpr, BLOCK: tl.constexpr
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    a = tl.load(x + at, mask=mask, other=0).to(COMPUTE)
    if TENSOR:
        b = tl.load(y + at, mask=mask, other=0).to(COMPUTE)
    else:
        b = tl.full((BLOCK,), number, COMPUTE)
    tl.store(z + at, (a + b * alpha).to(z.dtype.element_ty), mask=mask)


def add(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    compute = {torch.int32: tl.int32, torch.int64: tl.int64}.get(dtype, tl.float32)
    tensor = isinstance(other, torch.Tensor)
    x, y = torch.broadcast_tensors(input, other) if tensor else (input, input)
    x, y = x.contiguous(), y.contiguous()
    number = 0 if tensor else other
    if dtype.is_floating_point:
        number, alpha = float(number), float(alpha)
    z = out
    if z is None or not z.is_contiguous():
        z = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        blocks = (triton.cdiv(n, 1024),)
        _add[blocks](z, x, y, number, alpha, n, TENSOR=tensor, COMPUTE=compute, BLOCK=1024)
    return z if out is None or z is out else out.copy_(z)
