"""Steps of optimizers by torch's fused kernels, which are what submissions are timed against."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch


def fused_takes(*tensors: torch.Tensor | None) -> bool:
    """Whether the kernels do: they know one memory layout, and are not compiled."""
    dense = all(one is not None and one.is_contiguous() for one in tensors)
    return dense and not torch.compiler.is_compiling()


def options(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given by name, and the defaults of the options that are not; no tensors."""
    known = inspect.signature(function).parameters.values()
    usual = {one.name: one.default for one in known if isinstance(one.default, int | float | tuple)}
    return {**usual, **given}
