import math

import torch
import triton
import triton.language as tl


@triton.jit
def _read(x, first, at, n, inner, period, WHOLE: tl.constexpr, BLOCK: tl.constexpr):
    """Element i // inner % period for element i of the result; `WHOLE`: just element i."""
    if WHOLE:
        place = at
    else:  # the block's start is reduced in 64 bits, so that lanes divide in 32
        place = ((first % (inner * period)).to(tl.int32) + tl.arange(0, BLOCK)) // inner % period
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        v = tl.load(x + place)
    else:
        v = tl.load(x + place, mask=at < n, other=0)
    return v


@triton.jit(do_not_specialize=["logits", "x1", "x2", "y1", "y2", "t1", "t2", "c1", "c2"])
def _binomials(
    z, x, y, trials, chances, seed, logits, n, x1, x2, y1, y2, t1, t2, c1, c2,
    XY: tl.constexpr, TC: tl.constexpr,
    LANES: tl.constexpr
):  # fmt: skip
    BLOCK: tl.constexpr = 4 * LANES
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    factor = _read(x, first, at, n, x1, x2, XY, BLOCK) & _read(y, first, at, n, y1, y2, XY, BLOCK)
    count = _read(trials, first, at, n, t1, t2, TC, BLOCK)
    p = _read(chances, first, at, n, c1, c2, TC, BLOCK)
    # A variant of the kernel for either would save an exponential, and compile twice.
    many = p > tl.where(logits != 0, 0.0, 0.5)
    p = tl.where(logits != 0, 1.0 / (1.0 + tl.exp(tl.abs(p))), tl.minimum(p, 1.0 - p))
    # Failures are counted where p is large: (1 - p)**count is never too small for float32.
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    b0, b1, b2, b3 = tl.randint4x(tl.load(seed), lane)
    bits = tl.interleave(tl.interleave(b0, b2), tl.interleave(b1, b3))
    unit = (bits >> 8).to(tl.float32) * 5.9604644775390625e-08 + 2.98023223876953125e-08
    mass = tl.exp2(count * tl.log2(1.0 - p))
    odds = p / (1.0 - p)
    total, left, step = mass, count, 1.0
    drawn = tl.zeros((BLOCK,), tl.float32)
    for _ in range(tl.max(count, axis=0).to(tl.int32)):
        drawn += ((unit > total) & (left > 0)).to(tl.float32)
        mass *= left * (odds * (1.0 / step))
        total += mass
        left -= 1.0
        step += 1.0
    drawn = tl.where(many, count - drawn, drawn)
    if first + BLOCK <= n:
        tl.store(z + at, factor.to(tl.float32) * drawn)
    else:
        tl.store(z + at, factor.to(tl.float32) * drawn, mask=at < n)


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def bitwise_and_binomial(
    input: torch.Tensor,
    other: torch.Tensor,
    total_count: torch.Tensor,
    probs: torch.Tensor | None = None,
    logits: torch.Tensor | None = None,
) -> torch.Tensor:
    chances = probs if logits is None else logits
    assert chances is not None
    given = (input, other, total_count, chances)
    shape = tuple(torch.broadcast_shapes(*(one.shape for one in given)))
    z = torch.empty(shape, dtype=torch.float32, device=input.device)
    n = z.numel()
    if n:
        seed = torch.randint(0, 2**62, (1,), device=input.device)
        wide = (one.view(torch.uint8) if one.dtype == torch.bool else one for one in given)
        tensors, inner, period = zip(*(_repeated(one, shape) for one in wide), strict=True)
        steps = [number for pair in zip(inner, period, strict=True) for number in pair]
        whole = {"XY": period[:2] == (n, n), "TC": period[2:] == (n, n)}
        _binomials[(triton.cdiv(n, 2048),)](
            z, *tensors, seed, int(logits is not None), n, *steps, **whole, LANES=512, num_warps=8
        )
    return z
