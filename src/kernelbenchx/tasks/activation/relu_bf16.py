"""Rectified linear unit of a bfloat16 tensor, elementwise: max(x, 0), exactly, in bfloat16.

NaN gives NaN, +inf gives +inf, -inf gives 0. Values beyond the range of float16 occur.
"""

import math
from functools import partial

import torch

from kernelbenchx.spec import Exact, Mutant, elementwise


def relu_bf16(input: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.relu(input)


MUTANTS = (
    Mutant("identity", lambda input: input.clone()),
    Mutant("absolute value", lambda input: input.abs()),
    Mutant("clamped at six", lambda input: input.clamp(0.0, 6.0)),
    Mutant("NaN becomes zero", lambda input: torch.where(input > 0, input, 0.0)),
    Mutant("infinity becomes a number", lambda input: torch.relu(input).nan_to_num(math.nan)),
)

family = partial(
    elementwise,
    contract=Exact(),
    planted=(math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-7, -1e-7, 6e4, -6e4, 65504.0, -65504.0),
    difficulty=2,
)
"""Also of the variant in float16."""

TASK = family(
    relu_bf16,
    ranges={"small": 1e-3, "large": 100.0, "huge": 1e6},
    dtypes=(torch.bfloat16,),
    mutants=(*MUTANTS, Mutant("through float16", lambda input: relu_bf16(input.half()).bfloat16())),
)
