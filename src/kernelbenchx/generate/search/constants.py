"""Which numbers of the text an expression takes its value from."""

import ast
from collections.abc import Iterable, Iterator

from kernelbenchx.checks.scopes import NameScope
from kernelbenchx.generate.search.launches import is_constexpr

MANY = 4
"""Ways to set one name beyond which no single number says what it holds."""


def numbers(node: ast.expr, scope: NameScope) -> Iterator[ast.Constant]:
    """Whole numbers in the text that decide the value: itself, a name's, the bounds of a range.

    `min(next_power_of_2(n), 1024)` has one; of `a if small else b` both ends may have one. Each is
    given once, and every part of the text is looked at once, however names refer to each other.
    """
    seen: set[int] = set()
    waiting = [(node, scope)]
    while waiting:
        one, where = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, ast.Constant):
            if type(one.value) is int:
                yield one
        elif isinstance(one, ast.Name):
            waiting += reversed(bound(one.id, where))
        else:
            waiting += reversed([(part, where) for part in _parts(one)])


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Call) and not node.keywords:
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            return node.args
        if is_constexpr(node.func) or getattr(node.func, "id", "") == "int":
            return node.args
    return []


def bound(name: str, scope: NameScope) -> list[tuple[ast.expr, NameScope]]:
    """What a name is set to, where every way to set it is a plain assignment."""
    home = scope.home(name)
    bindings = home.bindings[name] if home is not None else []
    if not 0 < len(bindings) <= MANY:
        return []
    plain = [(one.value, one.scope) for one in bindings if one.value is not None and one.whole]
    return plain if len(plain) == len(bindings) else []


def entries(node: ast.expr, scope: NameScope) -> dict[str, ast.expr] | None:
    """What `**node` gives, where it is a dictionary that is written out; None where it is unknown.

    Names lead to it only one way: a dictionary that is set twice could be either.
    """
    for _ in range(MANY):
        if isinstance(node, ast.Dict):
            return _pairs(zip(node.keys, node.values, strict=True))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "dict" and not node.args:
            return _pairs((ast.Constant(word.arg), word.value) for word in node.keywords)
        plain = bound(node.id, scope) if isinstance(node, ast.Name) else []
        if len(plain) != 1:
            return None
        ((node, scope),) = plain
    return None


def _pairs(
    written: Iterable[tuple[ast.expr | None, ast.expr]],
) -> dict[str, ast.expr] | None:
    found: dict[str, ast.expr] = {}
    for key, value in written:
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            return None
        found[key.value] = value
    return found
