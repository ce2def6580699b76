"""The spacing of floating-point numbers: the unit of every budget."""

import torch

FLUSH = 2.0**-126
"""Smallest normal number of float32 and bfloat16: hardware may flush what is below it to zero."""

_REAL = {
    torch.complex32: torch.float16,
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
}
_EXPONENT = 0x7FF0_0000_0000_0000
"""The bits of a float64 that hold its exponent."""
TF32_ROUNDOFF = 2.0**-11
"""Half the spacing of TF32 at 1: ten explicit bits."""


def real_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype of the parts of a complex dtype; a real one is its own."""
    return _REAL.get(dtype, dtype)


def roundoff(dtype: torch.dtype) -> float:
    """Largest relative error of rounding once to `dtype`."""
    return torch.finfo(real_dtype(dtype)).eps / 2


def ulp(magnitude: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Distance between neighbours of `dtype` at each (float64, non-negative) magnitude.

    Below the smallest normal number the spacing stays, above the largest it does too.
    """
    limits = torch.finfo(real_dtype(dtype))
    power = magnitude.clamp(limits.tiny, limits.max)  # normal in float64, so without its mantissa
    power.view(torch.int64).bitwise_and_(_EXPONENT)  # it is the power of two below
    return power.mul_(limits.eps)


def flush_floor(dtype: torch.dtype) -> float:
    """What an error may be at least: subnormal float32 and bfloat16 numbers may become zero."""
    return FLUSH if real_dtype(dtype) in (torch.float32, torch.bfloat16) else 0.0


def overflow_edge(dtype: torch.dtype) -> float:
    """The magnitude from which rounding to `dtype` gives infinity."""
    limits = torch.finfo(real_dtype(dtype))
    largest = torch.tensor(limits.max, dtype=torch.float64)
    if real_dtype(dtype) == torch.float64:
        return float(limits.max)
    return float(largest + ulp(largest, dtype) / 2)
