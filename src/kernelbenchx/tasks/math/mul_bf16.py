"""Product of two bfloat16 tensors, elementwise: input * other, in bfloat16.

Each element is the product in float32, rounded once to bfloat16. The range is that of float32: what
lies beyond float16 is an ordinary product. inf * 0 gives NaN, and NaN gives NaN.
Both tensors have this dtype; `other` is always a tensor.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.tasks.math.mul import through
from kernelbenchx.tasks.math.mul_fp16 import of_dtype


def mul_bf16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return torch.mul(input, other)


def _overflow_clipped(input, other):
    most = torch.finfo(input.dtype).max
    return mul_bf16(input, other).clamp(-most, most)


TASK = of_dtype(
    mul_bf16,
    torch.bfloat16,
    mutants=(
        Mutant("computed in float16", through(torch.float16), ("other",)),
        Mutant("overflow clipped to the largest number", _overflow_clipped),
    ),
)
