"""Writes a call of the task in the form that a submission's own signature takes.

The trusted side decided which argument goes where; this only follows it.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

_MISSING: Any = object()
Binding = Mapping[str, Any]
"""An `ArgumentBinding` as plain data."""
Taker = Mapping[str, Any]
"""A parameter of the submission."""


class NotTaken(TypeError):
    """A call gives an argument that the signature of the submission lacks."""


def arrange(
    binding: Binding | None, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments of the same call for the submission; unchanged where there is no binding."""
    if binding is None:
        return tuple(args), dict(kwargs)
    return _Arrangement(binding, _by_name(binding["arguments"], args, kwargs)).build_call()


def binding_in(header: Mapping[str, Any]) -> dict[str, Any]:
    """An order's binding: how a submission is called and, where it is a module, constructed."""
    return {"call": None, "init": None, **(header.get("binding") or {})}


def default_value(text: str) -> Any:
    """A default value of the task's signature, read from its text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        if text.startswith("torch."):
            return getattr(torch, text.removeprefix("torch."))
        return float(text)


def _by_name(
    arguments: Sequence[Mapping[str, Any]], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    given, left = dict(kwargs), list(args)
    for one in arguments:
        if one["variable"]:
            if left:
                given[one["name"]] = tuple(left)
            left = []
        elif left and not one["keyword_only"]:
            given[one["name"]] = left.pop(0)
    return given


@dataclass(frozen=True)
class _Arrangement:
    """One call, its arguments by the names of the task."""

    binding: Binding
    given: dict[str, Any]

    def build_call(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments of the submission."""
        self._refuse_what_is_lacking()
        positional, by_keyword = self._positions()
        for taker in self.binding["keyword_only"]:
            value = self._value_of(taker)
            if value is not _MISSING:
                by_keyword[taker["keyword"]] = value
        named = (name for name in self.binding["named"] if name in self.given)
        return tuple(positional), by_keyword | {name: self.given[name] for name in named}

    @cached_property
    def _defaults(self) -> dict[str, str | None]:
        return {one["name"]: one["default"] for one in self.binding["arguments"]}

    @cached_property
    def _variable(self) -> frozenset[str]:
        return frozenset(one["name"] for one in self.binding["arguments"] if one["variable"])

    def _refuse_what_is_lacking(self) -> None:
        """Raise where the submission lacks an argument, unless it has the task's default value."""
        takers = (*self.binding["positional"], *self.binding["keyword_only"])
        taken = {one["argument"] for one in takers}
        taken |= {*self.binding["rest"], *self.binding["named"]}
        for name in self.given.keys() - taken:
            default = self._defaults.get(name)
            if default is None or not _is_same(self.given[name], default_value(default)):
                raise NotTaken(f"the signature has no `{name}`")

    def _positions(self) -> tuple[list[Any], dict[str, Any]]:
        """Positional arguments up to the first one left out, then keywords.

        Where an argument behind a gap has no keyword, the gap is filled with the task's default.
        """
        takers, rest = self.binding["positional"], self._rest()
        values = [self._value_of(taker) for taker in takers]
        needed = len(takers) if rest else 0
        for at, (taker, value) in enumerate(zip(takers, values, strict=True), 1):
            if value is not _MISSING and not taker["keyword"]:
                needed = max(needed, at)
        positional: list[Any] = []
        by_keyword: dict[str, Any] = {}
        for at, (taker, value) in enumerate(zip(takers, values, strict=True)):
            if at < needed and value is _MISSING:
                positional.append(self._default_of(taker["argument"]))
            elif value is not _MISSING and len(positional) == at:
                positional.append(value)
            elif value is not _MISSING:
                by_keyword[taker["keyword"]] = value
        return positional + rest, by_keyword

    def _rest(self) -> list[Any]:
        """The arguments that `*args` takes: none may be left out before another one."""
        names, found = self.binding["rest"], list[Any]()
        last = max((at for at, name in enumerate(names) if name in self.given), default=-1)
        for name in names[: last + 1]:
            if name in self._variable:
                found += self.given[name]
            else:
                found.append(self.given[name] if name in self.given else self._default_of(name))
        return found

    def _value_of(self, taker: Taker) -> Any:
        name = taker["argument"]
        if name in self.given:
            value = self.given[name]
            return _unpack_varargs(value) if name in self._variable else value
        return self._default_of(name) if taker["required"] else _MISSING

    def _default_of(self, name: str) -> Any:
        text = self._defaults.get(name)
        if text is None:
            raise NotTaken(f"the signature needs `{name}`, which the call does not give")
        return default_value(text)


def _is_same(value: Any, default: Any) -> bool:
    if isinstance(value, torch.Tensor) or isinstance(value, bool) is not isinstance(default, bool):
        return False
    return value is default or bool(value == default)


def _unpack_varargs(value: tuple[Any, ...]) -> Any:
    """`*size` of the task for a parameter `size`: the sizes, one by one or as one sequence."""
    alone = len(value) == 1 and isinstance(value[0], tuple | list)
    return value[0] if alone else value
