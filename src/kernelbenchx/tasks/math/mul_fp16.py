"""Product of two float16 tensors, elementwise: input * other, in float16.

Each element is the product in float32, rounded once to float16. A product that rounds beyond 65504
is an infinity; small ones are subnormal numbers or zero. inf * 0 gives NaN, and NaN gives NaN.
Both tensors have this dtype; `other` is always a tensor.
"""

from collections.abc import Callable

import torch

from kernelbenchx.spec import Close, Mutant, Task, binary, case
from kernelbenchx.spec.families.axes import dtypes, other_dtypes
from kernelbenchx.spec.families.binary_variant import binary_variant
from kernelbenchx.spec.families.operands import in_float64
from kernelbenchx.spec.huge_call import HugeCall
from kernelbenchx.tasks.math.mul import PAIRS, through, wrapping


def mul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return torch.mul(input, other)


def of_dtype(
    function: Callable[..., torch.Tensor], dtype: torch.dtype, mutants: tuple[Mutant, ...]
) -> Task:
    """The product of two tensors of this dtype, without numbers, promotion and `out`."""
    whole = binary(
        function,
        pairs=PAIRS,
        integers=(wrapping, wrapping),
        contract=Close(),
        truth=in_float64(function, function),
        timings=case(shape=(1 << 26,), dtype=dtype)
        + case(shape=(4099, 5003), dtype=dtype)
        + case(shape=(4096, 8192), dtype=dtype, other=(8192,)),
        mutants=mutants,
        huge=HugeCall({"dtype": dtype}),
        difficulty=1,
    )
    return binary_variant(
        whole,
        axes=(dtypes((dtype,)), other_dtypes("other_dtype", ())),
        corners=(
            *({"shape": "matrix", "layout": "transposed"}, {"shape": "matrix", "other": "column"}),
            *({"shape": "gap", "other": "stretches both"}, {"shape": "0-d"}, {"shape": "empty"}),
            *({"values": word} for word in PAIRS),
        ),
        dropped=("Dtypes promote",),
        numbers=False,
        dtypes=(dtype,),
    )


def _overflow_clipped(input, other):
    most = torch.finfo(input.dtype).max
    return mul_fp16(input, other).clamp(-most, most)


TASK = of_dtype(
    mul_fp16,
    torch.float16,
    mutants=(
        Mutant("computed in bfloat16", through(torch.bfloat16), ("other",)),
        Mutant("overflow clipped to the largest number", _overflow_clipped),
    ),
)
