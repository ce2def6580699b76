"""Guesses which expressions are tensors, as far as one function shows; the trace is exact."""

import ast

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.parameters import is_tensor
from kernelbenchx.checks.scopes import Binding, NameScope
from kernelbenchx.checks.source import Source
from kernelbenchx.checks.torch_names import EVIDENCE, Use, use_of

_METHODS = torch_names.VIEW_METHODS - {"index", "copy", "type", "float", "int", "bool"}


def is_one(source: Source, node: ast.expr, scope: NameScope) -> bool:
    """Whether an expression is probably a tensor; each is looked at once."""
    if id(node) not in source.guesses:
        source.guesses[id(node)] = False
        source.guesses[id(node)] = _look(source, node, scope)
    return source.guesses[id(node)]


def _look(source: Source, node: ast.expr, scope: NameScope) -> bool:
    match node:
        case ast.Name():
            return source.about(_hold_one, node.id, scope)
        case ast.Subscript() | ast.Starred() | ast.NamedExpr():
            return is_one(source, node.value, scope)
        case ast.BinOp():
            return is_one(source, node.left, scope) or is_one(source, node.right, scope)
        case ast.UnaryOp(op=ast.USub() | ast.Invert()):
            return is_one(source, node.operand, scope)
        case ast.Compare(left=left, comparators=others, ops=ops):
            named = all(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in ops)
            return not named and any(is_one(source, n, scope) for n in (left, *others))
        case ast.Call(func=ast.Attribute(attr=attr)) if not source.of(node.func, scope):
            return attr in _METHODS
        case ast.Call():
            return any(map(_makes_one, source.of(node.func, scope))) or any(
                _gives_one(source, made) for made in source.find_definitions(node.func, scope)
            )
    return False


def _makes_one(path: str) -> bool:
    name = path.removeprefix("torch.")
    asks = name == path or name in torch_names.QUESTIONS
    return not asks and use_of(name) is not Use.FORBIDDEN


def _gives_one(source: Source, function: ast.AST) -> bool:
    """Whether a function returns a tensor that it names or makes, looked at without its helpers."""
    if id(function) not in source.guesses:
        scope = source.names.scopes[id(function)]
        returned = [n.value for n in scope.nodes if isinstance(n, ast.Return)]
        found = any(isinstance(n, ast.Name) and is_one(source, n, scope) for n in returned)
        source.guesses[id(function)] = found
    return source.guesses[id(function)]


def _hold_one(source: Source, bindings: list[Binding]) -> bool:
    return any(
        _is_given(source, b)
        if b.parameter is not None
        else b.value is not None and is_one(source, b.value, b.scope)
        for b in bindings
    )


def _is_given(source: Source, binding: Binding) -> bool:
    assert binding.parameter is not None
    inner = source.names.scopes.get(id(binding.unit))
    asked = inner.asked.get(binding.parameter.arg, set()) if inner else set()
    return bool(asked & EVIDENCE) or is_tensor(binding.parameter.annotation)
