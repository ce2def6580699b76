"""Numbers of a grid that repeat a block size: they have to change with it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from kernelbenchx.checks.scopes import NameScope
from kernelbenchx.generate.search.constants import bound


@dataclass(frozen=True)
class Divisor:
    """A number that something is divided by, or that less one, which rounds up."""

    node: ast.Constant
    size: int
    """The block size that it repeats."""


def divisors(grid: ast.expr, scope: NameScope) -> list[Divisor]:
    """Every divisor of a grid: in its text, in the names it uses, in its function."""
    found = {id(one.node): one for root in _roots(grid, scope) for one in _divisors_in(root)}
    return list(found.values())


def _roots(grid: ast.expr, scope: NameScope) -> Iterator[ast.AST]:
    """The grid and what its names stand for, each part of the text once."""
    seen: set[int] = set()
    waiting: list[tuple[ast.AST, NameScope]] = [(grid, scope)]
    while waiting:
        node, where = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                waiting += bound(part.id, where)
                waiting += ((function, where) for function in _function(part.id, where))


def _function(name: str, scope: NameScope) -> Iterator[ast.AST]:
    home = scope.home(name)
    for binding in home.bindings[name] if home is not None else ():
        if isinstance(binding.definition, ast.FunctionDef):
            yield binding.definition


def _divisors_in(root: ast.AST) -> Iterator[Divisor]:
    for node in ast.walk(root):
        if isinstance(node, ast.Call) and len(node.args) == 2:
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in ("cdiv", "ceil_div", "ceildiv"):
                yield from _number(node.args[1])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            for divisor in _number(node.right):
                yield divisor
                yield from _rounding(node.left, divisor.size)


def _number(node: ast.expr) -> Iterator[Divisor]:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 1:
        yield Divisor(node, node.value)


def _rounding(node: ast.expr, size: int) -> Iterator[Divisor]:
    """Of `(n + 1023)` and `(n + 1024 - 1)` what goes with a division by 1024."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and size > 2 and part.value in (size, size - 1):
            yield Divisor(part, size)
