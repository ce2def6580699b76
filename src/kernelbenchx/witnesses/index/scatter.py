import torch
import triton
import triton.language as tl


@triton.jit
def _copy(out, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n, other=0.0), mask=at < n)


@triton.jit
def _scatter(
    out, index, src, n, n1, n2, n3, s0, s1, s2, s3, o0, o1, o2, o3,
    DIM: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    i3 = at % n3
    i2 = at // n3 % n2
    i1 = at // (n3 * n2) % n1
    i0 = at // (n3 * n2 * n1)
    value = tl.load(src + i0 * s0 + i1 * s1 + i2 * s2 + i3 * s3, mask=mask, other=0.0)
    place = tl.load(index + at, mask=mask, other=0)
    if DIM == 0:
        i0 = place
    elif DIM == 1:
        i1 = place
    elif DIM == 2:
        i2 = place
    else:
        i3 = place
    tl.store(out + i0 * o0 + i1 * o1 + i2 * o2 + i3 * o3, value, mask=mask)


def scatter(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    x, places = input.contiguous(), index.contiguous()
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    count, n = x.numel(), places.numel()
    if count:
        _copy[(triton.cdiv(count, 1024),)](out, x, count, BLOCK=1024)
    if n:
        lead = 4 - x.dim()
        axis = (dim + x.dim() if dim < 0 else dim) + lead if x.dim() else 3
        sizes = (1,) * lead + tuple(places.shape)
        steps = (0,) * lead + tuple(src.stride()) + (0,) * lead + tuple(out.stride())
        if not x.dim():
            steps = (0,) * 8
        _scatter[(triton.cdiv(n, 512),)](
            out, places, src, n, *sizes[1:], *steps, DIM=axis, BLOCK=512
        )
    return out
