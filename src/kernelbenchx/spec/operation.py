"""One operation of a graph: its arguments by name, and how it is called with others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.forward_interceptor import first_of, is_float, name_of

_MOVES = (
    "empty", "zeros", "ones", "full", "new_", "arange", "rand", "clone", "copy_", "_to_copy",
    "lift_fresh", "_unsafe_view", "_reshape_alias", "alias", "detach", "constant_pad", "repeat",
    "bernoulli", "normal_", "uniform_", "random_", "fill_", "zero_", "set_", "scalar_tensor",
    "unsafe_split", "native_dropout",
)  # fmt: skip
"""What makes, copies or draws tensors: nothing is computed there."""


@dataclass(frozen=True)
class Operation:
    """A call of one of torch's operations, and the main result that it gave."""

    func: Any
    values: dict[str, Any]
    """Arguments by the names of the schema; those left out are not there."""
    result: Any = None

    @property
    def name(self) -> str:
        """Without namespace and overload, the same in place or not."""
        return name_of(self.func).removesuffix("_")

    @property
    def computes(self) -> bool:
        """Whether the operation computes values, rather than moves or draws them."""
        if self.func.is_view or name_of(self.func).startswith(_MOVES):
            return False
        return isinstance(self.result, torch.Tensor)

    def float_at(self, name: str) -> Any:
        """The argument of that name, if it is a floating tensor; else None."""
        value = self.values.get(name)
        return value if is_float(value) else None

    @property
    def floats(self) -> list[torch.Tensor]:
        """The floating tensors it was given."""
        return [value for value in self.values.values() if is_float(value)]

    @property
    def dims(self) -> list[int]:
        """What it reduces or goes along; all dimensions where nothing is said."""
        rank = self.values["self"].dim()
        dims = self.values.get("dim")
        if dims is None or dims == []:
            return list(range(rank))
        return [one % rank for one in (dims if isinstance(dims, list | tuple) else [dims]) if rank]

    def call_with(self, /, **others: Any) -> Any:
        """The same operation with other arguments."""
        values = {**self.values, **others}
        order = self.func._schema.arguments
        args: list[Any] = []
        for one in order:
            if one.kwarg_only:
                break
            if one.name not in values and not one.has_default_value():
                break
            args.append(values.get(one.name, one.default_value))
        named = {
            one.name: values[one.name] for one in order if one.kwarg_only and one.name in values
        }
        return self.func(*args, **named)

    def giving(self, new: torch.Tensor) -> Any:
        """What the operation gives, with another main result: written in place where it is."""
        if name_of(self.func).endswith("_"):
            return self.values["self"].copy_(new)
        if len(self.func._schema.returns) > 1:
            return (new, *self.call_with()[1:])
        return new


def operation_of(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any = None
) -> Operation:
    """Arguments matched with the names of the schema."""
    names = [one.name for one in func._schema.arguments]
    return Operation(func, {**dict(zip(names, args, strict=False)), **kwargs}, first_of(result))


@dataclass(frozen=True)
class Change:
    """One mistake that an operation can be made with."""

    words: str
    """What follows the name of the operation: `dropped`, `without its bias`."""
    make: Callable[[Operation], Any]

    def run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the wrong operation gives."""
        return self.make(operation_of(func, args, kwargs))
