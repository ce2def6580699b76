"""Average pooling of cosines along the last dimension of (N, C, L) or (C, L).

out[.., l] = sum(cos(input[.., i])) / divisor over the i in 0..L-1 of window l. It has kernel_size
places and begins at l * stride - padding. Places outside of the input add 0, not cos(0).
There are floor((L + 2 * padding - kernel_size) / stride) + 1 windows; with ceil_mode=True the
quotient is rounded up, less a window that would begin at L + padding or behind. With
count_include_pad=True the divisor counts the window's places up to L + padding, else only those
inside of the input. 16-bit inputs are computed in float32 and rounded once. The cosine of a large
argument is exact to the same last bits as that of a small one; that of an infinity is NaN.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, Normal, argument, case, ignore_argument, pooling


def fused_cos_avg_pool1d(
    input: torch.Tensor,
    kernel_size: int,
    stride: int | None = None,
    padding: int = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> torch.Tensor:
    x = torch.cos(input.to(torch.promote_types(input.dtype, torch.float32)))
    step, pool = stride or kernel_size, torch.nn.functional.avg_pool1d
    return pool(x, kernel_size, step, padding, ceil_mode, count_include_pad).to(input.dtype)


def eager(input, kernel_size, *others, **words):
    return _average_pool(torch.cos(input), kernel_size, *others, **words)


def _average_pool(x, kernel_size, stride=None, *others, **words):
    return torch.nn.functional.avg_pool1d(x, kernel_size, stride or kernel_size, *others, **words)


def rounding(input, kernel_size, *others, **words):
    """Cosines are at most 1; a sum of k of them grows with sqrt(k)."""
    ones = torch.ones_like(input)
    return (1 + math.sqrt(kernel_size) / 2) * _average_pool(ones, kernel_size, *others, **words)


def _cosine_of_padding(input, kernel_size, stride=None, padding=0, **words):
    x = torch.nn.functional.pad(input.float(), (padding, padding))
    if words.get("ceil_mode") or not words.get("count_include_pad", True):
        return fused_cos_avg_pool1d(input, kernel_size, stride, padding, **words)
    return fused_cos_avg_pool1d(x, kernel_size, stride).to(input.dtype)


def _cosine_of_the_mean(input, kernel_size, *others, **words):
    return torch.cos(_average_pool(input.float(), kernel_size, *others, **words)).to(input.dtype)


def _whole_windows(input, kernel_size, stride=None, padding=0, ceil_mode=False, **words):
    """Windows that reach beyond the padding are divided by kernel_size, too."""
    right = fused_cos_avg_pool1d(input, kernel_size, stride, padding, ceil_mode, **words)
    if not ceil_mode or not words.get("count_include_pad", True):
        return right
    x = torch.nn.functional.pad(torch.cos(input.float()), (padding, padding + kernel_size))
    return (
        _average_pool(x, kernel_size, stride)[..., : right.shape[-1]].to(input.dtype).contiguous()
    )


def _sine_moved(input, kernel_size, *others, **words):
    """The cosine as a sine of an argument that is rounded once more."""
    x = torch.sin(input.float() + math.pi / 2)
    return _average_pool(x, kernel_size, *others, **words).to(input.dtype)


TASK = pooling(
    fused_cos_avg_pool1d,
    rank=1,
    others={
        "small": Normal(size=1e-3),
        "large": Normal(size=1e4),
        "special": Normal(planted=(math.inf, math.nan, -0.0, 1e4, math.pi / 2)),
    },
    arguments=(
        argument("ceil_mode", not_given=None, yes=True, no=False),
        argument("count_include_pad", not_given=None, no=False, yes=True),
    ),
    corners=(
        {"ceil_mode": "yes"},
        {"ceil_mode": "yes", "padding": "one"},
        {"count_include_pad": "no", "padding": "half a window"},
    ),
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(64, 64, 8192), dtype=torch.float32, kernel_size=3)
    + case(shape=(32, 128, 8192), dtype=torch.float32, kernel_size=5, stride=2, padding=2)
    + case(shape=(16, 256, 8191), dtype=torch.float32, kernel_size=3, stride=1, padding=1),
    mutants=(
        Mutant("cosine of the padding", _cosine_of_padding, ("padding",)),
        Mutant("cosine of the mean", _cosine_of_the_mean, ("input",)),
        Mutant("divided by kernel_size at the end", _whole_windows, ("ceil_mode",)),
        Mutant("sine of a moved argument", _sine_moved),
        ignore_argument(fused_cos_avg_pool1d, "ceil_mode"),
        ignore_argument(fused_cos_avg_pool1d, "count_include_pad", "W-ARG"),
    ),
    difficulty=3,
    audit=("W-ARG",),
)
