"""Index of the largest element along one dimension, or of the whole tensor.

`dim` is an int (may be negative), or None for the flattened tensor (in row-major order). The result
is int64; the reduced dimension is dropped, or kept with size 1 when keepdim=True (with dim=None
every dimension is). Of equal largest elements the first counts, whatever the dtype; -0.0 equals
0.0. NaN counts as larger than anything, and the first NaN wins. Input: float32, float16, bfloat16,
int32 or int64 (compared exactly), any shape (0-d too) and strides; the reduced dimension is not
empty, others may be.
"""

import math

import torch
import triton
import triton.language as tl

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def argmax(input: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    return torch.argmax(input, dim, keepdim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: int | None,
    dtype: torch.dtype,
    kind: str = "normal",
    keepdim: bool | None = None,
    layout: str = "contiguous",
) -> Call:
    x = draw.laid_out(_values(draw, shape, dtype, kind), layout)
    return call(x, dim) if keepdim is None else call(x, dim, keepdim=keepdim)


def _values(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, kind: str) -> torch.Tensor:
    if not dtype.is_floating_point:
        # Neighbours that float32 (and for int64 float64) cannot tell apart, all negative.
        base = -(2**30) if dtype == torch.int32 else -(2**60)
        return draw.integers(shape, base, base + 500, dtype)
    if kind == "ties":  # the largest are zeros of both signs
        return draw.planted(draw.integers(shape, -2, 1).to(dtype), (-0.0,) * 40)
    if kind == "negative":
        return -1 - draw.uniform(shape, dtype)
    x = draw.normal(shape, dtype)
    if kind == "nan":
        x = draw.planted(x, (math.nan, math.nan, math.nan, math.inf, math.inf, -math.inf))
    if kind == "last" and x.numel():
        x.view(-1)[-1] = 100.0
    return torch.full_like(x, -math.inf) if kind == "-inf" else x


def cost(shape: tuple[int, ...], dim: int | None, dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    rows = 1 if dim is None or not shape else count // max(shape[dim], 1)
    return Cost(flops=count, bytes=count * dtype.itemsize + 8 * rows)


@triton.jit
def _larger(top, place, v, at):
    """Of two elements the larger, NaN above all; of equal ones the one that stands first."""
    equal = (v == top) | ((v != v) & (top != top))
    better = tl.where(equal, at < place, (v > top) | (v != v))
    return tl.where(better, v, top), tl.where(better, at, place)


@triton.jit
def _argmax(
    places, tops, x, known, n, inner, chunks,
    AGAIN: tl.constexpr, FLOAT: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr,
    COLUMNS: tl.constexpr
):  # fmt: skip
    """One chunk of a block of columns of (outer, n, inner).

    `AGAIN`: x holds the tops of chunks, and `known` where they were.
    """
    blocks = tl.cdiv(inner, COLUMNS)
    part = tl.program_id(0) // blocks
    column = tl.program_id(0) % blocks * COLUMNS + tl.arange(0, COLUMNS)
    start = (part % chunks).to(tl.int64) * CHUNK
    first = (part // chunks).to(tl.int64) * n + start
    left = tl.minimum(n - start, CHUNK).to(tl.int32)
    COMPUTE: tl.constexpr = tl.float32 if FLOAT else tl.int64
    top = tl.full((ROWS, COLUMNS), float("-inf") if FLOAT else -(2**63), COMPUTE)
    found = tl.zeros((ROWS, COLUMNS), tl.int32)
    row = tl.arange(0, ROWS)
    # Stages: the next tiles are on their way while one is looked through.
    for offset in tl.range(0, CHUNK, ROWS, num_stages=3):
        at = offset + row
        mask = (at < left)[:, None] & (column < inner)[None, :]
        place = (first + at)[:, None] * inner + column[None, :]
        v = tl.load(x + place, mask=mask, other=0).to(COMPUTE)
        # Rows are read in order: of equals the first stays, and nothing replaces a NaN.
        better = mask & ~(v <= top) & (top == top)
        top = tl.where(better, v, top)
        found = tl.where(better, offset, found)
    # A lane that found nothing above the lowest names its first row, right if it has one; if not,
    # that row lies behind all others and loses against them.
    high, place = tl.reduce((top, found + row[:, None]), 0, _larger)
    place = start + place
    if AGAIN:
        was = (first - start + place) * inner + column
        place = tl.load(known + was, mask=column < inner, other=0)
    out = part.to(tl.int64) * inner + column
    tl.store(places + out, place, mask=column < inner)
    tl.store(tops + out, high, mask=column < inner)


def witness(input: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    whole = dim is None or input.dim() == 0
    x = (input.reshape(-1) if whole else input).contiguous()
    axis = 0 if dim is None or whole else dim % x.dim()
    before, n, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(behind)
    columns = min(triton.next_power_of_2(inner), 128)
    real = x.dtype.is_floating_point
    places = torch.empty(outer * inner, dtype=torch.int64, device=x.device)
    chunks, again = 0, False
    while outer * inner and chunks != 1:
        # Blocks of columns are few: their chunks are short, so that there are enough programs.
        chunk = min(triton.next_power_of_2(n), 8192 if inner == 1 else 256)
        chunks = triton.cdiv(n, chunk)
        known, places = places, places.new_empty(outer * chunks * inner)
        tops = x.new_empty(places.numel(), dtype=torch.float32 if real else torch.int64)
        words = {"CHUNK": chunk, "ROWS": min(chunk, 2048 // columns), "COLUMNS": columns}
        _argmax[(outer * chunks * triton.cdiv(inner, columns),)](
            places, tops, x, known, n, inner, chunks, AGAIN=again, FLOAT=real, **words
        )
        x, n, again = tops, chunks, True
    kept = [1] * (input.dim() if whole else 1) if keepdim else []
    return places.view([*before, *kept, *behind])


def _last_of_equals(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    if not x.dim() or not x.numel():
        return argmax(x, dim, keepdim)
    dims = list(range(x.dim())) if dim is None else [dim]
    size = x.numel() if dim is None else x.shape[dim]
    return size - 1 - argmax(x.flip(dims), dim, keepdim)


def _half_ties(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    """Wrong in float16 only."""
    right = x.dtype != torch.float16
    return argmax(x, dim, keepdim) if right else _last_of_equals(x, dim, keepdim)


def _without_nan(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    quiet = x.nan_to_num(-math.inf, math.inf, -math.inf) if x.is_floating_point() else x
    return argmax(quiet, dim, keepdim)


TASK = Task(
    reference=argmax,
    inputs=inputs,
    cost=cost,
    contract=Exact(),
    checks=grid(shape=((9001,),), dim=(0,), dtype=FLOATS, kind=("ties",))  # ties across the chunks
    + grid(shape=((3, 1500),), dim=(-1,), dtype=FLOATS, kind=("normal", "nan"))
    + grid(shape=((1100, 4),), dim=(0,), dtype=(torch.float16, torch.int64), keepdim=(True,))
    + case(shape=(9001,), dim=-1, dtype=torch.float32, kind="last")
    + grid(shape=((3, 5, 67),), dim=(1, 2), dtype=(torch.float32,), kind=("negative",))
    + grid(shape=((13, 50),), dim=(None,), dtype=(torch.float32, torch.int32), keepdim=(True,))
    + case(shape=(7, 29, 3), dim=None, dtype=torch.bfloat16, kind="ties")
    + case(shape=(4, 600), dim=1, dtype=torch.int64)
    + case(shape=(5, 77), dim=1, dtype=torch.float16, kind="-inf")
    + case(shape=(9001,), dim=0, dtype=torch.float32, kind="nan", keepdim=False)
    + case(shape=(4, 309), dim=1, dtype=torch.float32, layout="strided")
    + case(shape=(17, 9), dim=-2, dtype=torch.float16, kind="ties", layout="transposed")
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float32),
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float16)
    + case(shape=(8192, 8192), dim=1, dtype=torch.float32)
    + case(shape=(8192, 4096), dim=0, dtype=torch.bfloat16),
    witness=witness,
    mutants=(
        Mutant("last of equal elements", _last_of_equals, ("input",)),
        Mutant("last of equal elements in float16", _half_ties, ("W-PDT",)),
        Mutant("nan ignored", _without_nan, ("input",)),
        Mutant("flattened", lambda x, _, keepdim=False: argmax(x, None, keepdim), ("dim",)),
        Mutant("always the last dimension", lambda x, _, **rest: argmax(x, -1, **rest), ("dim",)),
        Mutant("keepdim ignored", lambda x, dim, **_: argmax(x, dim), ("keepdim",)),
        Patch("integers through float32", "real = x.dtype.is_floating_point", "real = True"),
        Patch("padding counted as zero", "mask & ~(v <= top)", "~(v <= top)"),
        Patch("contiguity assumed", "else input).contiguous()", "else input)", ("input",)),
        Patch("first chunk only", "start = (part % chunks)", "start = (part % 1)"),
        Patch(
            "last element left out", "minimum(n - start, CHUNK)", "minimum(n - 1 - start, CHUNK)"
        ),
    ),
    dtypes=FLOATS,
    difficulty=3,
    audit=("W-PDT",),
)
