"""The outputs of a call, flattened: what it returned, then what it wrote into its arguments."""

from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.call import Call


@dataclass(frozen=True)
class CallResult:
    """What came back from one call of a submission: bytes made into tensors, believed nowhere."""

    result: Any
    after: Call
    """Every argument as the call left it."""
    aliases: tuple[str, ...] = ()
    """The worker's word on which argument each leaf shares its storage with."""
    devices: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    """What the interpreter noted: words for a message, never for a verdict."""


@dataclass(frozen=True)
class Leaf:
    """One tensor or number of a result, with a name that a report can show."""

    name: str
    kind: str
    """`tensor`, `int`, `float`, `bool`, `complex`, `none` or `other`."""
    value: torch.Tensor
    """Numbers as 0-d tensors, so that one contract judges both."""


def flatten(result: Any, prefix: str = "out") -> tuple[Leaf, ...]:
    """Leaves in order; a tuple, list or named tuple is walked, anything else is a leaf."""
    if isinstance(result, torch.Tensor):
        return (Leaf(prefix, "tensor", result),)
    if isinstance(result, tuple | list):
        leaves: list[Leaf] = []
        for position, item in enumerate(result):
            leaves.extend(flatten(item, f"{prefix}[{position}]"))
        return tuple(leaves)
    if isinstance(result, bool | int | float | complex) and _fits(result):
        return (Leaf(prefix, type(result).__name__, torch.tensor(result, dtype=_dtype(result))),)
    kind = "none" if result is None else "other"
    return (Leaf(prefix, kind, torch.empty(0)),)


def _fits(number: bool | int | float | complex) -> bool:
    """Python's whole numbers have no end; a tensor's have."""
    return not isinstance(number, int) or -(2**63) <= number < 2**63


def _dtype(number: bool | int | float | complex) -> torch.dtype:
    if isinstance(number, bool):
        return torch.bool
    if isinstance(number, int):
        return torch.int64
    return torch.complex128 if isinstance(number, complex) else torch.float64
