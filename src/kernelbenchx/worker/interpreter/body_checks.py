"""Refuses kernel bodies that use Python, where a compiler accepts only Triton.

An interpreter runs a body as Python, so it could compute with numpy or open files there. What a
compiler would refuse for subtler reasons is left to the compiler.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from triton.runtime.interpreter import InterpretedFunction

from .errors import NotTriton

__all__ = ["CONDITIONS", "MARKS", "SEMANTIC", "own_names", "require_triton"]

SEMANTIC = "interpreter_semantic"
"""The one name that is added to the module of a kernel."""
MARKS = "interpreter_marks"
"""The one parameter that is added to a kernel."""
CONDITIONS = "interpreter_conditions"
"""The one variable that is added to a function with several ways out."""

_DOORS = frozenset(
    {
        *("__import__", "breakpoint", "compile", "delattr", "dir", "eval", "exec", "globals"),
        *("id", "input", "locals", "memoryview", "object", "open", "setattr", "super", "type"),
        "vars",
    }
)
_HIDDEN = frozenset({"handle"})
"""Attributes of a value that lead out of the language: the array behind a tensor."""
_PLAIN = (bool, int, float, complex, str, tuple, type(None))
_PACKAGE = __name__.partition(".")[0]


def require_triton(kernel: str, definition: ast.FunctionDef, names: Mapping[str, Any]) -> None:
    """Raise `NotTriton` with the line of the first thing that no compiler would take."""
    own = own_names(definition)
    for node, why in _objections(definition, names, own):
        line = getattr(node, "lineno", 0)
        raise NotTriton(f"kernel {kernel}, line {line} of its body: {why}")


def own_names(definition: ast.FunctionDef) -> frozenset[str]:
    """Parameters and everything that the body assigns."""
    found = {one.arg for one in ast.walk(definition.args) if isinstance(one, ast.arg)}
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


def _objections(
    definition: ast.FunctionDef, names: Mapping[str, Any], own: frozenset[str]
) -> Iterator[tuple[ast.AST, str]]:
    for node in (inner for statement in definition.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
            yield node, "imports and global names have no meaning on a device"
        elif isinstance(node, ast.Attribute):
            if why := _attribute(node, names, own):
                yield node, why
        elif isinstance(node, ast.Name) and node.id in (SEMANTIC, MARKS, CONDITIONS):
            yield node, f"`{node.id}` belongs to the interpreter"
        elif isinstance(node, ast.Name) and node.id not in own:
            if why := _name(node.id, names):
                yield node, why
        elif isinstance(node, ast.Call) and _is_getattr(node) and not _is_harmless(node):
            yield node, "getattr with a name that is no plain word"


def _attribute(node: ast.Attribute, names: Mapping[str, Any], own: frozenset[str]) -> str:
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        root = root.value
    module = names.get(root.id) if isinstance(root, ast.Name) and root.id not in own else None
    if isinstance(module, ModuleType):
        return _in_module(node, module)
    if node.attr in _HIDDEN or node.attr.startswith("_"):
        return f"`.{node.attr}` leads out of the language"
    return ""


def _in_module(node: ast.Attribute, module: ModuleType) -> str:
    """The objection to a module's name; outside Triton and math only plain numbers are allowed."""
    dotted = ast.unparse(node).split(".")[1:]
    found: Any = module
    for word in dotted:
        found = getattr(found, word, None)
        if isinstance(found, ModuleType) and not _is_known(found.__name__):
            return f"`{ast.unparse(node)}` leads out of the language"
    if _is_known(module.__name__) or isinstance(found, (*_PLAIN, ModuleType)):
        return ""
    if isinstance(found, InterpretedFunction):  # such as torch._inductor.runtime.triton_helpers
        return ""
    return f"`{ast.unparse(node)}` is no part of the language"


def _is_known(module: str) -> bool:
    return module.partition(".")[0] in ("triton", "math", _PACKAGE)


def _name(name: str, names: Mapping[str, Any]) -> str:
    if name not in names:
        door = name in _DOORS and hasattr(builtins, name)
        return f"`{name}` has no meaning on a device" if door else ""
    value = names[name]
    if isinstance(value, (*_PLAIN, ModuleType)):
        return ""
    origins = (getattr(value, "__module__", None) or "", type(value).__module__)
    if any(_is_known(origin) for origin in origins) or _is_type(value):
        return ""
    return f"`{name}` is a {type(value).__name__}, no part of the language"


def _is_type(value: Any) -> bool:
    """`int` or `float`, named to convert; a named tuple."""
    return isinstance(value, type) and (value.__module__ == "builtins" or hasattr(value, "_fields"))


def _is_getattr(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "getattr"


def _is_harmless(node: ast.Call) -> bool:
    word = node.args[1] if len(node.args) > 1 else None
    named = isinstance(word, ast.Constant) and isinstance(word.value, str)
    return named and not word.value.startswith("_") and word.value not in _HIDDEN  # type: ignore[union-attr]
