import math

import torch
import triton
import triton.language as tl


@triton.jit
def _read(x, first, mask, inner, period, WHOLE: tl.constexpr, BLOCK: tl.constexpr):
    """Element i // inner % period for element i of the result; `WHOLE`: just element i."""
    lane = tl.arange(0, BLOCK)
    if WHOLE:
        place = first + lane
    else:  # the block's start is reduced in 64 bits, so that lanes divide in 32
        place = ((first % (inner * period)).to(tl.int32) + lane) // inner % period
    return tl.load(x + place, mask=mask)


@triton.jit
def _block(
    out, x, cond, y, first, mask, x_inner, x_period, c_inner, c_period, y_inner, y_period,
    X: tl.constexpr, C: tl.constexpr, Y: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    a = _read(x, first, mask, x_inner, x_period, X, BLOCK).to(out.dtype.element_ty)
    b = _read(y, first, mask, y_inner, y_period, Y, BLOCK).to(out.dtype.element_ty)
    chosen = _read(cond, first, mask, c_inner, c_period, C, BLOCK) != 0
    tl.store(out + first + tl.arange(0, BLOCK), tl.where(chosen, a, b), mask=mask)


@triton.jit
def _where(
    out, x, cond, y, n, x_inner, x_period, c_inner, c_period, y_inner, y_period,
    X: tl.constexpr, C: tl.constexpr, Y: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(out, x, cond, y, first, None, x_inner, x_period, c_inner, c_period, y_inner,
               y_period, X, C, Y, BLOCK)  # fmt: skip
    else:
        mask = first + tl.arange(0, BLOCK) < n
        _block(out, x, cond, y, first, mask, x_inner, x_period, c_inner, c_period, y_inner,
               y_period, X, C, Y, BLOCK)  # fmt: skip


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def expand_where(
    input: torch.Tensor, target_sizes: tuple[int, ...], cond: torch.Tensor, other: torch.Tensor
) -> torch.Tensor:
    expanded = input.expand(target_sizes)
    shape = tuple(torch.broadcast_shapes(expanded.shape, cond.shape, other.shape))
    dtype = torch.result_type(expanded, other)
    out = torch.empty(shape, dtype=dtype, device=input.device)
    n = out.numel()
    if n:
        (x, *x_steps), (c, *c_steps), (y, *y_steps) = (
            _repeated(one, shape) for one in (input, cond, other)
        )
        whole = {"X": x_steps == [1, n], "C": c_steps == [1, n], "Y": y_steps == [1, n]}
        _where[(triton.cdiv(n, 1024),)](
            out, x, c, y, n, *x_steps, *c_steps, *y_steps, **whole, BLOCK=1024
        )
    return out
