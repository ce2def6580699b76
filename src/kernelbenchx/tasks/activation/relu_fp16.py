"""Rectified linear unit of a float16 tensor, elementwise: max(x, 0), exactly, in float16.

NaN gives NaN, +inf gives +inf, -inf gives 0. Subnormal numbers are kept.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.activation.relu_bf16 import MUTANTS, family


def relu_fp16(input: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.relu(input)


def _flush_subnormals(input: torch.Tensor) -> torch.Tensor:
    return torch.where(input < 2.0**-14, 0.0, relu_fp16(input))


TASK = family(
    relu_fp16,
    # 1e-5: mostly subnormal.
    ranges={"subnormal": 1e-5, "small": 1e-3, "large": 1e4},
    dtypes=(torch.float16,),
    mutants=(
        *MUTANTS,
        Mutant("through bfloat16", lambda input: relu_fp16(input.bfloat16()).half()),
        Mutant("subnormal numbers are flushed to zero", _flush_subnormals),
    ),
)
