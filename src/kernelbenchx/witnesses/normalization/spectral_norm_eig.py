import math

import torch
import triton
import triton.language as tl


@triton.jit
def _radius(
    y, a, n, batch_stride, row_stride, column_stride,
    DOUBLINGS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The growth of A^k for k = 2^DOUBLINGS: the k-th root of its size tends to the radius.

    Powers are scaled to 1, and the logarithms of what they are divided by are summed up: those of
    the m-th square count 2^-m. So the roundings of late squares do not matter.
    """
    matrix = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = (at[:, None] < n) & (at[None, :] < n)
    a += matrix * batch_stride + at[:, None] * row_stride + at[None, :] * column_stride
    power = tl.load(a, mask=inside, other=0.0)
    top = tl.max(tl.max(tl.abs(power), axis=1), axis=0)
    empty = top == 0
    power /= tl.where(empty, 1.0, top)
    weight = tl.full((), 1.0, power.dtype)
    log = tl.full((), 0.0, power.dtype)
    for _ in range(DOUBLINGS):
        power = tl.dot(power, power, input_precision="tf32x3", out_dtype=power.dtype)
        size = tl.max(tl.max(tl.abs(power), axis=1), axis=0)
        empty |= size == 0
        size = tl.where(empty, 1.0, size)
        power /= size
        weight *= 0.5
        log += weight * tl.log2(size)
    tl.store(y + matrix, tl.where(empty, 0.0, top * tl.exp2(log)))


def spectral_norm_eig(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    lead, n = A.shape[:-2], A.shape[-1]
    a = A.reshape(math.prod(lead), n, n)
    y = torch.empty(lead, dtype=A.dtype, device=A.device)
    _radius[(a.shape[0],)](
        y, a, n, *a.stride(), DOUBLINGS=30 if A.dtype == torch.float32 else 60,
        BLOCK=max(16, triton.next_power_of_2(n)), num_warps=4 if n <= 64 else 8,
    )  # fmt: skip
    return y if out is None else out.copy_(y)
