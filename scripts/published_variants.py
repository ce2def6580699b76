"""What a function under test may answer instead of the right value, for `published_verdicts.py`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

Tensors = Callable[[torch.Tensor], torch.Tensor]


def _each(change: Tensors, value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple | list):
        return tuple(_each(change, one) for one in value)
    return value


def _inexact(change: Tensors) -> Callable[[Any], Any]:
    def apply(tensor: torch.Tensor) -> torch.Tensor:
        return change(tensor) if tensor.is_floating_point() or tensor.is_complex() else tensor

    return partial(_each, apply)


def _floating(change: Tensors) -> Callable[[Any], Any]:
    def apply(tensor: torch.Tensor) -> torch.Tensor:
        return change(tensor) if tensor.is_floating_point() else tensor

    return partial(_each, apply)


def _one_more(tensor: torch.Tensor) -> torch.Tensor:
    whole = not (tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool)
    return tensor + 1 if whole else tensor


def _refuse(_: Any) -> Any:
    raise ValueError("refused")


VARIANTS: dict[str, Callable[[Any], Any]] = {
    "the same": lambda value: value,
    "4e-6 larger": _inexact(lambda tensor: tensor * (1 + 4e-6)),
    "1.2e-5 larger": _inexact(lambda tensor: tensor * (1 + 1.2e-5)),
    "4e-3 larger": _inexact(lambda tensor: tensor * (1 + 4e-3)),
    "a tenth larger": _inexact(lambda tensor: tensor * 1.1),
    "lists": lambda value: list(value) if isinstance(value, tuple) else value,
    "wrapped": lambda value: (value,),
    "float16": _floating(lambda tensor: tensor.half()),
    "without NaN": _floating(lambda tensor: tensor.nan_to_num(0.0)),
    "noise from the generator": _floating(lambda tensor: tensor + torch.rand_like(tensor) * 1e-3),
    "integers one more": partial(_each, _one_more),
    "flat": partial(_each, lambda tensor: tensor.reshape(-1)),
    "None": lambda _: None,
    "an exception": _refuse,
}
