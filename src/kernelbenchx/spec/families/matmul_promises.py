"""What every product of matrices promises, with a wrong answer to each sentence."""

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.standard_promises import any_strides, out_is_written
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis

Function = Callable[..., torch.Tensor]


def product_promises(
    function: Function, axes: tuple[Axis, ...], dtypes: tuple[torch.dtype, ...]
) -> tuple[Promise, ...]:
    """Strides, sizes of 0, rounding, what is added, and `out`."""
    parameters = inspect.signature(function).parameters
    added = "beta" in parameters
    layouts_of = [axis for axis in axes if "layout" in axis.name]
    if added:
        layouts_of.insert(0, layouts_of.pop())
    found = [
        any_strides(function, axis, place, name)
        for place, (axis, name) in enumerate(zip(layouts_of, parameters, strict=False))
    ]
    found.append(
        Promise(
            "Sizes may be 0; a sum over nothing is 0.",
            "sizes",
            ("empty", "empty sum"),
            mistakes.refuses(function, "sizes of 0 refused", lambda *args: not args[-1].numel()),
        )
    )
    found += _rounding(dtypes, added)
    if added:
        found += _addition(function)
    return (*found, out_is_written(function)) if "out" in parameters else tuple(found)


def _rounding(dtypes: tuple[torch.dtype, ...], added: bool) -> Iterator[Promise]:
    narrow = tuple(str(one).removeprefix("torch.") for one in dtypes if one.itemsize == 2)
    if narrow:
        rest = ", alpha, beta and `input` are applied in float32" if added else ""
        yield Promise(
            "Products of 16-bit inputs are accumulated in float32"
            f"{rest}, and the result is rounded once.",
            "dtype",
            narrow,
            Mutant("sums kept in 16 bits", _formula(_narrow_sum)),
        )
    if torch.float32 in dtypes:
        yield Promise(
            "float32 products are computed in float32: no TF32.",
            "dtype",
            ("float32",),
            Mutant("float32 operands rounded to TF32", _formula(_tf32_product)),
        )


def _addition(function: Function) -> Iterator[Promise]:
    zeros = _formula(_wide_product, ignores=False)
    yield Promise(
        "`input` broadcasts to the result's shape: it may be 0-d, a vector, a row or a column.",
        "bias",
        ("vector", "row", "column", "0-d"),
        Mutant("one row added to columns", _row_as_column(function)),
    )
    yield Promise(
        "With beta = 0, `input` is ignored, NaN and infinities in it too.",
        "beta",
        ("zero",),
        Mutant("beta = 0 multiplies instead of ignoring", zeros),
    )


def _formula(product: Function, *, ignores: bool = True) -> Function:
    """The whole formula in wide numbers, with another product."""

    def answer(
        *args: torch.Tensor, beta: float = 1, alpha: float = 1, out: torch.Tensor | None = None
    ) -> torch.Tensor:
        x, y = args[-2:]
        result = alpha * product(x, y).float()
        if len(args) > 2 and (beta or not ignores):
            result = result + beta * args[0].float()
        result = result.to(x.dtype)
        return result if out is None else out.copy_(result)

    return answer


def _wide_product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x.float(), y.float())


def _narrow_sum(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Rounded after each 32 terms."""
    down = 0 if y.dim() == 1 else -2
    parts = zip(torch.split(x, 32, -1), torch.split(y, 32, down), strict=True)
    products = [_wide_product(*part).to(x.dtype) for part in parts]
    return functools.reduce(torch.add, products)


def _tf32_product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return _wide_product(mistakes.tf32(x), mistakes.tf32(y))


def _row_as_column(function: Function) -> Function:
    def answer(input: torch.Tensor, *rest: torch.Tensor, **words: Any) -> torch.Tensor:
        rows = rest[0].shape[-2]
        if input.numel() > 1 and input.shape[:-1].numel() == 1:
            places = torch.arange(rows, device=input.device) % input.numel()
            input = input.flatten()[places].unsqueeze(1)
        return function(input, *rest, **words)

    return answer
