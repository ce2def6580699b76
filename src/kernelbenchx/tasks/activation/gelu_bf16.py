"""Gaussian error linear unit of a bfloat16 tensor, elementwise.

With approximate='none': 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh': 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
NaN gives NaN, -inf gives NaN (inf * 0), +inf gives +inf. Values beyond the range of float16 occur.
"""

import torch

from kernelbenchx.spec import Mutant, case, grid
from kernelbenchx.tasks.activation.gelu import MUTANTS, family


def gelu_bf16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(input, approximate=approximate)


def _through_half(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return gelu_bf16(input.half(), approximate).to(input.dtype)


TASK = family(
    gelu_bf16,
    # 1e5: beyond the range of float16, and x**3 overflows there long before.
    ranges={"small": 0.01, "large": 3.0, "huge": 1e5},
    dtypes=(torch.bfloat16,),
    timings=grid(shape=((1 << 26,),), dtype=(torch.bfloat16,), approximate=("none", "tanh"))
    + case(shape=((1 << 24) + 1,), dtype=torch.bfloat16),
    mutants=(*MUTANTS, Mutant("computed in float16", _through_half)),
    difficulty=1,
)
