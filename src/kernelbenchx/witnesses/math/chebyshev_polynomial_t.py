import torch
import triton
import triton.language as tl


@triton.jit
def _block(y, x, mask, degree, STEPS: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    a = tl.abs(v)
    if STEPS:
        before = tl.full(a.shape, 1.0, tl.float32)
        value = a
        for _ in range(degree - 1):
            after = tl.fma(2.0 * a, value, -before)
            before = tl.where(value > 3.0e38, 3.0e38, value)  # no infinity minus infinity
            value = after
        value = tl.where((v < 0.0) & (degree % 2 == 1), -value, value)
    else:
        value = tl.full(a.shape, 0.0, tl.float32) + tl.where(degree == 0, 1.0, 0.0)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _chebyshev(y, x, n, degree, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, degree, STEPS)
    else:
        _block(y + at, x + at, at < n, degree, STEPS)


def chebyshev_polynomial_t(
    input: torch.Tensor, n: int, out: torch.Tensor | None = None
) -> torch.Tensor:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty(x.shape, dtype=dtype, device=x.device)
    count = x.numel()
    if count:
        grid = (triton.cdiv(count, 1024),)
        _chebyshev[grid](y, x, count, n, STEPS=n > 0, BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
