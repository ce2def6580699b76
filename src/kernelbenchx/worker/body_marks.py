"""Marks of a kernel's body, set alike by the interpreter and beside the compiler.

A mark is a node of the function's syntax tree and a text: empty where a part was reached, the way a
condition went, or `= ` and the value of what a compiler knows. Blocks of the device have none.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from typing import Any

import triton.language as tl

__all__ = ["Mark", "describe_function", "describe_value", "name_function", "number_nodes"]

Mark = tuple[int, str]
"""Number of the node, and the text."""

_PLAIN = (bool, int, float, str, type(None))
_LONGEST = 80


def number_nodes(definition: ast.FunctionDef) -> None:
    """Number the nodes of a function, and tell conditions that they are."""
    for place, node in enumerate(ast.walk(definition)):
        vars(node)["place"] = place
    for node in ast.walk(definition):
        if isinstance(node, ast.If | ast.IfExp):
            vars(node.test)["decides"] = True


def name_function(function: Any) -> str:
    """Name and first line, by which both sides know a function of the file."""
    return f"{function.__name__}:{function.__code__.co_firstlineno}"


def describe_function(function: Any, lines: Iterable[str]) -> str:
    """Digest of a function's text and of the defaults of its parameters."""
    defaults = [describe_value(one) for one in function.__defaults__ or ()]
    return hashlib.sha256(repr(("".join(lines), defaults)).encode()).hexdigest()[:16]


def describe_value(value: Any) -> str:
    """The text of a value that a compiler knows; empty for other values."""
    text = _text_of(value)
    return text and f"= {text}"


def _text_of(value: Any) -> str:
    if isinstance(value, tl.constexpr):
        value = value.value
    if isinstance(value, _PLAIN):
        return repr(value)[:_LONGEST]
    if isinstance(value, tl.block_type):
        return f"{_text_of(tuple(value.shape))} of {value.scalar.name}"
    if isinstance(value, tl.dtype):
        return str(value.name)
    if isinstance(value, tuple | list | tl.tuple):
        items = list(map(_text_of, value))
        return f"({', '.join(items)})" if all(items) else ""
    return ""
