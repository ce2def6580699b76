import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _linear(
    y, x, w, bias, b, n, k, x_row, x_col, w_row, w_col, bias_at,
    BIAS: tl.constexpr, BB: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A few channels: their scales first, then the product with weights read again from the L2.

    The codes of a channel are needed once, so they stay in registers and are never packed.
    """
    rows = tl.program_id(0) * BB + tl.arange(0, BB)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    # Past the end other rows and channels are read, but not stored: no mask for them in the loops.
    x += (rows % b).to(tl.int64)[:, None] * x_row
    w += (cols % n).to(tl.int64)[:, None] * w_row
    top = tl.zeros((BN, BK), dtype=tl.float32)
    for start in tl.range(0, k, BK, num_stages=3):
        at = (start + tl.arange(0, BK))[None, :]
        v = tl.load(w + at.to(tl.int64) * w_col, mask=at < k, other=0.0).to(tl.float32)
        top = tl.maximum(top, tl.abs(v))
    scale = tl.div_rn(tl.max(top, axis=1, keep_dims=True), 7.0)
    divisor = tl.where(scale > 0, scale, 1.0)
    acc = tl.zeros((BB, BN), dtype=tl.float32)
    for start in tl.range(0, k, BK, num_stages=3):
        at = (start + tl.arange(0, BK))[None, :]
        v = tl.load(w + at.to(tl.int64) * w_col, mask=at < k, other=0.0).to(tl.float32)
        a = tl.load(x + at.to(tl.int64) * x_col, mask=at < k, other=0.0)
        code = tl.minimum(tl.maximum(libdevice.rint(tl.div_rn(v, divisor)), -8.0), 7.0)
        acc = tl.dot(a, (code * scale).to(tl.float16).T, acc)
    if BIAS:
        acc += tl.load(bias + cols * bias_at, mask=cols < n, other=0.0).to(tl.float32)[None, :]
    to = y + rows.to(tl.int64)[:, None] * n + cols[None, :]
    tl.store(to, acc.to(tl.float16), mask=(rows < b)[:, None] & (cols < n)[None, :])


def linear_w4a16(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    (b, k), n = input.shape, weight.shape[0]
    y = torch.empty((b, n), dtype=torch.float16, device=input.device)
    if y.numel() == 0:
        return y
    added = weight if bias is None else bias
    rows = min(max(triton.next_power_of_2(b), 16), 64)
    _linear[(triton.cdiv(b, rows), triton.cdiv(n, 16))](
        y, input, weight, added, b, n, k, *input.stride(), *weight.stride(), added.stride(0),
        BIAS=bias is not None, BB=rows, BN=16, BK=256,
    )  # fmt: skip
    return y
