"""The text of a published problem file: its constants, and the module with other sizes."""

import ast
import operator
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Size = int | tuple[int, ...]
Sizes = dict[str, Size]
MODULE = "published_problem"
_LARGEST = 1 << 40


@dataclass(frozen=True)
class ProblemSource:
    """One problem, as it is published."""

    text: str

    def constants(self) -> Sizes:
        """Whole numbers, and tuples of them, that are assigned at the top."""
        found: Sizes = {}
        for node in self._tree().body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = _evaluate_literal(node.value)
                if _is_whole(value) or (
                    isinstance(value, tuple) and value and all(map(_is_whole, value))
                ):
                    found[node.targets[0].id] = value
        return found

    def load(self, sizes: Sizes) -> Any:
        """Run it as a module, with other values for some constants."""
        tree = self._tree()
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name in sizes:
                    node.value = _make_literal(sizes[name], node.value)
        module = types.ModuleType(MODULE)
        sys.modules[MODULE] = module  # dataclasses and their like look themselves up there
        exec(compile(ast.fix_missing_locations(tree), MODULE, "exec"), module.__dict__)
        return module

    def _tree(self) -> ast.Module:
        """With one name on the left of each assignment at the top."""
        tree = ast.parse(self.text)
        tree.body = [one for node in tree.body for one in _single(node)]
        return ast.fix_missing_locations(tree)


def _single(node: ast.stmt) -> list[ast.stmt]:
    """`a = b = v` and `a, b = v, w` as several assignments."""
    if not isinstance(node, ast.Assign):
        return [node]
    found: list[ast.stmt] = []
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for left, right in pairs:
            found.append(ast.copy_location(ast.Assign(targets=[left], value=right), node))
    return found


def _make_literal(size: Size, before: ast.expr) -> ast.expr:
    """A list stays a list."""
    value = list(size) if isinstance(before, ast.List) and isinstance(size, tuple) else size
    return ast.parse(repr(value), mode="eval").body


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def _evaluate_literal(node: ast.expr) -> Any:
    """The number or tuple of numbers that an expression of literals stands for; None for others.

    The judge asks this, too: nothing here runs code of the file.
    """
    if isinstance(node, ast.Constant) and _is_whole(node.value):
        return node.value
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_evaluate_literal(one) for one in node.elts)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _evaluate_literal(node.left), _evaluate_literal(node.right)
        if _is_whole(left) and _is_whole(right) and right:
            return _OPERATORS[type(node.op)](left, right)
    return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
