import torch
import triton
import triton.language as tl

Number = int | float


@triton.jit
def _div(
    z,
    x,
    y,
    number,
    n,
    TENSOR: tl.constexpr,
    MODE: tl.constexpr,
    COMPUTE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    a = tl.load(x + at, mask=mask, other=1).to(COMPUTE)
    if TENSOR:
        b = tl.load(y + at, mask=mask, other=1).to(COMPUTE)
    else:
        b = tl.full((BLOCK,), number, COMPUTE)
    if COMPUTE.is_int():
        q = a // b
        if MODE == "floor":
            q -= ((a != q * b) & ((a < 0) != (b < 0))).to(COMPUTE)
    else:
        q = a / b
        if MODE == "floor":
            q = tl.floor(q)
        if MODE == "trunc":
            q = tl.where(q < 0, tl.ceil(q), tl.floor(q))
        q = q.to(tl.float32)
    tl.store(z + at, q.to(z.dtype.element_ty), mask=mask)


def div(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    rounding_mode: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    if rounding_mode is None:
        dtype = dtype if dtype.is_floating_point else torch.float32
        compute = tl.float32
    else:  # float64 holds the quotient of two float32 numbers closely enough for its floor
        compute = {torch.int32: tl.int32, torch.int64: tl.int64}.get(dtype, tl.float64)
    tensor = isinstance(other, torch.Tensor)
    x, y = torch.broadcast_tensors(input, other) if tensor else (input, input)
    x, y = x.contiguous(), y.contiguous()
    number = 1 if tensor else other
    z = out
    if z is None or not z.is_contiguous():
        z = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n:
        blocks = (triton.cdiv(n, 1024),)
        words = {"TENSOR": tensor, "MODE": rounding_mode or "", "COMPUTE": compute, "BLOCK": 1024}
        _div[blocks](z, x, y, number, n, **words)
    return z if out is None or z is out else out.copy_(z)
