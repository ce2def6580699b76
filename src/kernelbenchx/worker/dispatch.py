"""Dispatch modes of torch that do without its compiler.

torch keeps its compiler away from the code of a mode, and loads it for that: a third of the time
that a zygote needs. Nothing is compiled by torch where these modes are used.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch._library.custom_ops import OPDEFS
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode


class Mode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Base class of every dispatch mode here."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)  # type: ignore[no-untyped-call]
        dispatch = inspect.unwrap(cls.__torch_dispatch__)
        # Where torch looks for the variant that its compiler has marked.
        setattr(dispatch, "__dynamo_disable", dispatch)


class _Plain(Mode):  # type: ignore[no-untyped-call]
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def use_once() -> None:
    """Load whatever this version of torch loads with the first mode, so that no child has to."""
    with _Plain():  # type: ignore[no-untyped-call]
        torch.zeros(1)


def find_body(func: Any) -> Callable[..., Any] | None:
    """The function behind an operator of `torch.library.custom_op`.

    A mode calls it inside itself: torch would run it outside, where nothing is seen.
    """
    made = OPDEFS.get(func._schema.name) if isinstance(func, OpOverload) else None
    return None if made is None else made._init_fn
