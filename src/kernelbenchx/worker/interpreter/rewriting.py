"""Turns the source of a kernel into Python that means the same as Triton's own reading of it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

from .bodies import require_triton
from .errors import NotTriton

__all__ = ["SEMANTIC", "rewrite"]

SEMANTIC = "interpreter_semantic"
"""The one name that is added to the module of a kernel."""


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    owner = ast.Name(id=SEMANTIC, ctx=ast.Load())
    function = ast.Attribute(value=owner, attr=method, ctx=ast.Load())
    return ast.Call(func=function, args=list(arguments), keywords=[])


def _later(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    return ast.Lambda(args=nothing, body=node)


class _Transformer(ast.NodeTransformer):
    """Rewrites what Python would read differently."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A number that is assigned becomes a tensor."""
        if len(node.targets) > 1:
            raise ValueError("simultaneous multiple assignment is not supported")
        self.generic_visit(node)
        node.value = _call("to_tensor", node.value, ast.Constant(value=False))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`and` and `or` combine blocks lane by lane; Python would drop the first operand."""
        self.generic_visit(node)
        method = "all_of" if isinstance(node.op, ast.And) else "any_of"
        return _call(method, *map(_later, node.values))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """`not` inverts lane by lane."""
        self.generic_visit(node)
        return _call("inverse", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`.value` of a constexpr, which is a plain number here."""
        self.generic_visit(node)
        if node.attr == "value" and isinstance(node.ctx, ast.Load):
            return _call("value_of", node.value)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """The counter of a loop can be cast like a tensor."""
        self.generic_visit(node)
        iterated = node.iter
        if (
            isinstance(iterated, ast.Call)
            and isinstance(iterated.func, ast.Name)
            and iterated.func.id == "range"
        ):
            iterated.func = ast.Attribute(
                value=ast.Name(id=SEMANTIC, ctx=ast.Load()), attr="counting", ctx=ast.Load()
            )
        return node


def rewrite(function: FunctionType, semantic: Any) -> Callable[..., Any]:
    """Compile a kernel so that it runs as Python; line numbers stay those of its file."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError) as error:
        raise NotTriton(f"kernel {function.__name__} has no source that could be read") from error
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise NotTriton(f"kernel {function.__name__} is not a function with a body")
    definition.decorator_list = []
    names = function.__globals__
    if function.__closure__:
        names = {**names, **inspect.getclosurevars(function).nonlocals}
    if not function.__module__.startswith("triton."):
        require_triton(definition.name, definition, names)
    tree = ast.fix_missing_locations(_Transformer().visit(tree))
    ast.increment_lineno(tree, first - 1)
    names.setdefault(SEMANTIC, semantic)
    local: dict[str, Any] = {}
    exec(compile(tree, inspect.getfile(function), "exec"), names, local)
    rewritten: Callable[..., Any] = local[definition.name]
    return rewritten
