"""Values of a test that is recorded: stand-ins that write down what is done with them."""

import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Protocol

import torch

from kernelbenchx.worker.published_program import ATTRIBUTES, FUNCTIONS, METHODS

UNKNOWN = object()
"""What a call gives that raises, where the test expects it to."""
_KEPT_AS_LIST = 16
_FACTS = ("shape", "dtype", "ndim")


class NotRecordable(ValueError):
    """The test does something that no step expresses."""


class Steps(Protocol):
    """What a value writes to."""

    def step(
        self, letter: str, operation: str, value: Any, args: Any = (), kwargs: Any = None
    ) -> "Recorded":
        """One more."""
        ...


class Recorded:
    """A value of a test; what is done with it is written down."""

    def __init__(self, recorder: Steps, name: str, value: Any) -> None:
        self._recorder, self._name, self._value = recorder, name, value

    def __getattr__(self, name: str) -> Any:
        if name in _FACTS:
            return getattr(self._value, name)
        if name == "cuda":
            return lambda: self._recorder.step("x", "to_device", self._value, [self])
        if name in ATTRIBUTES:
            return self._recorder.step("v", f".{name}", _attribute(self._value, name), [self])
        if name not in METHODS:
            raise NotRecordable(f"a method {name}")

        def call(*args: Any, **kwargs: Any) -> Recorded:
            value = UNKNOWN
            if self._value is not UNKNOWN:
                method = getattr(self._value, name)
                value = method(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})
            return self._recorder.step("v", f".{name}", value, [self, *args], kwargs)

        return call

    def __iter__(self) -> Iterator["Recorded"]:
        items = list(self._value)
        whole = self._recorder.step("u", "unpack", items, [self, len(items)])
        return iter([whole[number] for number in range(len(items))])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._value[plain(key)] = plain(value)
        self._recorder.step("v", "setitem", None, [self, key, value])

    def __bool__(self) -> bool:
        raise NotRecordable("a branch that depends on values")

    def __hash__(self) -> int:
        return id(self)


def _operation(name: str, *, swapped: bool = False) -> Callable[..., Recorded]:
    def operate(self: Recorded, *others: Any) -> Recorded:
        args = [*others, self] if swapped else [self, *others]
        return self._recorder.step("v", name, FUNCTIONS[name](*map(plain, args)), args)

    return operate


for _name in ("add", "sub", "mul", "truediv", "matmul", "mod"):
    setattr(Recorded, f"__{_name}__", _operation(_name))
    setattr(Recorded, f"__r{_name}__", _operation(_name, swapped=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "invert", "getitem", "iadd"):
    setattr(Recorded, f"__{_name}__", _operation(_name))


def _attribute(value: Any, name: str) -> Any:
    return value if value is UNKNOWN else getattr(value, name)


def plain(value: Any) -> Any:
    """The value behind a stand-in, also within lists."""
    if isinstance(value, Recorded):
        return value._value
    if isinstance(value, SimpleNamespace):
        return value.recorded._value
    if isinstance(value, tuple | list) and not isinstance(value, torch.Size):
        return type(value)(map(plain, value))
    return value


def spell(value: Any) -> Any:
    """As a program writes it."""
    if isinstance(value, Recorded):
        return f"${value._name}"
    if isinstance(value, SimpleNamespace):
        return spell(value.recorded)
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, torch.Size):
        return {"size": list(value)}
    if isinstance(value, tuple):
        return {"tuple": [spell(one) for one in value]}
    if isinstance(value, list):
        return _spell_list(value)
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    return _spell_plain(value)


def _spell_list(value: list[Any]) -> Any:
    whole = len(value) > _KEPT_AS_LIST and all(type(one) is int for one in value)
    if whole and value == list(range(value[0], value[0] + len(value))):
        return {"range": [value[0], value[0] + len(value)]}
    return [spell(one) for one in value]


def _spell_plain(value: Any) -> Any:
    if value is ...:
        return {"ellipsis": True}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value == "cuda":
        return "$device"
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise NotRecordable(f"a {type(value).__name__}")
