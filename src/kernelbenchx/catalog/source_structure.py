"""How a task's reference is built, counted in its syntax tree.

Counted are the reference and every function of its file that it calls, each once. A count says
how the reference is written, not how hard the task is: one torch function can hide any amount.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from kernelbenchx.core.parsing import parse_python
from kernelbenchx.core.record import Record

_Function = ast.FunctionDef | ast.ClassDef
_TORCH = ("torch", "nn", "F")
"""What torch is called where a source shows no import."""
_OF_CONTAINERS = ("append", "extend", "insert", "pop", "update", "items", "keys", "join", "format")
"""Methods of lists, dicts and strings that no tensor has."""


class Structure(Record, frozen=True, kw_only=True):
    """Counts over the functions of a reference."""

    torch_calls: int
    """Calls of functions of torch, of methods of tensors and of layers; making a layer is none."""
    arithmetic: int
    """Operators between two values, such as `+` and `@`."""
    intermediates: int
    """Assignments."""
    complexity: int
    """The largest cyclomatic complexity of a function: one and its decisions."""
    functions: int
    lines: int
    """Of code, without blank lines and documentation."""
    parameters: int
    """Of the entry."""


def count(source: str, entry: str, parameters: int) -> Structure | None:
    """Counts of the function or class `entry` of a source; None where it is not defined there."""
    module = parse_python(source)
    functions = _find_called_functions(module, entry)
    if not functions:
        return None
    names = _read_imports(module)
    return Structure(
        torch_calls=sum(_torch_calls(one, names) for one in functions),
        arithmetic=sum(isinstance(node, ast.BinOp) for one in functions for node in _nodes(one)),
        intermediates=sum(map(_assignments, functions)),
        complexity=max(map(_complexity, functions)),
        functions=len(functions),
        lines=sum(map(_lines, functions)),
        parameters=parameters,
    )


def _find_called_functions(module: ast.Module, entry: str) -> list[_Function]:
    """The entry and what it calls, directly or not, among the definitions of the file."""
    defined = {
        node.name: node for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    found: dict[str, _Function] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in found or name not in defined:
            continue
        found[name] = defined[name]
        waiting += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
    return list(found.values())


@dataclass(frozen=True)
class _ImportedNames:
    """Names that imports of a file give."""

    torch: frozenset[str]
    others: frozenset[str]


def _read_imports(module: ast.Module) -> _ImportedNames:
    torch, others = set(_TORCH), set[str]()
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for one in node.names:
                origin = node.module or "" if isinstance(node, ast.ImportFrom) else one.name
                name = one.asname or one.name.partition(".")[0]
                (torch if origin.partition(".")[0] == "torch" else others).add(name)
    return _ImportedNames(frozenset(torch), frozenset(others))


def _torch_calls(function: _Function, names: _ImportedNames) -> int:
    """Calls of methods that a class defines itself are followed by what these call."""
    own = {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef)}
    local = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)} | {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names = _ImportedNames(names.torch - local, names.others - local)
    calls = (node.func for node in _nodes(function) if isinstance(node, ast.Call))
    return sum(_of_torch(one, names, own) for one in calls)


def _of_torch(called: ast.expr, names: _ImportedNames, own: set[str]) -> bool:
    if isinstance(called, ast.Name):
        return called.id in names.torch and not called.id[0].isupper()
    if not isinstance(called, ast.Attribute) or called.attr.startswith("__"):
        return False
    root = called.value
    while isinstance(root, ast.Attribute):
        root = root.value
    first = root.id if isinstance(root, ast.Name) else ""
    if first in names.torch:
        return not called.attr[0].isupper()
    if first == "self" and isinstance(called.value, ast.Name):
        return called.attr not in own
    return first not in names.others and called.attr not in _OF_CONTAINERS


def _nodes(function: _Function) -> Iterator[ast.AST]:
    """Annotations are left out: `int | None` computes nothing."""
    return (node for statement in _body(function) for node in ast.walk(statement))


def _assignments(function: _Function) -> int:
    return sum(
        isinstance(node, ast.Assign | ast.AugAssign | ast.NamedExpr)
        or (isinstance(node, ast.AnnAssign) and node.value is not None)
        for node in ast.walk(function)
    )


def _complexity(function: _Function) -> int:
    """One way through, and one more for each decision; of a class, its most complex method."""
    if isinstance(function, ast.ClassDef):
        methods = [node for node in function.body if isinstance(node, ast.FunctionDef)]
        return max(map(_complexity, methods), default=1)
    return 1 + sum(_decisions(node) for node in ast.walk(function))


def _decisions(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    simple = ast.If | ast.IfExp | ast.For | ast.While | ast.ExceptHandler | ast.match_case
    return int(isinstance(node, simple))


def _lines(function: _Function) -> int:
    """Lines on which something of the code begins or ends; the heading is one."""
    taken = {
        line
        for statement in _body(function)
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt | ast.expr)
        for line in (node.lineno, node.end_lineno or node.lineno)
    }
    return 1 + len(taken)


def _body(function: _Function) -> list[ast.stmt]:
    """Without the documentation."""
    body = function.body
    return body[1:] if ast.get_docstring(function) is not None else body
