"""Average pooling along the last dimension of (N, C, L) or (C, L).

out[.., l] = (1 / kernel_size) * sum_{m=0}^{kernel_size-1} input[.., l * stride + m - padding]
Elements outside 0..L-1 are zeros and count: the divisor is always kernel_size. The output has
length floor((L + 2 * padding - kernel_size) / stride) + 1 and the dtype of input. NaN and
infinities spread to the windows that hold them and to no other. 16-bit inputs are summed in float32
and rounded once. The published formula leaves padding out; here it counts.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Close, Mutant, Normal, case, pooling
from kernelbenchx.spec.families import mistakes


def avg_pool1d(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    step = kernel_size if stride is None else stride
    return torch.nn.functional.avg_pool1d(x, kernel_size, step, padding).to(input.dtype)


def rounding(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    """The mean of absolute values; a sum of k terms grows with sqrt(k)."""
    return math.sqrt(kernel_size) / 2 * avg_pool1d(input.abs(), kernel_size, stride, padding)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    """What is large is infinite in float16."""
    return chosen["values"] != "large" or chosen["dtype"] != "float16"


def _padding_not_counted(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    x, step = input.float(), stride or kernel_size
    pool = torch.nn.functional.avg_pool1d
    return pool(x, kernel_size, step, padding, count_include_pad=False).to(input.dtype)


def _divided_by_two(input: torch.Tensor, kernel_size: int, **options: Any) -> torch.Tensor:
    return avg_pool1d(input * (kernel_size / 2), kernel_size, **options)


def _running_sums(
    input: torch.Tensor, kernel_size: int, stride: int | None = None, padding: int = 0
) -> torch.Tensor:
    """Differences of a running sum: what a window does not hold gets into it."""
    x = torch.nn.functional.pad(input.float(), (padding + 1, padding)).cumsum(-1)
    sums = (x[..., kernel_size:] - x[..., :-kernel_size])[..., :: stride or kernel_size]
    return (sums / kernel_size).to(input.dtype).contiguous()


TASK = pooling(
    avg_pool1d,
    rank=1,
    others={
        "small": Normal(size=1e-6),
        "large": Normal(size=1e6),
        "special": Normal(planted=(math.inf, -math.inf, math.nan, -0.0, 1e4, 1e-6)),
    },
    valid=_is_valid,
    eager=torch.nn.functional.avg_pool1d,
    contract=Close(scale=rounding),
    timings=case(shape=(64, 64, 8192), dtype=torch.float32, kernel_size=2)
    + case(shape=(32, 128, 16384), dtype=torch.bfloat16, kernel_size=7, stride=2, padding=3)
    + case(shape=(16, 256, 8193), dtype=torch.float32, kernel_size=3, stride=1, padding=1),
    mutants=(
        mistakes.ignore_argument(avg_pool1d, "stride"),
        Mutant("padding not counted", _padding_not_counted, ("padding",)),
        Mutant("divided by two", _divided_by_two, ("kernel_size",)),
        Mutant("differences of a running sum", _running_sums),
        mistakes.first_elements_only(avg_pool1d, 512, "W-BLOCK"),
    ),
    difficulty=2,
    audit=("W-BLOCK",),
)
