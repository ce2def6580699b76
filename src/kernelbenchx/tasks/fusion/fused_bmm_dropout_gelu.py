"""GELU of a batched matrix product with dropout in between: gelu(dropout(bmm(input1, input2), p)).

input1 (B, N, M) and input2 (B, M, P) of one dtype give (B, N, P) in that dtype. Dropout comes
before GELU: in training each element of the product is dropped with probability p, independently
and anew in every call, and a kept one is z / (1 - p); a dropped one gives exactly 0. With
training=False, or p = 0, nothing is dropped or scaled; with p = 1 in training all is 0.
GELU is 0.5 * x * (1 + erf(x / sqrt(2))) for approximate='none' and 0.5 * x * (1 + tanh(sqrt(2 /
pi) * (x + 0.044715 * x**3))) for 'tanh'. All is computed in float32 and rounded once; float32
products do not use TF32. `inplace` concerns the intermediate product alone and changes nothing
that a caller can see.

The published test compares with torch's own random stream, which no kernel can follow; here the
law of the mask is judged. The reference gives the value of every element if none is dropped.
"""

import torch

from kernelbenchx.spec import Close, argument, case, dropout, ignore_argument
from kernelbenchx.spec.families.batched_product import (
    OPERANDS,
    SIZES,
    ProductCost,
    product_fits,
    product_inputs,
    product_promises,
    product_rounding,
    second_strides_ignored,
    wide_product,
)
from kernelbenchx.spec.families.dropout import kept_factor
from kernelbenchx.spec.float32_compute import product_in_float32


def fused_bmm_dropout_gelu(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    kept = wide_product(input1, input2) * kept_factor(p, training)
    result = _gelu(kept, approximate).to(input1.dtype)
    return result if out is None else out.copy_(result)


def eager(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    product = product_in_float32(input1, input2)
    kept = torch.nn.functional.dropout(product, p, training, inplace)
    result = torch.nn.functional.gelu(kept, approximate=approximate).to(input1.dtype)
    return result if out is None else out.copy_(result)


def _gelu(x, approximate, **_):
    return torch.nn.functional.gelu(x, approximate=approximate)


def rounding(input1, input2, p=0.5, training=True, *_, **__):
    """Of the product, scaled; GELU magnifies it by 1.13 at most.

    It is as large as the argument of 1 + erf, which cancels in the negative tail.
    """
    return 1.25 * kept_factor(p, training) * product_rounding(input1, input2)


TASK = dropout(
    fused_bmm_dropout_gelu,
    before=wide_product,
    after=_gelu,
    close=Close(scale=rounding),
    sizes=SIZES,
    arguments=(argument("approximate", not_given=None, tanh="tanh", none="none"), *OPERANDS),
    valid=product_fits,
    corners=(
        {"sizes": "large"},
        {"sizes": "large", "dtype": "float16"},
        {"p": "hardly any", "approximate": "tanh"},
        {"p": "nearly all", "dtype": "float16", "approximate": "tanh"},
        {"training": "no", "layout": "transposed", "layout2": "transposed"},
        {"training": "no", "layout": "strided", "layout2": "strided", "dtype": "bfloat16"},
        {"sizes": "none"},
    ),
    promises=product_promises,
    eager=eager,
    inputs=product_inputs,
    cost=ProductCost(flops=10),
    # Large: what draws is timed from outside, where a call of 80 us shows how fast the host is.
    timings=case(sizes=(32, 1024, 1024, 1024), dtype=torch.float32, p=0.5)
    + case(sizes=(8, 2048, 2048, 2048), dtype=torch.bfloat16, p=0.1, approximate="tanh")
    + case(sizes=(31, 1021, 1027, 1019), dtype=torch.float16, p=0.5),
    mutants=lambda right: (ignore_argument(right, "approximate"), second_strides_ignored(right)),
    difficulty=3,
    writes=("out",),
    inert=("inplace",),
)
