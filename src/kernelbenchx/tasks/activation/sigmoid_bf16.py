"""Logistic function of a bfloat16 tensor, elementwise: 1 / (1 + exp(-x)), in bfloat16.

It is computed in float32 and rounded once. Nothing overflows on the way: a large x gives 1. Small
results are as accurate as large ones: -60 gives 8.73e-27, not 0. NaN gives NaN, +inf gives 1, -inf
gives 0. Values beyond the range of float16 occur.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.activation.sigmoid import CANCELS, MUTANTS, family, make_wrong_answer


def sigmoid_bf16(input: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(input)


TASK = family(
    sigmoid_bf16,
    # 30: most results are below the smallest number of float16, or 1.
    ranges={"small": 0.01, "large": 30.0, "huge": 1e5},
    dtypes=(torch.bfloat16,),
    mutants=(
        *MUTANTS,
        CANCELS,
        Mutant("computed in float16", make_wrong_answer(lambda x: torch.sigmoid(x.half()))),
    ),
)
