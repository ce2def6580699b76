"""Matrix product in 8-bit integers, quantised inside the call: (M, K) by (K, N) to float32 (M, N).

Both operands are float32 or float16 (of one dtype, finite) and are quantised symmetrically to
int8, the input by row and the weight by column, all in float32: sx[m] = max over k of
|input[m, k]| / 127, sw[n] = max over k of |weight[k, n]| / 127, xq = round(input / sx[m]),
wq = round(weight / sw[n]). acc[m, n] = sum over k of xq * wq is exact in int32 and the result is
float(acc) * sx[m] * sw[n], computed in float32.

The published reference is the unquantised product; here the scheme itself is the exact result,
and the granularity is the one above: no scale for a whole tensor, no groups along K.
"""

import torch

from kernelbenchx.spec import (
    Call,
    Cost,
    Draw,
    Mutant,
    Scheme,
    call,
    grid,
    product_slack,
    quantized_product,
    symmetric,
)

FLOATS = (torch.float32, torch.float16)
SCALES = {"tiny": 1e-6, "large": 1e6, "huge": 1e15}


def matmul_w8a8(input: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return _product(*_codes(input, 1), *_codes(weight, 0))


def _codes(x, dim, levels=127, rounded=torch.round, of_zeros=0.0):
    scale = x.float().abs().amax(dim, keepdim=True) / levels
    return torch.where(scale > 0, rounded(x.float() / scale), of_zeros), scale


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
    sizes: tuple[int, int, int],
    dtype: torch.dtype,
    layout: str = "contiguous",
    second_layout: str = "contiguous",
    values: str = "ordinary",
) -> Call:
    """Rows and columns of very different size, the third row and the second column zero.

    With ties scales are powers of two, and half of all values lie on a rounding tie.
    """
    m, k, n = sizes
    if values == "ties":
        x = draw.integers((m, k), -253, 254).to(dtype) / 2
        w = draw.integers((k, n), -253, 254).to(dtype) / 8
        x[:, 0], w[0] = 127.0, -127.0 / 4
    else:
        x = draw.normal((m, k), dtype, SCALES.get(values, 1.0))
        x = x * 10 ** draw.uniform((m, 1), dtype, -1.5, 1.5)
        w = draw.normal((k, n), dtype) * 10 ** draw.uniform((1, n), dtype, -1.5, 1.5)
        x[2:3], w[:, 1:2] = 0.0, -0.0
    return call(draw.laid_out(x, layout), draw.laid_out(w, second_layout))


def cost(sizes: tuple[int, int, int], dtype: torch.dtype, **_: object) -> Cost:
    m, k, n = sizes
    return Cost(flops=2 * m * k * n, bytes=(m * k + k * n) * dtype.itemsize + 4 * m * n)


def scheme(input: torch.Tensor, weight: torch.Tensor) -> Scheme:
    x, w = symmetric(input, 1, 127, -127), symmetric(weight, 0, 127, -127)
    truth = (x.q.double() @ w.q.double()) * x.scale * w.scale
    return Scheme(truth=truth, slack=product_slack(x, w), scale=truth.abs())


def _with(x=1, w=0, **rules):
    """Scales over other dimensions, or codes by other rules."""

    def answer(input, weight):
        if not input.numel() or not weight.numel():
            return matmul_w8a8(input, weight)
        return _product(*_codes(input, x, **rules), *_codes(weight, w, **rules))

    return answer


def _weight_by_row(input, weight):
    q, scale = _codes(weight, 1)
    xq, sx = _codes(input, 1)
    return _product(xq, sx, q * scale, torch.ones(()).to(scale))


def _groups(input, weight):
    """Scales for each 64 values along K."""
    parts = zip(input.split(64, 1), weight.split(64, 0), strict=True)
    return sum(matmul_w8a8(x, w) for x, w in parts)


def _weight_only(input, weight):
    codes, scale = _codes(weight, 0)
    return _product(input, torch.ones(()).to(input), codes, scale)


def _away_from_zero(x):
    return (x.abs() + 0.5).floor() * x.sign()


TASK = quantized_product(
    matmul_w8a8,
    scheme=scheme,
    factor=8.0,  # two scales by Triton's `/`, each off by up to two units in the last place: 4 u
    dtypes=FLOATS,
    scales=tuple(SCALES),
    valid=lambda chosen: chosen["values"] not in SCALES or chosen["dtype"] == "float32",
    away_from_zero=_with(rounded=_away_from_zero),
    zeros_divided=_with(of_zeros=torch.nan),
    eager=eager,
    inputs=inputs,
    cost=cost,
    timings=grid(
        sizes=((1024, 2048, 4096), (4096, 4096, 4096), (1021, 2039, 4093)),
        dtype=(torch.float32,),
    ),
    mutants=(
        Mutant("nothing is quantised", lambda x, w: x.float() @ w.float(), ("W-UNQ",)),
        Mutant("one scale for the whole input", _with(x=(0, 1)), ("input", "I-QUANT")),
        Mutant("one scale for the whole weight", _with(w=(0, 1)), ("weight", "I-QUANT")),
        Mutant("weight scales by row", _weight_by_row, ("weight",)),
        Mutant("scales for groups along K", _groups, ("I-QUANT",)),
        Mutant("seven bits", _with(levels=63), ("B-CHK",)),
        Mutant("codes are truncated", _with(rounded=torch.trunc), ("input",)),
        Mutant("only the weight is quantised", _weight_only, ("W-UNQ", "input")),
    ),
    difficulty=3,
    audit=("I-QUANT", "B-CHK", "W-UNQ"),
)
