"""Gaussian error linear unit of a float16 tensor, elementwise.

With approximate='none': 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh': 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
NaN gives NaN, -inf gives NaN (inf * 0), +inf gives +inf. x**3 may be beyond the range of float16.
"""

import torch

from kernelbenchx.spec import Mutant, case, grid
from kernelbenchx.tasks.activation.gelu import MUTANTS, family


def gelu_fp16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(input, approximate=approximate)


def _through_bfloat16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return gelu_fp16(input.bfloat16(), approximate).to(input.dtype)


TASK = family(
    gelu_fp16,
    # 3e4: inside the range of float16, and x**3 is not.
    ranges={"small": 0.01, "large": 3.0, "huge": 3e4},
    dtypes=(torch.float16,),
    timings=grid(shape=((1 << 26,),), dtype=(torch.float16,), approximate=("none", "tanh"))
    + case(shape=((1 << 24) + 1,), dtype=torch.float16),
    mutants=(*MUTANTS, Mutant("computed in bfloat16", _through_bfloat16, ("W-ARG",))),
    difficulty=1,
    audit=("W-ARG",),
)
