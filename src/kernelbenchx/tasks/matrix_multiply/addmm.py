"""beta * input + alpha * (mat1 @ mat2), with mat1 (n, m), mat2 (m, p) and a result of (n, p).

`input` broadcasts to (n, p): it may be 0-d, (p,), (1, p), (n, 1) or (n, p). With beta = 0 it is
ignored, NaN and infinities in it too. All tensors have one dtype and may have any strides;
products of 16-bit inputs are accumulated in float32, alpha, beta and `input` are applied in
float32, and the result is rounded once. float32 products are computed in float32: no TF32. Sizes
may be 0; with m = 0 the product is zeros. With `out` (of the result's shape and dtype, any
strides) the result is written there and `out` is returned.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
HALF = (torch.float16,)
Shape = tuple[int, ...]


def addmm(
    input: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: float = 1,
    alpha: float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    if out is None:
        return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha, out=out)


def inputs(
    draw: Draw,
    sizes: tuple[int, int, int],
    dtype: torch.dtype,
    bias: Shape | None = None,
    layout: str = "contiguous",
    scale: float = 1.0,
    planted: tuple[float, ...] = (),
    into: str = "",
    **options: float,
) -> Call:
    n, m, p = sizes
    added = draw.planted(draw.normal((n, p) if bias is None else bias, dtype), planted)
    a = draw.laid_out(draw.normal((n, m), dtype, scale), layout)
    b = draw.laid_out(draw.normal((m, p), dtype), layout)
    written = {"out": draw.laid_out(draw.normal((n, p), dtype), into)} if into else {}
    return call(draw.laid_out(added, layout), a, b, **options, **written)


def cost(
    sizes: tuple[int, int, int], dtype: torch.dtype, bias: Shape | None = None, **_: object
) -> Cost:
    n, m, p = sizes
    added = n * p if bias is None else math.prod(bias)
    elements = n * m + m * p + n * p + added
    return Cost(flops=2 * n * m * p + 3 * n * p, bytes=elements * dtype.itemsize)


def scale_of(
    input: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: float = 1,
    alpha: float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """The formula on absolute values; rounding grows with the square root of the length at most."""
    growth = max(1.0, math.sqrt(mat1.shape[1]) / 8)
    terms = growth * abs(alpha) * (mat1.abs() @ mat2.abs())
    terms = terms + (abs(beta) * input.abs() if beta else 0.0)
    return terms if out is None else (terms, terms)


def _tf32(tensor: torch.Tensor) -> torch.Tensor:
    """Ten explicit bits, as tensor cores keep them."""
    if tensor.dtype != torch.float32:
        return tensor
    return ((tensor.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def _with_tf32(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, _tf32(mat1), _tf32(mat2), beta, alpha, out)


def _without_beta(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, 1, alpha, out)


def _zero_times_input(input, mat1, mat2, beta=1, alpha=1, out=None):
    result = (beta * input.float() + alpha * (mat1.float() @ mat2.float())).to(mat1.dtype)
    return result if out is None else out.copy_(result)


def _without_alpha(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, beta, 1, out)


def _alpha_on_all(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, alpha * beta, alpha, out)


def _leaves_out(input, mat1, mat2, beta=1, alpha=1, out=None):
    return addmm(input, mat1, mat2, beta, alpha)


def _by_rows(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Takes a vector for a column where the result is square."""
    square = input.dim() == 1 and mat1.shape[0] == mat2.shape[1]
    return addmm(input.unsqueeze(1) if square else input, mat1, mat2, beta, alpha, out)


def _half_twice(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Rounds the float16 product before the rest is added."""
    if mat1.dtype != torch.float16:
        return addmm(input, mat1, mat2, beta, alpha, out)
    product = (mat1.float() @ mat2.float()).half()
    result = (alpha * product).half() + (beta * input if beta else torch.zeros_like(product))
    return result if out is None else out.copy_(result)


TASK = Task(
    reference=addmm,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=(
        grid(sizes=((67, 129, 70),), dtype=FLOATS, beta=(0.5,), alpha=(-1.25,))
        + grid(sizes=((33, 40, 17),), dtype=FLOATS, layout=("transposed", "strided", "offset"))
        + grid(sizes=((33, 40, 17),), dtype=HALF, bias=((), (17,), (1, 17), (33, 1)), beta=(3.0,))
        + case(sizes=(20, 31, 20), dtype=torch.float32, bias=(20,), beta=-2, alpha=0.1)
        + case(sizes=(5, 1025, 7), dtype=torch.float16)  # long sums: the accumulator's precision
        + case(sizes=(5, 1025, 7), dtype=torch.float32, scale=1e3)
        + case(sizes=(16, 20, 9), dtype=torch.float32, beta=0, planted=(math.nan, math.inf))
        + case(sizes=(16, 20, 9), dtype=torch.float32, beta=1e-3, planted=(math.nan, -math.inf))
        + case(sizes=(16, 20, 9), dtype=torch.float32, scale=1e-4, alpha=0)
        + grid(sizes=((34, 20, 9),), dtype=HALF, into=("contiguous", "transposed"), alpha=(2.0,))
        + grid(sizes=((1, 1, 1), (0, 4, 3), (4, 0, 3)), dtype=(torch.float32,), beta=(2.0,))
    ),
    timings=(
        grid(sizes=((4096, 4096, 4096),), dtype=HALF, beta=(0.5,), alpha=(2.0,))
        + case(sizes=(8192, 1024, 8192), dtype=torch.bfloat16, bias=(8192,))
        + case(sizes=(2048, 2048, 2048), dtype=torch.float32, beta=0.5)
    ),
    mutants=(
        Mutant("float32 operands are rounded to TF32", _with_tf32, ("mat1", "mat2")),
        Mutant("beta is ignored", _without_beta, ("beta",)),
        Mutant("beta = 0 multiplies instead of ignoring", _zero_times_input, ("beta", "input")),
        Mutant("alpha is ignored", _without_alpha, ("alpha",)),
        Mutant("alpha scales the added term as well", _alpha_on_all, ("alpha",)),
        Mutant("out is not written", _leaves_out, ("out",)),
        Mutant("a vector is added to columns", _by_rows, ("input",)),
        Mutant("float16 is rounded twice", _half_twice, ("W-PDT",)),
        Patch("only the first block of the sum", "range(0, m, BM)", "range(0, BM, BM)", ("mat1",)),
        Patch(
            "out is taken for contiguous",
            "c + rows * c_row + cols * c_col",
            "c + rows * p + cols",
            ("out",),
        ),
        Patch(
            "mat2 is taken for contiguous",
            "down * b_row + cols * b_col",
            "down * p + cols",
            ("mat2",),
        ),
        Patch(
            "the last column is not written",
            "inside = (rows < n) & (cols < p)",
            "inside = (rows < n) & (cols < p - 1)",
        ),
    ),
    dtypes=FLOATS,
    difficulty=4,
    writes=("out",),
    audit=("W-PDT",),
)
