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
    z, x, y, number, first, mask, x_inner, x_period, y_inner, y_period,
    TENSOR: tl.constexpr, X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, COMPUTE: tl.constexpr,
    BLOCK: tl.constexpr
):  # fmt: skip
    a = _read(x, first, mask, x_inner, x_period, X_WHOLE, BLOCK).to(COMPUTE)
    if TENSOR:
        b = _read(y, first, mask, y_inner, y_period, Y_WHOLE, BLOCK).to(COMPUTE)
    else:
        b = tl.full((BLOCK,), number, COMPUTE)
    both = (a & b).to(z.dtype.element_ty)
    tl.store(z + first + tl.arange(0, BLOCK), both, mask=mask)


@triton.jit
def _and(
    z, x, y, number, n, x_inner, x_period, y_inner, y_period,
    TENSOR: tl.constexpr, X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, COMPUTE: tl.constexpr,
    BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(z, x, y, number, first, None, x_inner, x_period, y_inner, y_period,
               TENSOR, X_WHOLE, Y_WHOLE, COMPUTE, BLOCK)  # fmt: skip
    else:
        mask = first + tl.arange(0, BLOCK) < n
        _block(z, x, y, number, first, mask, x_inner, x_period, y_inner, y_period,
               TENSOR, X_WHOLE, Y_WHOLE, COMPUTE, BLOCK)  # fmt: skip


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def _bytes(x: torch.Tensor) -> torch.Tensor:
    """The same memory; a bool is a byte that is 0 or 1."""
    return x.view(torch.uint8) if x.dtype == torch.bool else x


_COMPUTE = {
    torch.bool: tl.uint8, torch.uint8: tl.uint8, torch.int8: tl.int8, torch.int16: tl.int16,
    torch.int32: tl.int32, torch.int64: tl.int64,
}  # fmt: skip


def bitwise_and(
    input: torch.Tensor,
    other: torch.Tensor | int,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    compute = _COMPUTE[dtype]
    tensor = isinstance(other, torch.Tensor)
    operand = other if isinstance(other, torch.Tensor) else input
    shape = tuple(torch.broadcast_shapes(input.shape, operand.shape))
    z = out
    if z is None or not z.is_contiguous():
        z = torch.empty(shape, dtype=dtype, device=input.device)
    n = z.numel()
    if n:
        block = 2048 if dtype.itemsize == 1 else 1024  # as many bytes as a thread stores at once
        x, *x_steps = _repeated(_bytes(input), shape)
        y, *y_steps = _repeated(_bytes(operand), shape)
        words = {"X_WHOLE": x_steps == [1, n], "Y_WHOLE": y_steps == [1, n], "BLOCK": block}
        _and[(triton.cdiv(n, block),)](
            _bytes(z), x, y, 0 if tensor else other, n, *x_steps, *y_steps,
            TENSOR=tensor, COMPUTE=compute, **words,
        )  # fmt: skip
    return z if out is None or z is out else out.copy_(z)
