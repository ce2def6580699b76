"""How a task's reference is built, counted in its syntax tree.

Counted are the reference and every function of its file that it calls, each once. A count says
how the reference is written, not how hard the task is: one torch function can hide any amount.
"""

import ast

from kernelbenchx.core.parsing import parsed
from kernelbenchx.core.record import Record

_Function = ast.FunctionDef | ast.ClassDef


class Structure(Record, frozen=True, kw_only=True):
    """Counts over the functions of a reference."""

    operators: int
    """Calls of torch functions and of methods, and arithmetic between two values."""
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
    functions = _reached(parsed(source), entry)
    if not functions:
        return None
    return Structure(
        operators=sum(map(_operators, functions)),
        intermediates=sum(map(_assignments, functions)),
        complexity=max(map(_complexity, functions)),
        functions=len(functions),
        lines=sum(map(_lines, functions)),
        parameters=parameters,
    )


def _reached(module: ast.Module, entry: str) -> list[_Function]:
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


def _operators(function: _Function) -> int:
    """Annotations are left out: `int | None` computes nothing."""
    return sum(
        isinstance(node, ast.BinOp)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
        for statement in _body(function)
        for node in ast.walk(statement)
    )


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
