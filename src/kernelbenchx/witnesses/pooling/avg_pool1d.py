import torch
import triton
import triton.language as tl


@triton.jit
def _avg_pool(
    y, x, n, length, pooled, stride, padding, KERNEL: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    # The block's start is divided in 64 bits, so that lanes divide in 32.
    place = (first % pooled).to(tl.int32) + tl.arange(0, BLOCK)
    row = x + (first // pooled + place // pooled) * length
    start = place % pooled * stride - padding
    total = tl.zeros((BLOCK,), tl.float32)
    for m in range(KERNEL):
        seen = (start + m >= 0) & (start + m < length) & (at < n)
        total += tl.load(row + start + m, mask=seen, other=0.0).to(tl.float32)
    tl.store(y + at, (total / KERNEL).to(y.dtype.element_ty), mask=at < n)


def avg_pool1d(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    x = input.contiguous()
    step = kernel_size if stride is None else stride
    length = x.shape[-1]
    pooled = (length + 2 * padding - kernel_size) // step + 1
    y = torch.empty((*x.shape[:-1], pooled), dtype=x.dtype, device=x.device)
    n = y.numel()
    if n:
        # Windows that lie apart are no vectors: two of them a thread, so that lines are shared.
        block, warps = (2048, 4) if step == 1 else (512, 8)
        _avg_pool[(triton.cdiv(n, block),)](
            y, x, n, length, pooled, step, padding, KERNEL=kernel_size, BLOCK=block, num_warps=warps
        )
    return y
