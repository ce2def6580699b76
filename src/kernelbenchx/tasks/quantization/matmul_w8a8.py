"""Matrix product in 8-bit integers, quantised inside the call: (M, K) by (K, N) to float32 (M, N).

Both operands are float32 or float16 (of one dtype, any strides, finite) and are quantised
symmetrically to int8, the input by row and the weight by column, all in float32: sx[m] = max over
k of |input[m, k]| / 127, sw[n] = max over k of |weight[k, n]| / 127, xq = round(input / sx[m]),
wq = round(weight / sw[n]), to nearest, ties to even, by division. A row or column of zeros has
scale 0 and codes 0. acc[m, n] = sum over k of xq * wq is exact in int32 and the result is
float(acc) * sx[m] * sw[n], computed in float32. K is at least 1; M and N may be 0.

The published reference is the unquantised product; here the scheme itself is the exact result,
and the granularity is the one above: no scale for a whole tensor, no groups along K.
"""

import torch

from kernelbenchx.spec import (
    Call,
    Cost,
    Draw,
    Mutant,
    Patch,
    Quantized,
    Scheme,
    Task,
    call,
    grid,
    product_slack,
    symmetric,
)

FLOATS = (torch.float32, torch.float16)
Sizes = tuple[int, int, int]


def matmul_w8a8(input: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return _product(*_codes(input, 1), *_codes(weight, 0))


def _codes(
    x: torch.Tensor, dim: int | tuple[int, int], levels: int = 127
) -> tuple[torch.Tensor, torch.Tensor]:
    scale = x.float().abs().amax(dim, keepdim=True) / levels
    return torch.where(scale > 0, torch.round(x.float() / scale), 0.0), scale


def _product(
    xq: torch.Tensor, sx: torch.Tensor, wq: torch.Tensor, sw: torch.Tensor
) -> torch.Tensor:
    return (xq.double() @ wq.double()).float() * sx * sw  # integers below 2^53: exact


def eager(input, weight):
    """By torch's product of integers, which knows such sizes only."""
    (xq, sx), (wq, sw) = _codes(input, 1), _codes(weight, 0)
    (m, k), n = input.shape, weight.shape[1]
    if m <= 16 or k % 8 or n % 8 or not n:
        return _product(xq, sx, wq, sw)
    columns = wq.t().to(torch.int8).contiguous().t()  # as 8-bit products want them
    return torch._int_mm(xq.to(torch.int8).contiguous(), columns).float() * sx * sw


def inputs(
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype,
    layout: str = "contiguous",
    scale: float = 1.0,
    ties: bool = False,
) -> Call:
    """Rows and columns of very different size, the third row and the second column zero.

    With `ties`: scales are powers of two, and half of all values lie on a rounding tie.
    """
    m, k, n = sizes
    if ties:
        x = draw.integers((m, k), -253, 254).to(dtype) / 2
        w = draw.integers((k, n), -253, 254).to(dtype) / 8
        x[:, 0], w[0] = 127.0, -127.0 / 4
    else:
        x = draw.normal((m, k), dtype, scale) * 10 ** draw.uniform((m, 1), dtype, -1.5, 1.5)
        w = draw.normal((k, n), dtype) * 10 ** draw.uniform((1, n), dtype, -1.5, 1.5)
        x[2:3], w[:, 1:2] = 0.0, -0.0
    return call(draw.laid_out(x, layout), draw.laid_out(w, layout))


def cost(sizes: Sizes, dtype: torch.dtype, **_: object) -> Cost:
    m, k, n = sizes
    return Cost(flops=2 * m * k * n, bytes=(m * k + k * n) * dtype.itemsize + 4 * m * n)


def scheme(input: torch.Tensor, weight: torch.Tensor) -> Scheme:
    x, w = symmetric(input, 1, 127, -127), symmetric(weight, 0, 127, -127)
    truth = (x.q.double() @ w.q.double()) * x.scale * w.scale
    return Scheme(truth=truth, slack=product_slack(x, w), scale=truth.abs())


def _unquantised(input, weight):
    return input.float() @ weight.float()


def _one_input_scale(input, weight):
    both = (0, 1) if input.numel() else 1
    return _product(*_codes(input, both), *_codes(weight, 0))


def _one_weight_scale(input, weight):
    return _product(*_codes(input, 1), *_codes(weight, (0, 1)))


def _weight_by_row(input, weight):
    q, scale = _codes(weight, 1)
    return _product(*_codes(input, 1), q * scale, torch.ones(()).to(scale))


def _groups(input, weight):
    """Scales for each 64 values along K."""
    parts = zip(input.split(64, 1), weight.split(64, 0), strict=True)
    return sum(matmul_w8a8(x, w) for x, w in parts)


def _seven_bits(input, weight):
    return _product(*_codes(input, 1, 63), *_codes(weight, 0, 63))


def _weight_only(input, weight):
    return _product(input, torch.ones(()).to(input), *_codes(weight, 0))


TASK = Task(
    reference=matmul_w8a8,
    eager=eager,
    inputs=inputs,
    cost=cost,
    # Two scales by Triton's `/`, each off by up to two units in the last place, which is 4 u.
    contract=Quantized(scheme=scheme, factor=8.0),
    checks=(
        grid(sizes=((19, 130, 70),), dtype=FLOATS, layout=("contiguous", "transposed", "strided"))
        + grid(sizes=((7, 1500, 5), (5, 67, 9), (24, 64, 16)), dtype=FLOATS)
        + grid(sizes=((66, 33, 3),), dtype=(torch.float32,), scale=(1e-6, 1e6))
        + grid(sizes=((6, 40, 5),), dtype=FLOATS, ties=(True,))
        + grid(sizes=((1, 1, 1), (1, 7, 2), (3, 1, 4), (0, 3, 2)), dtype=(torch.float32,))
    ),
    timings=grid(sizes=((1024, 2048, 4096), (4096, 4096, 4096)), dtype=(torch.float32,)),
    mutants=(
        Mutant("nothing is quantised", _unquantised, ("W-UNQ",)),
        Mutant("one scale for the whole input", _one_input_scale, ("input", "I-QUANT")),
        Mutant("one scale for the whole weight", _one_weight_scale, ("weight", "I-QUANT")),
        Mutant("weight scales by row", _weight_by_row, ("weight",)),
        Mutant("scales for groups along K", _groups, ("I-QUANT",)),
        Mutant("seven bits", _seven_bits, ("B-CHK",)),
        Mutant("only the weight is quantised", _weight_only, ("W-UNQ", "input")),
        Patch("codes are truncated", "libdevice.rint(", "libdevice.trunc("),
        Patch("ties go away from zero", "libdevice.rint(", "libdevice.round("),
        Patch(
            "ties go up",
            "libdevice.rint(tl.div_rn(v, divisor))",
            "tl.floor(tl.div_rn(v, divisor) + 0.5)",
        ),
        Patch("only the first block of K is summed", "range(0, k, BK)", "range(0, BK, BK)"),
        Patch(
            "the sum is kept in 16 bits",
            "acc = tl.dot(x, w, acc, out_dtype=tl.int32)",
            "acc = tl.dot(x, w, acc, out_dtype=tl.int32).to(tl.int16).to(tl.int32)",
        ),
        Patch(
            "the scale of the first block only",
            "top = tl.maximum(top, tl.abs(v))",
            "top = tl.maximum(top, tl.abs(v)) if start == 0 else top",
            ("input", "weight"),
        ),
    ),
    dtypes=FLOATS,
    difficulty=3,
    audit=("I-QUANT", "B-CHK", "W-UNQ"),
)
