"""Hyperbolic tangent of a bfloat16 tensor, elementwise, in bfloat16.

(exp(x) - exp(-x)) / (exp(x) + exp(-x)), computed in float32 and rounded once. It is accurate also
where |x| is tiny: there the result is x. Nothing overflows on the way: a large |x| gives 1 with the
sign of x. NaN gives NaN, +inf gives 1, -inf gives -1. Values outside the range of float16 occur.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.activation.sigmoid import make_wrong_answer
from kernelbenchx.tasks.activation.tanh import CANCELS, MUTANTS, family


def tanh_bf16(input: torch.Tensor) -> torch.Tensor:
    return torch.tanh(input)


TASK = family(
    tanh_bf16,
    # 1e-9: below the smallest number of float16.
    ranges={"tiny": 1e-9, "small": 0.02, "large": 4.0, "huge": 1e5},
    dtypes=(torch.bfloat16,),
    mutants=(
        *MUTANTS,
        CANCELS,
        Mutant("computed in float16", make_wrong_answer(lambda x: torch.tanh(x.half()))),
    ),
)
