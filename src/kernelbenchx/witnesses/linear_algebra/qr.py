import math

import torch
import triton
import triton.language as tl

Pair = tuple[torch.Tensor, torch.Tensor]


@triton.jit
def _householder(
    q, r, a, m, n, inner, columns, height, q_b, q_row, q_col, r_b, r_row, r_col, a_b, a_row, a_col,
    WITH_Q: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """One matrix: reflections from the left make it triangular; Q collects them."""
    matrix = tl.program_id(0).to(tl.int64)
    rows = tl.arange(0, BM)
    cols = tl.arange(0, BN)
    across = tl.arange(0, BM)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    kind = a.dtype.element_ty
    w = tl.load(
        a + matrix * a_b + rows[:, None] * a_row + cols[None, :] * a_col, mask=inside, other=0.0
    )
    basis = tl.where(rows[:, None] == across[None, :], 1.0, 0.0).to(kind)
    for j in range(inner):
        column = tl.sum(tl.where(cols[None, :] == j, w, 0.0), axis=1)
        column = tl.where(rows >= j, column, 0.0)
        largest = tl.max(tl.abs(column), axis=0)
        unit = column / tl.where(largest > 0, largest, 1.0)
        head = tl.sum(tl.where(rows == j, unit, 0.0), axis=0)
        length = tl.sqrt(tl.sum(unit * unit, axis=0))
        length = tl.where(head > 0, -length, length)
        v = unit - tl.where(rows == j, length, 0.0)
        square = tl.sum(v * v, axis=0)
        factor = tl.where(square > 0, 2.0 / tl.where(square > 0, square, 1.0), 0.0)
        along = factor * tl.sum(v[:, None] * w, axis=0)
        w -= v[:, None] * along[None, :]
        w = tl.where((rows[:, None] > j) & (cols[None, :] == j), 0.0, w)
        if WITH_Q:
            onto = factor * tl.sum(basis * v[None, :], axis=1)
            basis -= onto[:, None] * v[None, :]
    w = tl.where(rows[:, None] <= cols[None, :], w, 0.0)
    r += matrix * r_b + rows[:, None] * r_row + cols[None, :] * r_col
    tl.store(r, w, mask=(rows[:, None] < height) & (cols[None, :] < n))
    if WITH_Q:
        q += matrix * q_b + rows[:, None] * q_row + across[None, :] * q_col
        tl.store(q, basis, mask=(rows[:, None] < m) & (across[None, :] < columns))


def qr(A: torch.Tensor, mode: str = "reduced", out: Pair | None = None) -> Pair:
    lead, (m, n) = A.shape[:-2], A.shape[-2:]
    k, count = min(m, n), math.prod(lead)
    wide = m if mode == "complete" else k
    a = A.reshape(count, m, n)
    q = torch.empty((count, m, wide), dtype=A.dtype, device=A.device)
    r = torch.empty((count, wide, n), dtype=A.dtype, device=A.device)
    _householder[(count,)](
        q, r, a, m, n, k, wide, wide, *q.stride(), *r.stride(), *a.stride(),
        WITH_Q=mode != "r", BM=triton.next_power_of_2(m), BN=triton.next_power_of_2(n),
        num_warps=4 if m * n <= 1024 else 8,
    )  # fmt: skip
    q = q.new_empty((0,)) if mode == "r" else q.view(*lead, m, wide)
    r = r.view(*lead, wide, n)
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))
