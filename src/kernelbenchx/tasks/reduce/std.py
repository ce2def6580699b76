"""Standard deviation over one, several or all dimensions.

sqrt(sum((x - mean)**2) / max(0, n - correction)), where n elements are reduced to one and mean is
their mean. Where n <= correction the division by 0 gives NaN if all deviations are 0, else inf.
`dim` is an int (may be negative), a tuple of ints, or None for all dimensions. The reduced
dimensions are dropped, or kept with size 1 when keepdim=True. The result has the input's dtype
(float32, float16 or bfloat16); 16-bit inputs are computed in float32 and rounded once. The mean is
subtracted before squaring (or an equally accurate method is used): the difference of mean(x**2) and
mean**2 loses all digits where the mean is large. NaN or an infinity among the elements gives NaN.
Any shape, also empty and 0-d, any strides. With `out`, a tensor of the result's shape and dtype and
any strides, the result is written into it and that same tensor is returned.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import reduced_count

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Dim = int | tuple[int, ...] | None


def std(
    input: torch.Tensor,
    dim: Dim = None,
    correction: int = 1,
    keepdim: bool = False,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    n = math.prod([input.shape[d] for d in _reduced(input, dim)])  # a generator is not compiled
    if n > correction and input.numel():
        return torch.std(input, dim, correction=correction, keepdim=keepdim, out=out)
    # The same where nothing is left to divide by, without the warning that torch.std gives.
    squares = (input - input.mean(dim, keepdim=True)).square().sum(dim, keepdim)
    return torch.sqrt(squares / 0.0, out=out)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    dim: Dim = None,
    correction: int | None = None,
    keepdim: bool | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
    mean: float = 0.0,
    edges: bool = False,
    out: str | None = None,
) -> Call:
    x = (draw.normal(shape, torch.float32, size) + mean).to(dtype)
    if edges:
        x = draw.planted(x, (math.nan, math.inf, -math.inf))
        x.view(-1, shape[-1])[0] = 2.0
    given = {"dim": dim, "correction": correction, "keepdim": keepdim}
    words: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if out is not None:
        whole = torch.sum(x, dim, bool(keepdim)).shape
        words["out"] = draw.laid_out(draw.normal(whole, dtype), out)
    return call(draw.laid_out(x, layout), **words)


def cost(shape: tuple[int, ...], dtype: torch.dtype, dim: Dim = None, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=4 * count, bytes=(count + reduced_count(shape, dim)) * dtype.itemsize)


def local(
    input: torch.Tensor,
    dim: Dim = None,
    correction: int = 1,
    keepdim: bool = False,
    out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rounding the mean moves a deviation by the size of x; n squares drift by sqrt(n) at most."""
    size = torch.sqrt(input.square().mean(dim, keepdim))
    drift = math.sqrt(input.numel() / max(size.numel(), 1)) / 4
    scale = size + drift * std(input, dim, correction, keepdim)
    return scale, scale


def _reduced(x: torch.Tensor, dim: Dim) -> list[int]:
    """Which dimensions are reduced, in their order."""
    every = list(range(x.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    return [d for d in every if d in asked or d - x.dim() in asked]


def _one_pass(x, dim=None, correction=1, keepdim=False, out=None):
    """mean(x**2) - mean**2, in float32."""
    n = x.numel() / max(torch.sum(x, dim).numel(), 1)
    wide = x.float()
    spread = wide.square().mean(dim, keepdim) - wide.mean(dim, keepdim).square()
    result = torch.sqrt(
        spread.clamp(min=0) * n / max(0.0, n - correction) if n > correction else spread / 0.0
    )
    return result.to(x.dtype) if out is None else out.copy_(result)


def _some_freedom(x, dim=None, correction=1, keepdim=False, out=None):
    """Divides by at least 1."""
    n = x.numel() // max(torch.sum(x, dim).numel(), 1)
    return std(x, dim, min(correction, n - 1), keepdim, out)


def _variance(x, dim=None, correction=1, keepdim=False, out=None):
    return torch.square(std(x, dim, correction, keepdim), out=out)


def _fresh(x, dim=None, correction=1, keepdim=False, out=None):
    result = std(x, dim, correction, keepdim)
    if out is not None:
        out.copy_(result)
    return result


TASK = Task(
    reference=std,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((9001,),), dtype=FLOATS)  # several chunks and a tail
    + grid(shape=((3, 1500),), dtype=FLOATS, dim=(-1,), correction=(0,), size=(1e-3,))
    + case(shape=(3, 1500), dtype=torch.float32, dim=1, mean=1000.0)
    + case(shape=(1100, 3), dtype=torch.float32, dim=0, mean=-300.0, keepdim=True)
    + case(shape=(1100, 3), dtype=torch.float16, dim=0, mean=60.0, correction=5)
    + case(shape=(6, 77), dtype=torch.float32, dim=1, edges=True, correction=2)
    + case(shape=(4, 5, 6, 7), dtype=torch.float32, dim=(1, 3), size=100.0)
    + case(shape=(4, 5, 6, 7), dtype=torch.bfloat16, dim=(-1, 0), keepdim=True, layout="strided")
    + case(shape=(17, 29), dtype=torch.float32, layout="transposed", keepdim=True, correction=0)
    + case(shape=(9, 33), dtype=torch.float32, dim=0, layout="transposed", out="contiguous")
    + case(shape=(3, 5, 33), dtype=torch.float16, dim=2, out="transposed")
    + case(shape=(7, 2), dtype=torch.float32, dim=1, correction=0)
    + case(shape=(7, 2), dtype=torch.float32, dim=1, correction=3)  # inf
    + case(shape=(5, 1), dtype=torch.float32, dim=1)  # NaN
    + case(shape=(), dtype=torch.float32, correction=0)
    + case(shape=(0, 3), dtype=torch.float32, dim=0)
    + case(shape=(0, 3), dtype=torch.float32, dim=1),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, dim=1)
    + case(shape=(8192, 4096), dtype=torch.float32, dim=0, mean=10.0),
    mutants=(
        Mutant("all dimensions", lambda x, dim=None, **rest: std(x, None, **rest), ("dim",)),
        Mutant(
            "correction ignored", lambda x, correction=1, **rest: std(x, **rest), ("correction",)
        ),
        Mutant("at least one degree of freedom", _some_freedom, ("correction",)),
        Mutant("keepdim ignored", lambda x, keepdim=False, **rest: std(x, **rest), ("keepdim",)),
        Mutant("one pass", _one_pass),
        Mutant("variance", _variance),
        Mutant("out ignored", lambda x, out=None, **rest: std(x, **rest), ("out",)),
        Mutant("a fresh tensor beside out", _fresh, ("out",)),
        Patch(
            "padding counted",
            "tl.where(mask, v - mean[None, :], 0.0)",
            "v - mean[None, :]",
        ),
        Patch("contiguity assumed", "]).contiguous()", "])", ("input",)),
        Patch("first chunk only", "start = chunk * CHUNK", "start = 0 * CHUNK"),
        Patch("last element left out", "(at < n)", "(at < n - 1)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    writes=("out",),
)
