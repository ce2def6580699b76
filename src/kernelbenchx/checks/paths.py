"""Which imported thing an expression names, through every alias: `g.softmax` after `g = F`.

Only names, attributes and `getattr` with a written name lead from one to the next. That suffices
because a module may go nowhere else (see `introspection`), and a value needs no name to be judged.
"""

import ast
from collections.abc import Iterable, Iterator

from kernelbenchx.checks.allowed import NameKind, kind_of
from kernelbenchx.checks.scopes import ALIASES, BUILTINS, NameScope, Unreadable

MOST = 64
"""Imported things that one name may stand for."""

NOTHING: frozenset[str] = frozenset()


class Paths:
    """Answers for each expression once."""

    def __init__(self, leading: set[str]) -> None:
        self._leading = leading
        self._names: dict[tuple[int, str], frozenset[str]] = {}
        self._nodes: dict[object, frozenset[str]] = {}
        self._open: set[tuple[int, str]] = set()
        self._cyclic: set[tuple[int, str]] = set()

    def of(self, node: ast.expr, scope: NameScope) -> frozenset[str]:
        """The full names of what an expression may be, of builtins too; empty if not imported."""
        key: object = id(node)
        if isinstance(node, ast.Name):
            if node.id not in self._leading and node.id not in BUILTINS:
                return NOTHING
            key = (id(scope), node.id)
        elif isinstance(node, ast.Call):
            if written_attribute(node) is None:
                return NOTHING
        elif not isinstance(node, ALIASES):
            return NOTHING
        found = self._nodes.get(key)
        if found is None:
            found = frozenset(self._find(node, scope))
            if len(found) > MOST:
                raise Unreadable(getattr(node, "lineno", 1), "aliases too complex to check")
            self._nodes[key] = found
        return found

    def _find(self, node: ast.expr, scope: NameScope) -> Iterable[str]:
        match node:
            case ast.Attribute(value=value, attr=attr):
                return [f"{path}.{attr}" for path in self.of(value, scope)]
            case ast.Name(id=name):
                found = [path for home in scope.homes(name) for path in self._bound(name, home)]
                return [*found, f"builtins.{name}"] if scope.is_builtin(name) else found
            case ast.Call():
                return self._resolve_getattr(node, scope)
            case ast.NamedExpr() | ast.IfExp() | ast.BoolOp():
                return [path for part in _choices(node) for path in self.of(part, scope)]
        return ()

    def _resolve_getattr(self, node: ast.Call, scope: NameScope) -> Iterator[str]:
        """`getattr(x, "name")`, and its default."""
        if "builtins.getattr" in self.of(node.func, scope):
            name = written_attribute(node)
            yield from (f"{path}.{name}" for path in self.of(node.args[0], scope))
            for value in node.args[2:]:
                yield from self.of(value, scope)

    def _bound(self, name: str, home: NameScope) -> frozenset[str]:
        key = (id(home), name)
        if key in self._names:
            return self._names[key]
        if key in self._open:
            self._cyclic.add(key)
            return frozenset()
        self._open.add(key)
        found: set[str] = set()
        for binding in home.bindings[name]:
            if binding.imported:
                found.add(binding.imported)
            elif binding.value is not None and binding.whole:
                found |= self.of(binding.value, binding.scope)
        self._open.discard(key)
        # Of a name that is set from itself not all is found; for a value its last part suffices.
        lost = key in self._cyclic and any(kind_of(path) is NameKind.MODULE for path in found)
        if lost or len(found) > MOST:
            line = home.bindings[name][0].line
            raise Unreadable(line, f"aliases of {name} are too complex to check")
        self._names[key] = frozenset(found)
        return self._names[key]


def _choices(node: ast.NamedExpr | ast.IfExp | ast.BoolOp) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node.value] if isinstance(node, ast.NamedExpr) else [node.body, node.orelse]


def written_attribute(node: ast.Call) -> str | None:
    """The name in `getattr(x, "name")`, if it is written out."""
    name = node.args[1] if len(node.args) > 1 else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
