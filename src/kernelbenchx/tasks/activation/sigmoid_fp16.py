"""Logistic function of a float16 tensor, elementwise: 1 / (1 + exp(-x)), in float16.

It is computed in float32 and rounded once; exp(-x) may be beyond the range of float16. Subnormal
results are kept: -15 gives 2.98e-07, not 0. NaN gives NaN, +inf gives 1, -inf gives 0.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.activation.sigmoid import MUTANTS, family, make_wrong_answer


def sigmoid_fp16(input: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(input)


def _flush_subnormals(x: torch.Tensor) -> torch.Tensor:
    value = torch.sigmoid(x)
    return torch.where(value < 2.0**-14, 0.0, value)


TASK = family(
    sigmoid_fp16,
    # Results are subnormal between -17 and -9.7.
    ranges={"small": 0.01, "low": (-17.0, -9.0), "large": 8.0, "huge": 3e4},
    dtypes=(torch.float16,),
    mutants=(
        *MUTANTS,
        Mutant("computed in bfloat16", make_wrong_answer(lambda x: torch.sigmoid(x.bfloat16()))),
        Mutant("subnormal results are flushed to zero", make_wrong_answer(_flush_subnormals)),
    ),
)
