"""Honest and less honest ways to compute what a module computes.

Honest: the textbook's formulas in float32, sums piece by piece from the end. Not what a float32
contract allows: products of operands that are rounded to fewer bits.
"""

import math
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import torch

from kernelbenchx.spec.forward_interceptor import ForwardInterceptor, first_of, is_float, name_of
from kernelbenchx.spec.operation import Operation, operation_of
from kernelbenchx.spec.product_terms import PRODUCTS
from kernelbenchx.spec.textbook_formulas import PARTS

_PIECES = 64
"""Into how many pieces a sum is cut, at most."""
_TERMS = 1024


class ReorderedSums(ForwardInterceptor):  # type: ignore[no-untyped-call]
    """Products and sums add piece after piece onto one accumulator, the last piece first."""

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The same, with other roundings."""
        name = name_of(func).removesuffix("_")
        operation = operation_of(func, args, kwargs)
        if name in PARTS and is_float(args[0]):
            with self.again():
                result = PARTS[name](*args, **kwargs)
            in_place = name_of(func).endswith("_")
            return args[0].copy_(first_of(result)) if in_place else result
        if name == "convolution":
            return _convolve_in_pieces(operation, _PIECES)
        if name in PRODUCTS and name != "dot":
            return _multiply_in_pieces(operation, _PIECES)
        if name in ("sum", "mean") and is_float(args[0]) and args[0].dim():
            return _sum_in_pieces(operation)
        return func(*args, **kwargs)


class RoundedOperands(ForwardInterceptor):  # type: ignore[no-untyped-call]
    """What products multiply is rounded first: `to_tf32`, or `through(torch.bfloat16)`."""

    def __init__(self, rounding: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self._rounding = rounding
        self.products = 0
        """How many there were."""

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The same, with both factors rounded; attention is taken apart for it."""
        name = name_of(func)
        if "scaled_dot_product" in name and name in PARTS:
            with self.again():
                return PARTS[name](*args, **kwargs)
        if name not in PRODUCTS:
            return func(*args, **kwargs)
        self.products += 1
        operation = operation_of(func, args, kwargs)
        left, right = PRODUCTS[name]
        return operation.call_with(
            **{one: self._rounding(operation.values[one]) for one in (left, right)}
        )


class NarrowSums(ForwardInterceptor):  # type: ignore[no-untyped-call]
    """Products accumulate in the dtype of their operands, 16 bits: one term after the other."""

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The same, with every partial sum rounded."""
        name = name_of(func)
        operation = operation_of(func, args, kwargs)
        if name == "convolution":
            return _convolve_in_pieces(operation, _TERMS)
        if name in PRODUCTS and name != "dot":
            return _multiply_in_pieces(operation, _TERMS)
        return func(*args, **kwargs)


def to_tf32(value: torch.Tensor) -> torch.Tensor:
    """Rounded to ten explicit bits, ties to even."""
    bits = value.float().contiguous().view(torch.int32)
    bits = bits + 0xFFF + ((bits >> 13) & 1)
    return (bits & ~0x1FFF).view(torch.float32).to(value.dtype)


def through(dtype: torch.dtype) -> Callable[[torch.Tensor], torch.Tensor]:
    """Rounded to the dtype and back."""
    return lambda value: value.to(dtype).to(value.dtype)


def _pieces(count: int, most: int) -> Iterable[slice]:
    """From the last to the first."""
    step = max(1, math.ceil(count / most))
    starts = reversed(range(0, count, step))
    return (slice(start, min(start + step, count)) for start in starts)


def _multiply_in_pieces(op: Operation, most: int) -> torch.Tensor:
    left, right = (op.values[name] for name in PRODUCTS[op.name])
    before = (slice(None),) * max(0, right.dim() - 2)
    total: torch.Tensor = reduce(
        torch.add,
        (
            torch.matmul(left[..., piece].contiguous(), right[(*before, piece)].contiguous())
            for piece in _pieces(left.shape[-1], most)
        ),
    )
    if op.name.startswith(("addm", "badd")):
        total = total * op.values.get("alpha", 1) + op.values["self"] * op.values.get("beta", 1)
    return total


def _convolve_in_pieces(op: Operation, most: int) -> Any:
    given, weight, bias = (op.values[name] for name in ("input", "weight", "bias"))
    if op.values["groups"] > 1 or given.shape[1] == 1:
        return op.call_with()
    parts = (
        op.call_with(
            input=given[:, piece].contiguous(),
            weight=(weight[piece] if op.values["transposed"] else weight[:, piece]).contiguous(),
            bias=None,
        )
        for piece in _pieces(given.shape[1], most)
    )
    total: torch.Tensor = reduce(torch.add, parts)
    return total if bias is None else total + bias.view(-1, *[1] * (total.dim() - 2))


def _sum_in_pieces(op: Operation) -> torch.Tensor:
    value: torch.Tensor = op.values["self"]
    dims, keep = op.dims, op.values.get("keepdim", False)
    longest = max(dims, key=lambda dim: value.shape[dim])
    total: torch.Tensor = reduce(
        torch.add,
        (
            value.narrow(longest, piece.start, piece.stop - piece.start).sum(dims, keepdim=keep)
            for piece in _pieces(value.shape[longest], _PIECES)
        ),
    )
    if op.name == "mean":
        total = total / math.prod(value.shape[dim] for dim in dims)
    return total
