import math

import torch
import triton
import triton.language as tl

Triple = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


@triton.jit
def _rotated(w, partner, cos, sin):
    """Every column turned with its partner."""
    other = tl.gather(w, tl.broadcast_to(partner[None, :], w.shape), axis=1)
    return w * cos[None, :] - other * sin[None, :]


@triton.jit
def _sweep(w, v, cols, TINY: tl.constexpr, BN: tl.constexpr):
    """Turn each pair of columns once until it is orthogonal; the pairs of one step are disjoint."""
    worst = tl.sum(tl.zeros((BN,), dtype=w.dtype), axis=0)
    for step in range(1, BN):
        partner = cols ^ step
        other = tl.gather(w, tl.broadcast_to(partner[None, :], w.shape), axis=1)
        # Both columns of a pair compute their angle from the same numbers in the same order: one
        # that differs in its last bit on the two sides would leave them not orthogonal.
        left = (cols < partner)[None, :]
        one, two = tl.where(left, w, other), tl.where(left, other, w)
        ones, twos = tl.sum(one * one, axis=0), tl.sum(two * two, axis=0)
        cross = tl.sum(one * two, axis=0)
        apart = tl.abs(cross) > TINY * (tl.sqrt(ones) * tl.sqrt(twos))
        worst = tl.maximum(worst, tl.max(tl.where(apart, 1.0, 0.0).to(w.dtype), axis=0))
        zeta = (twos - ones) / tl.where(apart, 2.0 * cross, 1.0)
        size = tl.abs(zeta)
        # Beyond this size its square adds nothing, and may overflow.
        tangent = 1.0 / (size + tl.where(size < 1e8, tl.sqrt(1.0 + size * size), size))
        tangent = tl.where(apart, tl.where(zeta < 0, -tangent, tangent), 0.0)
        cos = 1.0 / tl.sqrt(1.0 + tangent * tangent)
        sin = tl.where(cols < partner, cos * tangent, -cos * tangent)
        w = _rotated(w, partner, cos, sin)
        v = _rotated(v, partner, cos, sin)
    return w, v, worst


@triton.jit
def _svd(
    u, s, v, a, m, n, wide, u_b, u_row, u_col, v_b, v_row, v_col, a_b, a_row, a_col,
    TINY: tl.constexpr, SWEEPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """One matrix with m >= n: Jacobi rotations, a sort, reflections that complete the basis."""
    matrix = tl.program_id(0).to(tl.int64)
    rows, cols, across = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BM)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    a += matrix * a_b + rows[:, None] * a_row + cols[None, :] * a_col
    w = tl.load(a, mask=inside, other=0.0)
    kind = w.dtype
    top = tl.max(tl.max(tl.abs(w), axis=1), axis=0)
    top = tl.where(top > 0, top, 1.0)
    w /= top
    down = tl.arange(0, BN)
    turned = tl.where(down[:, None] == cols[None, :], 1.0, 0.0).to(kind)
    sweeps = 0
    worst = top * 0.0 + 1.0
    while (worst > 0.0) & (sweeps < SWEEPS):
        w, turned, worst = _sweep(w, turned, cols, TINY, BN)
        sweeps += 1
    values = tl.sqrt(tl.sum(w * w, axis=0))
    # The place of a column: how many are larger, or as large and before it.
    before = (values[:, None] > values[None, :]) | (
        (values[:, None] == values[None, :]) & (down[:, None] < cols[None, :])
    )
    place = tl.sum(before.to(tl.int32), axis=0)
    order = tl.sum(tl.where(place[:, None] == cols[None, :], down[:, None], 0), axis=0)
    w = tl.gather(w, tl.broadcast_to(order[None, :], w.shape), axis=1)
    turned = tl.gather(turned, tl.broadcast_to(order[None, :], turned.shape), axis=1)
    values = tl.gather(values, order, axis=0)
    tl.store(s + matrix * n + cols, values * top, mask=cols < n)
    v += matrix * v_b + down[:, None] * v_row + cols[None, :] * v_col
    tl.store(v, turned, mask=(down[:, None] < n) & (cols[None, :] < n))
    basis = tl.where(rows[:, None] == across[None, :], 1.0, 0.0).to(kind)
    for j in range(n):
        column = tl.sum(tl.where(cols[None, :] == j, w, 0.0), axis=1)
        column = tl.where(rows >= j, column, 0.0)
        largest = tl.max(tl.abs(column), axis=0)
        unit = column / tl.where(largest > 0, largest, 1.0)
        head = tl.sum(tl.where(rows == j, unit, 0.0), axis=0)
        length = tl.sqrt(tl.sum(unit * unit, axis=0))
        length = tl.where(head > 0, -length, length)
        x = unit - tl.where(rows == j, length, 0.0)
        square = tl.sum(x * x, axis=0)
        factor = tl.where(square > 0, 2.0 / tl.where(square > 0, square, 1.0), 0.0)
        w -= x[:, None] * (factor * tl.sum(x[:, None] * w, axis=0))[None, :]
        basis -= (factor * tl.sum(basis * x[None, :], axis=1))[:, None] * x[None, :]
        # The reflection takes the column to `length` times this axis: its sign goes to U.
        basis = tl.where((across[None, :] == j) & (length < 0), -basis, basis)
        w = tl.where((rows[:, None] == j) & (length < 0), -w, w)
    u += matrix * u_b + rows[:, None] * u_row + across[None, :] * u_col
    tl.store(u, basis, mask=(rows[:, None] < m) & (across[None, :] < wide))


def svd(A: torch.Tensor, full_matrices: bool = True) -> Triple:
    lead, (m, n) = A.shape[:-2], A.shape[-2:]
    count, k = math.prod(lead), min(m, n)
    u_wide, v_wide = (m, n) if full_matrices else (k, k)
    a = A.reshape(count, m, n)
    u = torch.empty((count, m, u_wide), dtype=A.dtype, device=A.device)
    s = torch.empty((count, k), dtype=A.dtype, device=A.device)
    vh = torch.empty((count, v_wide, n), dtype=A.dtype, device=A.device)
    left, right = u, vh.mT
    if m < n:  # the transpose: U and V change places
        a, left, right = a.mT, right, left
    tall = max(m, n)
    _svd[(count,)](
        left, s, right, a, tall, k, left.shape[2], *left.stride(), *right.stride(), *a.stride(),
        TINY=5e-7 if A.dtype == torch.float32 else 1e-15, SWEEPS=20,
        # Never smaller: on a GPU tl.gather mixes up the columns of a tile of 32 or fewer elements.
        BM=max(8, triton.next_power_of_2(tall)), BN=max(8, triton.next_power_of_2(k)),
        num_warps=4 if tall * k <= 1024 else 8,
    )  # fmt: skip
    return u.view(*lead, m, u_wide), s.view(*lead, k), vh.view(*lead, v_wide, n)
