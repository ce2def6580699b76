import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _cos_avg_pool(
    y, x, n, length, pooled, stride, padding, kernel_size,
    INSIDE_ONLY: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    row = x + at // pooled * length
    start = (at % pooled * stride - padding).to(tl.int32)
    total = tl.zeros((BLOCK,), tl.float32)
    for place in range(kernel_size):
        inside = (start + place >= 0) & (start + place < length) & (at < n)
        value = tl.load(row + start + place, mask=inside, other=0.0).to(tl.float32)
        total += tl.where(inside, libdevice.cos(value), 0.0)
    end = tl.minimum(start + kernel_size, length + padding)
    if INSIDE_ONLY:
        start, end = tl.maximum(start, 0), tl.minimum(end, length)
    tl.store(y + at, (total / (end - start)).to(y.dtype.element_ty), mask=at < n)


def fused_cos_avg_pool1d(
    input: torch.Tensor,
    kernel_size: int,
    stride: int | None = None,
    padding: int = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> torch.Tensor:
    x = input.contiguous()
    step, length = stride or kernel_size, x.shape[-1]
    room = length + 2 * padding - kernel_size
    pooled = (triton.cdiv(room, step) if ceil_mode else room // step) + 1
    if ceil_mode and (pooled - 1) * step >= length + padding:
        pooled -= 1  # the last window would hold nothing
    y = torch.empty((*x.shape[:-1], pooled), dtype=x.dtype, device=x.device)
    n = y.numel()
    if n:
        _cos_avg_pool[(triton.cdiv(n, 512),)](
            y, x, n, length, pooled, step, padding, kernel_size,
            INSIDE_ONLY=not count_include_pad, BLOCK=512,
        )  # fmt: skip
    return y
