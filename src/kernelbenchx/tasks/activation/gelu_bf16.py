"""Gaussian error linear unit of a bfloat16 tensor, elementwise.

With approximate='none': 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh': 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
Input and output are bfloat16; the value is computed in float32 and rounded once. Any shape, also
empty and 0-d, any strides. NaN gives NaN, -inf gives NaN (inf * 0), +inf gives +inf.
"""

from dataclasses import replace

import torch

from kernelbenchx.spec import Mutant, grid
from kernelbenchx.tasks.activation import gelu

BF16 = (torch.bfloat16,)


def gelu_bf16(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(input, approximate=approximate)


def _through_half(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return gelu_bf16(input.half(), approximate).to(input.dtype)


TASK = replace(
    gelu.TASK,
    reference=gelu_bf16,
    checks=grid(
        shape=((3001,), (2, 1024)), dtype=BF16, approximate=("none", "tanh"), size=(0.01, 1.0, 3.0)
    )
    + grid(shape=((5, 409),), dtype=BF16, approximate=("none", "tanh"), layout=("strided",))
    # 1e5: beyond the range of float16, and x**3 overflows there long before.
    + grid(shape=((7, 13, 11),), dtype=BF16, approximate=("none", "tanh"), size=(1e5,))
    + grid(shape=((), (1,), (0, 4)), dtype=BF16),
    timings=grid(shape=((1 << 26,), (4096, 4096)), dtype=BF16, approximate=("none", "tanh")),
    mutants=(*gelu.TASK.mutants, Mutant("computed in float16", _through_half)),
    dtypes=BF16,
    difficulty=1,
)
