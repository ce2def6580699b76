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
    Rule,
    Scheme,
    grid,
    product_slack,
    quantise,
    quantized_product,
    symmetric,
)

FLOATS = (torch.float32, torch.float16)
SCALES = {"tiny": 1e-6, "large": 1e6, "huge": 1e15}
BY_ROW, BY_COLUMN = Rule(over=1, levels=127), Rule(over=0, levels=127)


def matmul_w8a8(input: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    (xq, sx), (wq, sw) = quantise(input, BY_ROW), quantise(weight, BY_COLUMN)
    return (xq.double() @ wq.double()).float() * sx * sw  # integers below 2^53: exact


def eager(input, weight):
    """By torch's product of integers, which knows such sizes only."""
    (m, k), n = input.shape, weight.shape[1]
    if m <= 16 or k % 8 or n % 8 or not n:
        return matmul_w8a8(input, weight)
    (xq, sx), (wq, sw) = quantise(input, BY_ROW), quantise(weight, BY_COLUMN)
    columns = wq.t().to(torch.int8).contiguous().t()  # as 8-bit products want them
    return torch._int_mm(xq.to(torch.int8).contiguous(), columns).float() * sx * sw


def scheme(input: torch.Tensor, weight: torch.Tensor) -> Scheme:
    x, w = symmetric(input, 1, 127, -127), symmetric(weight, 0, 127, -127)
    truth = (x.q.double() @ w.q.double()) * x.scale * w.scale
    return Scheme(truth=truth, slack=product_slack(x, w), scale=truth.abs())


TASK = quantized_product(
    matmul_w8a8,
    layer=lambda x, w: (x.double() @ w.double()).float(),
    input_rule=BY_ROW,
    weight_rule=BY_COLUMN,
    other_levels=63,
    scheme=scheme,
    factor=8.0,  # two scales by Triton's `/`, each off by up to two units in the last place: 4 u
    dtypes=FLOATS,
    gives=torch.float32,
    scales=SCALES,
    valid=lambda chosen: chosen["values"] not in SCALES or chosen["dtype"] == "float32",
    eager=eager,
    timings=grid(
        sizes=((1024, 2048, 4096), (4096, 4096, 4096), (1021, 2039, 4093)),
        dtype=(torch.float32,),
    ),
    difficulty=3,
)
