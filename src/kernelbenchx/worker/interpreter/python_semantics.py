"""Answers a kernel's questions about its own values as the compiler does, and marks them.

A compiler knows constants, types and the classes of values, and a kernel may ask for them in
Python. What it was answered is compared with the compiler's answers (`worker/body_marks.py`).
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import triton.language as tl

from ..body_marks import describe_value

__all__ = ["Marks", "PythonSemantics"]

Marks = set[tuple[int, str, int]]
"""Node, text and line of what ran."""


class PythonSemantics:
    """The part of the front end that replaces Python where a kernel inspects its values."""

    to_tensor: Callable[..., Any]

    def note(self, marks: Marks, place: int, line: int, value: Any) -> Any:
        """Mark what a compiler knows; blocks go through."""
        if type(value) is not tl.tensor and (text := describe_value(value)):
            marks.add((place, text, line))
        return value

    def ask(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Call a function of Python, which gets constants as plain values."""
        return function(*map(_unwrap_constexpr, arguments), **named)

    def is_same(self, one: Any, other: Any) -> bool:
        """`is`, which looks into constants."""
        return _unwrap_constexpr(one) is _unwrap_constexpr(other)

    def smallest_of(self, *values: Any) -> Any:
        """`min` of a kernel: of constants, or lane by lane."""
        return _extreme(builtins.min, tl.minimum, values)

    def largest_of(self, *values: Any) -> Any:
        """`max` of a kernel."""
        return _extreme(builtins.max, tl.maximum, values)

    def convert_assigned(self, value: Any) -> Any:
        """The value of an assigned variable: numbers become tensors, also those in a tuple."""
        if type(value) is tl.tensor:
            return value
        if isinstance(value, tl.tuple):
            return tl.tuple([self.convert_assigned(one) for one in value])
        if isinstance(value, tuple):
            items = [self.convert_assigned(one) for one in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return self.to_tensor(value, False)

    def decide(self, conditions: list[Any], condition: Any) -> Any:
        """Evaluate a condition that a return depends on."""
        if isinstance(condition, tl.tensor):
            conditions.append(condition)
        return condition

    def convert_returned(self, several: Any, value: Any) -> Any:
        """The value that a function returns: of several numbers the compiler makes tensors."""
        return self.convert_assigned(value) if several else value

    def choose(
        self,
        marks: Marks,
        where: tuple[int, int],
        condition: Any,
        branches: tuple[Callable[[], Any], Callable[[], Any]],
    ) -> Any:
        """`a if condition else b`: a tensor where the condition is one."""
        place, line = where
        holds = bool(condition)
        marks.add((place, f"= {holds}", line))
        value = branches[0 if holds else 1]()
        return self.to_tensor(value) if isinstance(condition, tl.tensor) else value


def _unwrap_constexpr(value: Any) -> Any:
    return value.value if isinstance(value, tl.constexpr) else value


def _extreme(plain: Callable[..., Any], by_lane: Callable[..., Any], values: Any) -> Any:
    values = tuple(map(_unwrap_constexpr, values))
    if not any(isinstance(one, tl.tensor) for one in values):
        return plain(*values)
    result = values[0]
    for one in values[1:]:
        result = by_lane(result, one)
    return result
