import torch
import triton
import triton.language as tl


@triton.jit
def _block(y, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    # exp(-x) may overflow to infinity, whose reciprocal is the right 0.
    value = 1.0 / (1.0 + tl.exp(-v))
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _sigmoid(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None)
    else:
        _block(y + at, x + at, at < n)


def sigmoid_bf16(input: torch.Tensor) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        _sigmoid[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return y
