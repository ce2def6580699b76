"""Hyperbolic tangent of a float16 tensor, elementwise, in float16.

(exp(x) - exp(-x)) / (exp(x) + exp(-x)), computed in float32 and rounded once; exp(x) may be beyond
the range of float16. It is accurate also where |x| is tiny: there the result is x, subnormal
numbers too. A large |x| gives 1 with the sign of x. NaN gives NaN, +inf gives 1, -inf gives -1.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.activation.sigmoid import make_wrong_answer
from kernelbenchx.tasks.activation.tanh import MUTANTS, family


def tanh_fp16(input: torch.Tensor) -> torch.Tensor:
    return torch.tanh(input)


def _flush_subnormals(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x.abs() < 2.0**-14, 0.0, torch.tanh(x))


TASK = family(
    tanh_fp16,
    # 1e-5: mostly subnormal.
    ranges={"tiny": 1e-5, "small": 0.02, "large": 4.0, "huge": 3e4},
    dtypes=(torch.float16,),
    mutants=(
        *MUTANTS,
        Mutant("computed in bfloat16", make_wrong_answer(lambda x: torch.tanh(x.bfloat16()))),
        Mutant("subnormal results are flushed to zero", make_wrong_answer(_flush_subnormals)),
    ),
)
