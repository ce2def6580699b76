"""Average pooling along the last dimension of (N, C, L) or (C, L).

out[.., l] = (1 / kernel_size) * sum_{m=0}^{kernel_size-1} input[.., l * stride + m - padding]
Elements outside 0..L-1 are zeros and count: the divisor is always kernel_size. stride None stands
for kernel_size; 0 <= padding <= kernel_size / 2. kernel_size, stride and padding are ints. The
output has length floor((L + 2 * padding - kernel_size) / stride) + 1 and the dtype of input.
N may be 0; NaN and infinities spread to the windows that hold them and to no other. 16-bit inputs
are summed in float32 and rounded once. The published formula leaves padding out; here it counts.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
ODD = (float("inf"), float("-inf"), float("nan"), -0.0, 1e4, 1e-6)


def avg_pool1d(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    step = kernel_size if stride is None else stride
    return torch.nn.functional.avg_pool1d(x, kernel_size, step, padding).to(input.dtype)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    kernel_size: int,
    layout: str = "contiguous",
    scale: float = 1.0,
    planted: tuple[float, ...] = (),
    **options: Any,
) -> Call:
    x = draw.planted(draw.normal(shape, dtype, scale), planted)
    return call(draw.laid_out(x, layout), kernel_size, **options)


def cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    kernel_size: int,
    stride: int | None = None,
    padding: int = 0,
    **_: Any,
) -> Cost:
    rows, length = math.prod(shape[:-1]), shape[-1]
    outputs = rows * ((length + 2 * padding - kernel_size) // (stride or kernel_size) + 1)
    return Cost(flops=outputs * kernel_size, bytes=(math.prod(shape) + outputs) * dtype.itemsize)


def rounding(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    """The mean of absolute values; a sum of k terms grows with sqrt(k)."""
    return math.sqrt(kernel_size) / 2 * avg_pool1d(input.abs(), kernel_size, stride, padding)


def _without(name: str) -> Callable[..., torch.Tensor]:
    """The answer of someone who never looks at one argument."""

    def answer(input: torch.Tensor, kernel_size: int, **options: Any) -> torch.Tensor:
        options.pop(name, None)
        return avg_pool1d(input, kernel_size, **options)

    return answer


def _padding_not_counted(input: torch.Tensor, kernel_size: int, **options: Any) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    pool = torch.nn.functional.avg_pool1d
    return pool(x, kernel_size, count_include_pad=False, **options).to(input.dtype)


def _divided_by_two(input: torch.Tensor, kernel_size: int, **options: Any) -> torch.Tensor:
    return avg_pool1d(input * (kernel_size / 2), kernel_size, **options)


def _stride_one(input: torch.Tensor, kernel_size: int, **options: Any) -> torch.Tensor:
    """Takes a missing stride for 1."""
    return avg_pool1d(input, kernel_size, **{**options, "stride": options.get("stride") or 1})


TASK = Task(
    reference=avg_pool1d,
    eager=torch.nn.functional.avg_pool1d,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    checks=(
        # Rows of 131 or 263 outputs: blocks of 512 end inside a row.
        grid(shape=((3, 5, 263),), dtype=FLOATS, kernel_size=(2,))
        + grid(
            shape=((2, 7, 131),),
            dtype=FLOATS,
            kernel_size=(3,),
            stride=(1,),
            padding=(1,),
            planted=(ODD,),
        )
        + case(shape=(9, 401), dtype=torch.float32, kernel_size=5, stride=2, padding=2)
        + case(shape=(9, 401), dtype=torch.float16, kernel_size=5, stride=7)
        + case(shape=(2, 3, 97), dtype=torch.bfloat16, kernel_size=64, stride=1, padding=32)
        + grid(
            shape=((4, 150),),
            dtype=(torch.float32,),
            kernel_size=(4,),
            stride=(3,),
            padding=(2,),
            scale=(1e-6, 1e6),
        )
        + grid(
            shape=((3, 4, 35),),
            dtype=(torch.float32,),
            kernel_size=(3,),
            padding=(1,),
            layout=("transposed", "strided"),
        )
        + case(shape=(2, 40), dtype=torch.float32, kernel_size=1, stride=3)
        + case(shape=(1, 1, 6), dtype=torch.float32, kernel_size=6)
        + case(shape=(1, 1), dtype=torch.float32, kernel_size=1)
        + case(shape=(0, 3, 8), dtype=torch.float32, kernel_size=2)
    ),
    timings=(
        case(shape=(64, 64, 8192), dtype=torch.float32, kernel_size=2)
        + case(shape=(32, 128, 16384), dtype=torch.bfloat16, kernel_size=7, stride=2, padding=3)
        + case(shape=(16, 256, 8193), dtype=torch.float32, kernel_size=3, stride=1, padding=1)
    ),
    mutants=(
        Mutant("stride ignored", _without("stride"), ("stride",)),
        Mutant("stride 1 for None", _stride_one, ("stride",)),
        Mutant("padding ignored", _without("padding"), ("padding",)),
        Mutant("padding not counted", _padding_not_counted, ("padding",)),
        Mutant("divided by two", _divided_by_two, ("kernel_size",)),
        Patch(
            "first block only", "_avg_pool[(triton.cdiv(n, 512),)]", "_avg_pool[(1,)]", ("W-BLOCK",)
        ),
        Patch(
            "reads over the end of the row",
            "(place < length)",
            "(place < length + padding)",
            ("input",),
        ),
        Patch("window one short", "range(kernel_size)", "range(1, kernel_size)", ("kernel_size",)),
        Patch(
            "sums in the output's dtype",
            "total += tl.load(row + place, mask=mask, other=0.0).to(tl.float32)",
            "total = (total + tl.load(row + place, mask=mask, other=0.0)).to(y.dtype.element_ty)"
            ".to(tl.float32)",
        ),
        Patch(
            "start without padding",
            "% pooled * stride - padding",
            "% pooled * stride",
            ("padding",),
        ),
    ),
    dtypes=FLOATS,
    difficulty=2,
    audit=("W-BLOCK",),
)
