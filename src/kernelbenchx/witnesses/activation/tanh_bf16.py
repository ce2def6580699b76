import torch
import triton
import triton.language as tl


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    # The factor is 2 / ln 2. Near 0 the difference from 1 has fewer good bits than 16-bit numbers:
    # there the series stands in.
    far = 1.0 - 2.0 / (1.0 + tl.exp2(2.885390082 * v))
    value = tl.where(tl.abs(v) < 0.04, v - v * v * v * 0.33333334, far)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _tanh(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def tanh_bf16(input: torch.Tensor) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        _tanh[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y
