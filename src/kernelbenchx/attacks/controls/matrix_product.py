"""Tiles multiplied with tl.dot.

with: triton
task: matmul_fp16
"""


@triton.jit
def matmul_kernel(
    c_ptr, a_ptr, b_ptr, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    batch = tl.program_id(2).to(tl.int64)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, tl.cdiv(k, BK)):
        at = start * BK + inner
        a = tl.load(
            a_ptr + batch * m * k + rows[:, None] * k + at[None, :],
            mask=(rows[:, None] < m) & (at[None, :] < k),
            other=0.0,
        )
        b = tl.load(
            b_ptr + batch * k * n + at[:, None] * n + columns[None, :],
            mask=(at[:, None] < k) & (columns[None, :] < n),
            other=0.0,
        )
        total += tl.dot(a, b)
    spots = c_ptr + batch * m * n + rows[:, None] * n + columns[None, :]
    tl.store(spots, total.to(tl.float16), mask=(rows[:, None] < m) & (columns[None, :] < n))


def matmul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    a = input[None, :] if input.dim() == 1 else input
    b = other[:, None] if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    a = a.expand(batch + (m, k)).contiguous()
    b = b.expand(batch + (k, n)).contiguous()
    c = torch.empty(batch + (m, n), dtype=torch.float16, device=input.device)
    if c.numel():
        grid = (triton.cdiv(m, 32), triton.cdiv(n, 32), c.numel() // (m * n))
        matmul_kernel[grid](c, a, b, m, n, k, BM=32, BN=32, BK=64)
    c = c.squeeze(-2) if input.dim() == 1 else c
    return c.squeeze(-1) if other.dim() == 1 else c
