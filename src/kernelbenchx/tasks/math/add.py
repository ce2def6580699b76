"""Sum of two tensors, the second one scaled: input + alpha * other.

`other` is a tensor or a number. Shapes broadcast and dtypes promote as `torch.result_type` says
(float16 with float32 gives float32, an integer tensor with a float tensor gives the float dtype, an
integer tensor with a float number gives float32, a number never widens a tensor of its own kind).
Tensors are float32, float16, bfloat16, int32 or int64. Integer results are exact (int64 beyond the
range of float64's integers too) and need an integer alpha. Results of 16 bits are computed in
float32 and rounded once, alpha * other not rounded in between. Any shape, also empty and 0-d, any
strides. With `out`, a tensor of the result's shape and dtype and any strides, the result is written
into it and that same tensor is returned.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import broadcast

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
PLANTED = (math.inf, -math.inf, math.nan, 0.0, -0.0, 1e4, -1e4, 1e-6)
Number = int | float


def add(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    return torch.add(input, other, alpha=alpha, out=out)


def exact(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """In float64 where the result is not an integer."""
    if not torch.result_type(input, other).is_floating_point:
        return add(input, other, alpha, out)
    wide = other.double() if isinstance(other, torch.Tensor) else other
    result: torch.Tensor = input.double() + alpha * wide
    if out is not None:
        out.copy_(result)
    return result


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    other: tuple[int, ...] | Number | None = None,
    other_dtype: torch.dtype | None = None,
    layout: str = "contiguous",
    alpha: Number | None = None,
    out: str | None = None,
) -> Call:
    """`other`: a shape, a number, or None for the shape of the input."""
    x = draw.laid_out(_values(draw, shape, dtype), layout)
    y: torch.Tensor | Number
    if isinstance(other, int | float):
        y = other
    else:
        y = _values(draw, shape if other is None else other, other_dtype or dtype)
    words: dict[str, Any] = {} if alpha is None else {"alpha": alpha}
    if out is not None:
        whole = broadcast(shape, tuple(getattr(y, "shape", ())))
        stale = _values(draw, whole, torch.result_type(x, y))
        words["out"] = draw.laid_out(stale, out)
    return call(x, y, **words)


def _values(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    if dtype.is_floating_point:
        return draw.planted(draw.normal(shape, dtype), PLANTED)
    # Wider than float32's (and for int64 float64's) integers, narrow enough not to overflow.
    reach = 2**28 if dtype == torch.int32 else 2**60
    return draw.integers(shape, -reach, reach, dtype)


def cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    other: tuple[int, ...] | Number | None = None,
    other_dtype: torch.dtype | None = None,
    **_,
) -> Cost:
    second = () if isinstance(other, int | float) else shape if other is None else other
    count = math.prod(broadcast(shape, second))
    wide = torch.promote_types(dtype, other_dtype or dtype).itemsize
    read = math.prod(shape) * dtype.itemsize
    if not isinstance(other, int | float):
        read += math.prod(second) * (other_dtype or dtype).itemsize
    return Cost(flops=2 * count, bytes=read + count * wide)


def local(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The sum on absolute values: the two terms may cancel."""
    size = other.abs() if isinstance(other, torch.Tensor) else abs(other)
    value = input.abs() + abs(alpha) * size
    return value, value


def _stored(result: torch.Tensor, out: torch.Tensor | None) -> torch.Tensor:
    return result if out is None else out.copy_(result)


def _rounded_product(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    product = torch.as_tensor(other).to(dtype) * alpha
    return _stored((input + product.to(dtype)).to(dtype), out)


def _first_dtype(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """Computed in the dtype of the first operand, then cast."""
    dtype = torch.result_type(input, other)
    narrow = torch.as_tensor(other).to(input.dtype)
    whole = alpha if input.is_floating_point() else int(alpha)
    return _stored(add(input, narrow, whole).to(dtype), out)


def _fresh(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = add(input, other, alpha)
    if out is not None:
        out.copy_(result)
    return result


def _scaled_input(
    input: torch.Tensor,
    other: torch.Tensor | Number,
    alpha: Number = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    return _stored((alpha * input + other).to(torch.result_type(input, other)), out)


TASK = Task(
    reference=add,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((3001,),), dtype=FLOATS, alpha=(-0.3,))
    + grid(shape=((2, 1024),), dtype=FLOATS, out=("contiguous",))
    + grid(shape=((5, 409),), dtype=(torch.float32, torch.float16), layout=("strided",), alpha=(2,))
    + case(shape=(31, 37), dtype=torch.float32, layout="transposed", out="transposed", alpha=1.7)
    + case(shape=(13, 1, 7), dtype=torch.float32, other=(11, 1), alpha=0.3)
    + case(shape=(1201,), dtype=torch.bfloat16, other=(2, 1), out="strided", alpha=-0.7)
    + case(shape=(33, 40), dtype=torch.float16, other_dtype=torch.float32, alpha=0.9)
    + case(shape=(33, 40), dtype=torch.int32, other_dtype=torch.int64, alpha=3)
    + case(shape=(1025,), dtype=torch.int64, other=7, alpha=-2, out="contiguous")
    + case(shape=(1025,), dtype=torch.int32, alpha=-3)
    + case(shape=(1025,), dtype=torch.int32, other=(), other_dtype=torch.float32, alpha=0.5)
    + case(shape=(1025,), dtype=torch.int64, other=0.25, alpha=-0.1)
    + case(shape=(1025,), dtype=torch.float32, other=-1.3, alpha=0.5)
    + case(shape=(1025,), dtype=torch.bfloat16, other=3)
    + case(shape=(), dtype=torch.float32, alpha=0.5)
    + case(shape=(1,), dtype=torch.float16, other=(0,))
    + case(shape=(0, 5), dtype=torch.float32, other=2.0),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, alpha=0.5)
    + case(shape=(4096, 8192), dtype=torch.float32, other=(8192,), alpha=0.5),
    mutants=(
        Mutant("alpha ignored", lambda x, y, out=None, **_: add(x, y, out=out), ("alpha",)),
        Mutant("alpha scales the input", _scaled_input, ("alpha",)),
        Mutant("product rounded on its own", _rounded_product),
        Mutant("dtype of the first operand", _first_dtype, ("other",)),
        Mutant("out ignored", lambda x, y, alpha=1, **_: add(x, y, alpha), ("out",)),
        Mutant("a fresh tensor beside out", _fresh, ("out",)),
        Patch("integers through float32", "torch.int64: tl.int64", "torch.int64: tl.float32"),
        Patch(
            "other not read in order",
            "x, y = x.contiguous(), y.contiguous()",
            "x = x.contiguous()",
            ("other",),
        ),
        Patch(
            "input not read in order",
            "x, y = x.contiguous(), y.contiguous()",
            "y = y.contiguous()",
            ("input",),
        ),
        Patch(
            "strides of out ignored",
            "z is None or not z.is_contiguous()",
            "z is None",
            ("out",),
        ),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=4,
    truth=exact,
    writes=("out",),
)
