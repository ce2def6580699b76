import torch
import triton
import triton.language as tl


@triton.jit
def _avg_pool(y, x, n, length, pooled, kernel_size, stride, padding, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    row = x + at // pooled * length
    first = at % pooled * stride - padding
    total = tl.zeros((BLOCK,), tl.float32)
    for m in range(kernel_size):
        place = first + m
        mask = inside & (place >= 0) & (place < length)
        total += tl.load(row + place, mask=mask, other=0.0).to(tl.float32)
    tl.store(y + at, (total / kernel_size).to(y.dtype.element_ty), mask=inside)


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
        _avg_pool[(triton.cdiv(n, 512),)](
            y, x, n, length, pooled, kernel_size, step, padding, BLOCK=512
        )
    return y
