"""Functions of torch on wider numbers than they are given: they round once, as contracts ask."""

from collections.abc import Callable
from typing import Any

import torch

NARROW = (torch.float16, torch.bfloat16)


def product_in_float32(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Of matrices or batches of them, not rounded to 16 bits: on a GPU by the library itself."""
    if first.dtype not in NARROW:
        return first @ second
    if not first.is_cuda:
        return first.float() @ second.float()
    product = torch.bmm if first.dim() == 3 else torch.mm
    return product(first, second, out_dtype=torch.float32)  # type: ignore[call-overload, no-any-return]


def in_wide_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same of 16-bit arguments, computed in float32; what is given by name stays as it is."""

    def run(*args: Any, **named: Any) -> Any:
        narrow = [x.dtype for x in args if isinstance(x, torch.Tensor) and x.dtype in NARROW]
        if not narrow:
            return function(*args, **named)
        wide = (x.float() if getattr(x, "dtype", None) in NARROW else x for x in args)
        return function(*wide, **named).to(narrow[0])

    return run
