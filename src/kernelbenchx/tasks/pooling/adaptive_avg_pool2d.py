"""Means over bins that divide each plane of (N, C, H, W) or (C, H, W) into oH times oW of them.

out[.., i, j] = mean of input[.., floor(i * H / oH) : ceil((i + 1) * H / oH),
                                  floor(j * W / oW) : ceil((j + 1) * W / oW)]
The bounds are exact quotients of integers. Bins may differ in size and overlap, and where the
output is larger than the input, neighbours may be the same. Each mean is divided by the number of
elements of its own bin. NaN and infinities spread to the bins that hold them and to no other.
Output in the dtype of input; 16-bit inputs are summed in float32 and rounded once.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, Normal, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.adaptive_pooling import (
    adaptive_pooling,
    behind,
    first,
    output_sizes,
    pool_bins,
)

Sizes = int | tuple[int | None, int | None]


def adaptive_avg_pool2d(
    input: torch.Tensor, output_size: int | tuple[int | None, int | None]
) -> torch.Tensor:
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    return torch.nn.functional.adaptive_avg_pool2d(x, output_size).to(input.dtype)


def rounding(input: torch.Tensor, output_size: Sizes) -> torch.Tensor:
    """The mean of absolute values; a sum of k terms grows with sqrt(k), k the largest bin."""
    counts = zip(input.shape[-2:], output_sizes(input.shape, output_size), strict=True)
    largest = math.prod(-(-size // count) + 1 for size, count in counts)
    return math.sqrt(largest) / 2 * adaptive_avg_pool2d(input.abs(), output_size)


def _floor_ends(input, output_size):
    return pool_bins(
        input, output_size, end=lambda i, s, n: max(first(i + 1, s, n), first(i, s, n) + 1)
    )


def _equal_bins(input, output_size):
    def end(i, size, count):
        return min(first(i, size, count) + max(size // count, 1), size)

    return pool_bins(input, output_size, end=end)


def _one_divisor(input, output_size):
    share = torch.ones((), device=input.device)
    for d, count in enumerate(output_sizes(input.shape, output_size), -2):
        sizes = [
            behind(i, input.size(d), count) - first(i, input.size(d), count) for i in range(count)
        ]
        bins = torch.tensor(sizes, device=input.device)
        share = share.unsqueeze(-1) * (bins / bins[0])
    return (adaptive_avg_pool2d(input, output_size) * share).to(input.dtype)


TASK = adaptive_pooling(
    adaptive_avg_pool2d,
    others={
        "small": Normal(size=1e-6),
        "large": Normal(size=1e6),
        "special": Normal(planted=(math.inf, -math.inf, math.nan, -0.0, 1e4, 1e-6)),
    },
    # What is large is infinite in float16.
    valid=lambda chosen: chosen["values"] != "large" or chosen["dtype"] != "float16",
    eager=torch.nn.functional.adaptive_avg_pool2d,
    contract=Close(scale=rounding),
    timings=case(shape=(4, 3, 4096, 4096), output_size=2048, dtype=torch.float32)
    + case(shape=(128, 512, 28, 28), output_size=(7, 7), dtype=torch.bfloat16)
    + case(shape=(61, 64, 113, 97), output_size=(10, 11), dtype=torch.float32),
    mutants=(
        Mutant("bins end at floor", _floor_ends, ("output_size",)),
        Mutant("bins of one size", _equal_bins, ("output_size",)),
        Mutant("divided by the size of the first bin", _one_divisor),
        mistakes.first_elements_only(adaptive_avg_pool2d, 512),
    ),
    difficulty=3,
)
