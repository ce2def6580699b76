"""Rewrites the source of a kernel into Python with the meaning that Triton gives it."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, cast

import triton.language as tl

from ..body_marks import describe_function, name_function, number_nodes
from .body_checks import CONDITIONS, MARKS, SEMANTIC, own_names, require_triton
from .errors import NotTriton
from .python_semantics import Marks

__all__ = ["marks_by_function", "rewrite"]

marks_by_function: dict[str, Marks] = {}
"""The marks of each function since they were cleared."""

_PLAIN = (bool, int, float, str, type(None))
_EXTREMES = {"min": "smallest_of", "max": "largest_of"}
_SUITES = ("body", "orelse", "finalbody")


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    owner = ast.Name(id=SEMANTIC, ctx=ast.Load())
    function = ast.Attribute(value=owner, attr=method, ctx=ast.Load())
    return ast.Call(func=function, args=list(arguments), keywords=[])


def _constant(value: Any) -> ast.Constant:
    return ast.Constant(value=value)


def _later(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    return ast.Lambda(args=nothing, body=node)


def _load(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


class _Transformer(ast.NodeTransformer):
    """Rewrites what Python would evaluate differently."""

    def __init__(self, names: Mapping[str, Any], own: frozenset[str], *, marks: bool) -> None:
        self.names = names
        self.own = own
        self.marks = marks
        self.returns_often = False
        """Whether the function has several returns."""
        self.last: ast.stmt | None = None
        """The return that no condition stands before."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """A number that is assigned becomes a tensor."""
        if len(node.targets) > 1:
            raise ValueError("simultaneous multiple assignment is not supported")
        self.generic_visit(node)
        node.value = _call("convert_assigned", node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """A number that is changed in place becomes a tensor."""
        if not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        before = ast.Name(id=node.target.id, ctx=ast.Load())
        value = ast.BinOp(left=before, op=node.op, right=self.visit(node.value))
        converted = _call("convert_assigned", value)
        return _copy_place(ast.Assign(targets=[node.target], value=converted), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """A number with an annotation becomes a tensor, unless that is constexpr."""
        if node.value is None:
            return node
        node.value = self.visit(node.value)
        if self._resolve_object(node.annotation) is not tl.constexpr:
            node.value = _call("convert_assigned", node.value)
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

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`is` looks into constants."""
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
            return node
        same: ast.expr = _call("is_same", node.left, node.comparators[0])
        if isinstance(node.ops[0], ast.IsNot):
            same = ast.UnaryOp(op=ast.Not(), operand=same)
        return self._wrap_in_note(node, same)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """The condition is marked, and decides what the result is."""
        where = _constant((_place(node.test), node.lineno))
        self.generic_visit(node)
        branches = ast.Tuple(elts=[_later(node.body), _later(node.orelse)], ctx=ast.Load())
        return _call("choose", _load(MARKS), where, node.test, branches)

    def visit_If(self, node: ast.If) -> ast.AST:
        """Both ways of the condition are marked."""
        condition = node.test
        returns = self.returns_often and any(isinstance(one, ast.Return) for one in ast.walk(node))
        self.generic_visit(node)
        if returns:
            node.test = _call("decide", _load(CONDITIONS), node.test)
        if not self.marks:
            return node
        node.body.insert(0, _mark(condition, "True"))
        node.orelse.insert(0, _mark(condition, "False"))
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Where the compiler sees several results, numbers are tensors."""
        self.generic_visit(node)
        if self.returns_often and node.value is not None:
            is_one_of_two = self.last is not None and node is not self.last
            several = _constant(value=True) if is_one_of_two else _load(CONDITIONS)
            node.value = _call("convert_returned", several, node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """What is known of a value is marked."""
        if not isinstance(node.ctx, ast.Load):
            return node
        is_plain = isinstance(self._resolve_object(node), _PLAIN[:-1])
        if self._module_of(node) is not None and not is_plain:
            return node
        return self._wrap_in_note(node, self._read(node))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Constants of the file are marked."""
        known = isinstance(node.ctx, ast.Load) and isinstance(
            self._resolve_object(node), (*_PLAIN[:-1], tl.constexpr)
        )
        return self._wrap_in_note(node, node) if known else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """An f-string of known values is marked."""
        return self._wrap_in_note(node, self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Results that are known are marked."""
        return self._wrap_in_note(node, self._rewrite_call(node))

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A call that stands alone is not marked: its result is unused."""
        value = node.value
        node.value = self._rewrite_call(value) if isinstance(value, ast.Call) else self.visit(value)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """The counter of a loop is a tensor."""
        iterated = node.iter
        node.iter = self._rewrite_call(iterated) if isinstance(iterated, ast.Call) else iterated
        node.body = [self.visit(one) for one in node.body]
        node.orelse = [self.visit(one) for one in node.orelse]
        if isinstance(iterated, ast.Call) and self._builtin(iterated.func) == "range":
            iterated.func = _call("counting").func
        return node

    def _rewrite_call(self, node: ast.Call) -> ast.Call:
        name = self._builtin(node.func)
        node.args = [self.visit(one) for one in node.args]
        for one in node.keywords:
            one.value = self.visit(one.value)
        if name in _EXTREMES:
            node.func = _call(_EXTREMES[name]).func
        elif name and name != "range":
            node.args.insert(0, node.func)
            node.func = _call("ask").func
        elif not isinstance(node.func, ast.Name):
            owner = node.func
            node.func = self._read(owner) if isinstance(owner, ast.Attribute) else self.visit(owner)
        return node

    def _read(self, node: ast.Attribute) -> ast.expr:
        """Rewrite an attribute; of several in a row only the last is marked."""
        if self._module_of(node) is not None:
            return node
        owner = node.value
        node.value = self._read(owner) if isinstance(owner, ast.Attribute) else self.visit(owner)
        # Of a constexpr, which is a plain number here.
        return _call("value_of", node.value) if node.attr == "value" else node

    def _builtin(self, function: ast.expr) -> str:
        """The name of a Python builtin; empty for every other function."""
        if not isinstance(function, ast.Name) or function.id in self.own:
            return ""
        known = function.id not in self.names and hasattr(builtins, function.id)
        return function.id if known else ""

    def _module_of(self, node: ast.Attribute) -> ModuleType | None:
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        found = self._resolve_object(root)
        return found if isinstance(found, ModuleType) else None

    def _resolve_object(self, node: ast.expr) -> Any:
        """The object of the module that a name or a dotted name stands for, if any."""
        if isinstance(node, ast.Name):
            return None if node.id in self.own else self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._resolve_object(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
        return None

    def _wrap_in_note(self, node: ast.AST, value: Any) -> ast.AST:
        if not self.marks:
            return cast("ast.AST", value)
        place, line = _constant(_place(node)), _constant(node.lineno)  # type: ignore[attr-defined]
        return _call("note", _load(MARKS), place, line, value)


def _place(node: ast.AST) -> int:
    return int(vars(node)["place"])


def _copy_place(new: ast.stmt, old: ast.stmt) -> ast.stmt:
    vars(new)["place"] = _place(old)
    return ast.copy_location(new, old)


def _mark(node: Any, text: str) -> ast.stmt:
    """A statement that marks a node."""
    add = ast.Attribute(value=_load(MARKS), attr="add", ctx=ast.Load())
    mark = _constant((_place(node), text, node.lineno))
    statement = ast.Expr(value=ast.Call(func=add, args=[mark], keywords=[]))
    return ast.copy_location(statement, node)


def _mark_suites(definition: ast.FunctionDef) -> None:
    """Mark the statements inside loops and whatever else holds statements but conditions."""
    for node in list(ast.walk(definition)):
        if node is definition or isinstance(node, ast.If):
            continue
        for suite in _suites(node):
            suite.insert(0, _mark(suite[0], ""))


def _suites(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in _SUITES:
        found = getattr(node, field, None)
        if isinstance(found, list) and found:
            yield found


def _instrument(definition: ast.FunctionDef, names: Mapping[str, Any], digest: str) -> None:
    """Rewrite a function; with a digest it marks what runs, in the default of a parameter."""
    number_nodes(definition)
    transformer = _Transformer(names, own_names(definition), marks=bool(digest))
    if sum(isinstance(one, ast.Return) for one in ast.walk(definition)) > 1:
        transformer.returns_often = True
        transformer.last = next((s for s in definition.body if isinstance(s, ast.Return)), None)
    definition.body = [transformer.visit(one) for one in definition.body]
    if transformer.returns_often:
        definition.body.insert(0, ast.parse(f"{CONDITIONS} = []").body[0])
    if digest:
        _mark_suites(definition)
        definition.body.insert(0, _mark(definition, digest))
    definition.args.kwonlyargs.append(ast.arg(arg=MARKS))
    definition.args.kw_defaults.append(ast.Constant(value=None))


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
    marks: Marks = set()
    digest = ""
    if not function.__module__.startswith("triton."):
        require_triton(definition.name, definition, names)
        marks = marks_by_function.setdefault(name_function(function), marks)
        digest = describe_function(function, lines)
    ast.increment_lineno(tree, first - 1)
    _instrument(definition, names, digest)
    tree = ast.fix_missing_locations(tree)
    names.setdefault(SEMANTIC, semantic)
    local: dict[str, Any] = {}
    exec(compile(tree, inspect.getfile(function), "exec"), names, local)
    rewritten: Callable[..., Any] = local[definition.name]
    rewritten.__kwdefaults__ = {**(rewritten.__kwdefaults__ or {}), MARKS: marks}  # type: ignore[attr-defined]
    return rewritten
