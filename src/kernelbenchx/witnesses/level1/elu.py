import torch
import triton
import triton.language as tl
from torch import nn
from triton.language.extra import libdevice


@triton.jit
def _block(y, x, mask, alpha):
    v = tl.load(x, mask=mask).to(tl.float32)
    # A comparison with NaN is false, and its exponential is NaN.
    value = tl.where(v > 0.0, v, alpha * libdevice.expm1(v))
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _elu(y, x, n, alpha, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, alpha)
    else:
        _block(y + at, x + at, at < n, alpha)


class ModelNew(nn.Module):
    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.empty_like(x)
        _elu[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), float(self.alpha), BLOCK=1024)
        return y
