"""Softmax along one dimension: exp(x - max) / sum(exp(x - max)) over every slice along `dim`.

The maximum of the slice is subtracted first, so large inputs do not overflow. `dim` may be
negative. With `dtype` the input is cast to it first (rounding its values) and the result has that
dtype; without it the result has the input's dtype. Input: float16, bfloat16 or float32, or integers
where `dtype` is given; `dtype` may be float16, bfloat16, float32 or float64. 16-bit values are
computed in float32 and rounded once; float64 results are computed in float64. Any shape, also
empty and 0-d, any strides. -inf gives 0; a slice that is -inf throughout, or that holds NaN or
+inf, gives NaN throughout.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def softmax(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    return torch.nn.functional.softmax(input, dim, dtype=dtype)


def exact(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """In float64, of the values that the cast leaves."""
    return softmax((input if dtype is None else input.to(dtype)).double(), dim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: int,
    dtype: torch.dtype,
    to: torch.dtype | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
    edges: bool = False,
) -> Call:
    if not dtype.is_floating_point:
        return call(draw.integers(shape, -9, 9, dtype), dim, dtype=to)
    x = draw.normal(shape, dtype, size)
    if edges:
        _plant(x.movedim(dim, -1))
    x = draw.laid_out(x, layout)
    return call(x, dim) if to is None else call(x, dim, dtype=to)


def _plant(rows: torch.Tensor) -> None:
    """Slices that a kernel must get right by thought rather than by luck; needs six of them."""
    rows[0] = -math.inf
    rows[1, 0] = math.nan
    rows[2, -1] = math.inf
    rows[3] += 1000.0
    rows[4] -= 1000.0
    rows[5, ::2] = -math.inf


def cost(
    shape: tuple[int, ...], dim: int, dtype: torch.dtype, to: torch.dtype | None = None, **_
) -> Cost:
    count = math.prod(shape)
    return Cost(flops=5 * count, bytes=count * (dtype.itemsize + (to or dtype).itemsize))


def local(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A rounded x - max moves exp by its own size; the sum of n terms drifts by sqrt(n)."""
    x = (input if dtype is None else input.to(dtype)).double()
    if not x.numel():
        return x
    value = softmax(x, dim)
    away = torch.nan_to_num(x.amax(dim, keepdim=True) - x, nan=0.0, posinf=0.0, neginf=0.0)
    terms = x.shape[dim] if x.dim() else 1
    return value * (away + (value * away).sum(dim, keepdim=True) + math.sqrt(terms))


def _cast_last(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    return exact(input, dim).to(dtype or input.dtype)


def _rounded_total(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """The sum of the exponentials kept in bfloat16."""
    if not input.numel():
        return softmax(input, dim, dtype)
    x = (input if dtype is None else input.to(dtype)).double()
    terms = torch.exp(x - x.amax(dim, keepdim=True))
    return (terms / terms.sum(dim, keepdim=True).bfloat16()).to(dtype or input.dtype)


TASK = Task(
    reference=softmax,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((3, 2500),), dim=(1,), dtype=FLOATS, size=(1.0, 30.0))
    + grid(shape=((6, 67),), dim=(-1,), dtype=FLOATS, edges=(True,))
    + grid(shape=((1100, 6),), dim=(0,), dtype=FLOATS, layout=("contiguous",), edges=(True,))
    + case(shape=(3, 29, 2), dim=1, dtype=torch.float32, size=1e-3)
    + case(shape=(2, 3, 1024), dim=-1, dtype=torch.float32, layout="strided")
    + case(shape=(17, 9), dim=1, dtype=torch.bfloat16, layout="transposed")
    + case(shape=(3, 700), dim=1, dtype=torch.float32, to=torch.float64)
    + grid(shape=((3, 700),), dim=(1,), dtype=(torch.float32,), to=FLOATS[1:], size=(4.0,))
    + case(shape=(3, 700), dim=1, dtype=torch.float16, to=torch.float32)
    + case(shape=(4, 130), dim=1, dtype=torch.int64, to=torch.float32)
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(5, 1), dim=-1, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float32),
    timings=case(shape=(4096, 8192), dim=-1, dtype=torch.float32)
    + case(shape=(512, 131072), dim=1, dtype=torch.bfloat16)
    + case(shape=(4096, 4096), dim=0, dtype=torch.float16),
    mutants=(
        Mutant("always the last dimension", lambda x, *_, **rest: softmax(x, -1, **rest), ("dim",)),
        Mutant("cast at the end", _cast_last, ("dtype",)),
        Mutant("dtype ignored", lambda x, dim, **_: softmax(x, dim), ("dtype",)),
        Mutant("total in bfloat16", _rounded_total),
        Patch(
            "maximum not subtracted",
            "peak = tl.max(top, axis=0)",
            "peak = tl.zeros((COLUMNS,), COMPUTE)",
        ),
        Patch("total of the last block only", "sums * less + 1.0, sums + less", "1.0, less"),
        Patch("padding counted", 'other=float("-inf")', "other=0.0"),
        Patch(
            "maximum at least zero",
            "top = tl.full((ROWS, COLUMNS), LOWEST, COMPUTE)",
            "top = tl.zeros((ROWS, COLUMNS), COMPUTE)",
        ),
        Patch("contiguity assumed", ".to(dtype)).contiguous()", ".to(dtype))", ("input",)),
        Patch(
            "only the first block written",
            "element_ty), mask=mask)",
            "element_ty), mask=mask & (at < ROWS)[:, None])",
        ),
    ),
    dtypes=FLOATS,
    difficulty=4,
    truth=exact,
)
