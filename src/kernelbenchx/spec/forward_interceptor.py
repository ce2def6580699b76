"""Dispatch modes that see what a module computes, and nothing of how it is built."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from torch.utils._python_dispatch import TorchDispatchMode


class ForwardInterceptor(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Passes every operation inside a module's `forward` to `answer`, all others on to torch.

    A module is built, given weights and called under one mode. Filling weights uses the same
    operations as computing with them, so only hooks around calls of modules tell them apart.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._depth = 0
        self._hooks: list[Any] = []

    def __enter__(self) -> Any:
        self._depth = 0
        self._hooks = [
            register_module_forward_pre_hook(self._step_in),
            register_module_forward_hook(self._step_out, always_call=True),
        ]
        return super().__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *raised: object) -> None:
        super().__exit__(*raised)  # type: ignore[no-untyped-call]
        for hook in self._hooks:
            hook.remove()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if not self._depth:
            return func(*args, **kwargs)
        if _is_composite(func):  # not yet taken apart where `again` is at work
            with self.again():
                return func.decompose(*args, **kwargs)
        return self.answer(func, args, kwargs)

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the operation is to give."""
        return func(*args, **kwargs)

    @contextmanager
    def again(self) -> Iterator[None]:
        """Inside `answer` no operation comes here; under this they do."""
        super().__enter__()  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            super().__exit__(None, None, None)  # type: ignore[no-untyped-call]

    def _step_in(self, *_: object) -> None:
        self._depth += 1

    def _step_out(self, *_: object) -> None:
        self._depth -= 1


def _is_composite(func: Any) -> bool:
    """Whether torch only knows it as a sequence of others."""
    keys = torch._C.DispatchKey  # type: ignore[attr-defined]
    if any(func.has_kernel_for_dispatch_key(key) for key in (keys.CPU, keys.CUDA)):
        return False
    return bool(func.has_kernel_for_dispatch_key(keys.CompositeImplicitAutograd))


def name_of(func: Any) -> str:
    """Of an operation, without namespace and overload."""
    return str(func._schema.name.split("::")[1])


def is_float(value: Any) -> bool:
    """Whether roundings move it."""
    return isinstance(value, torch.Tensor) and value.dtype.is_floating_point


def is_number(value: Any) -> bool:
    """A scalar argument; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def first_of(result: Any) -> Any:
    """The main result of an operation that may give several."""
    return result[0] if isinstance(result, tuple | list) and result else result
