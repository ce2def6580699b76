from collections.abc import Sequence

import torch
import triton
import triton.language as tl


@triton.jit
def _permute(
    out, x, na, nb, nc, sa, sb, sc, sd, tb, tc, td,
    WIDE: tl.constexpr, HIGH: tl.constexpr
):  # fmt: skip
    """A tile along the result's last dimension and along one in which the input is dense."""
    across, down = tl.cdiv(na, WIDE), tl.cdiv(nb, HIGH)
    tile, rest = tl.program_id(0) % (across * down), tl.program_id(0) // (across * down)
    c, d = (rest % nc).to(tl.int64), (rest // nc).to(tl.int64)
    a = (tile % across * WIDE + tl.arange(0, WIDE)).to(tl.int64)[None, :]
    b = (tile // across * HIGH + tl.arange(0, HIGH)).to(tl.int64)[:, None]
    mask = (a < na) & (b < nb)
    value = tl.load(x + c * sc + d * sd + a * sa + b * sb, mask=mask)
    tl.store(out + c * tc + d * td + b * tb + a, value, mask=mask)


def _merged(view: torch.Tensor) -> list[tuple[int, int]]:
    """Sizes and strides, neighbours that lie like one dimension as one."""
    found: list[tuple[int, int]] = []
    for size, step in zip(view.shape, view.stride(), strict=True):
        if size == 1:
            continue
        if found and found[-1][1] == size * step:
            found[-1] = (found[-1][0] * size, step)
        else:
            found.append((size, step))
    return [(1, 0)] * (4 - len(found)) + found


def permute_copy(input: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    view = input.permute(tuple(dims))
    out = torch.empty(view.shape, dtype=input.dtype, device=input.device)
    if out.numel() == 0:
        return out
    places, to = [], 1
    for size, step in reversed(_merged(view)):
        places.append((size, step, to))
        to *= size
    (na, sa, _), *others = places
    # Of the other dimensions the one with the smallest step; size 1 has none.
    others.sort(key=lambda one: (one[0] == 1, one[1]))
    (nb, sb, tb), (nc, sc, tc), (nd, sd, td) = others
    wide = min(triton.next_power_of_2(na), 1024 if sa == 1 else 64)
    high = min(triton.next_power_of_2(nb), max((2048 if sa == 1 else 4096) // wide, 1))
    grid = (triton.cdiv(na, wide) * triton.cdiv(nb, high) * nc * nd,)
    _permute[grid](
        out, input, na, nb, nc, sa, sb, sc, sd, tb, tc, td, WIDE=wide, HIGH=high
    )  # fmt: skip
    return out
