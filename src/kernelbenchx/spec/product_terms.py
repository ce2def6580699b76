"""Products and sums: what they add up, term by term."""

import math
from typing import Any

import torch

from kernelbenchx.spec.forward_interceptor import is_float, name_of
from kernelbenchx.spec.operation import operation_of

PRODUCTS = {
    "mm": ("self", "mat2"),
    "bmm": ("self", "mat2"),
    "addmm": ("mat1", "mat2"),
    "baddbmm": ("batch1", "batch2"),
    "mv": ("self", "vec"),
    "addmv": ("mat", "vec"),
    "dot": ("self", "tensor"),
    "convolution": ("input", "weight"),
}
"""Operations that add up products, and the names of what they multiply."""
SUMS = frozenset(
    [
        "sum", "mean", "avg_pool2d", "avg_pool3d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d",
    ]
)  # fmt: skip


def terms_of_product(func: Any, args: tuple[Any, ...]) -> int:
    """How many products each element of the result adds up, at most."""
    operation = operation_of(func, args, {})
    right = operation.values[PRODUCTS[operation.name][1]]
    if operation.name != "convolution":
        return int(right.shape[-2] if right.dim() > 1 else right.shape[-1])
    if not operation.values["transposed"]:
        return int(math.prod(right.shape[1:]))
    taps = [
        -(-size // stride)
        for size, stride in zip(right.shape[2:], operation.values["stride"], strict=True)
    ]
    channels = int(right.shape[0]) // int(operation.values["groups"])
    return int(math.prod(taps)) * channels


def sum_squared_terms(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> torch.Tensor:
    """The sum of the squares of the terms that a product adds up."""
    values = tuple(one * one if is_float(one) else one for one in args)
    named = {key: one * one if key in ("alpha", "beta") else one for key, one in kwargs.items()}
    result: torch.Tensor = func(*values, **named)
    return result


def terms_of_sum(result: torch.Tensor, given: torch.Tensor, func: Any, args: Any) -> int:
    """How many numbers each element of the result adds up."""
    if name_of(func).startswith("avg_pool"):
        return math.prod(operation_of(func, args, {}).values["kernel_size"])
    return given.numel() // max(1, result.numel())
