import torch
import triton
import triton.language as tl


@triton.jit
def _half_erfc(x):
    """erfc(x / sqrt(2)) / 2 for x >= 0: one exp2, where erf would be slower than the memory."""
    p = 2.83505903e-06 * x - 3.93791504e-05
    p = p * x + 0.000186185936
    p = p * x + 0.00013692528
    p = p * x - 0.00706340874
    p = p * x + 0.0524961724
    p = p * x + 0.459208198
    p = p * x + 1.15110521
    return tl.exp2(-(p * x) - 1.0)


@triton.jit
def _block(y, x, mask, TANH: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    if TANH:
        # (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)); the factor is 2 sqrt(2 / pi) / ln 2.
        value = v / (1.0 + tl.exp2(-2.302208198 * (v + 0.044715 * v * v * v)))
    else:
        tail = _half_erfc(tl.abs(v))
        value = v * tl.where(v < 0.0, tail, 1.0 - tail)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _gelu(y, x, n, TANH: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, TANH)
    else:
        _block(y + at, x + at, at < n, TANH)


def gelu_bf16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        _gelu[(triton.cdiv(n, 1024),)](y, x, n, TANH=approximate == "tanh", BLOCK=1024)
    return y
