"""Reads the scopes of a tree: each node once, each name bound where Python binds it."""

import ast
from collections.abc import Callable
from typing import Any

from kernelbenchx.checks.scopes import (
    ALIASES,
    COMPREHENSIONS,
    DEFINITIONS,
    FUNCTIONS,
    Binding,
    Definition,
    Function,
    Names,
    NameScope,
    NodePlace,
    Unreadable,
    defaults,
    every_argument,
    fields,
    list_imported,
    root_of,
)

MOST_NODES = 40_000
"""Far more than any kernel needs."""
DEEPEST = 150
"""Nesting of the tree; the deepest honest source seen has 40."""

_UNREAD = (ast.Constant, type(None))
_STATEMENTS = ("body", "handlers", "orelse", "finalbody", "cases")
_BLOCKS: dict[type[ast.AST], list[str]] = {
    kind: [name for name in getattr(kind, "_fields") if name in _STATEMENTS]  # noqa: B009
    for kind in (*ast.stmt.__subclasses__(), ast.ExceptHandler, ast.match_case)
    if kind not in DEFINITIONS
}
"""Which fields of a node hold statements of the same scope."""
_FILLING = {"append", "add", "insert", "extend", "setdefault", "update", "appendleft"}


def read_names(tree: ast.Module) -> Names:
    """Collect scopes, bindings and nodes."""
    names = Names(module=NameScope(tree, None))
    reader = _ScopeReader(names)
    names.scopes[id(tree)] = names.module
    for statement in tree.body:
        reader.visit(statement, names.module, statement, tree)
    for name, binding in reader.late:
        home = binding.scope.home(name)
        if home is not None:
            home.bindings[name].append(binding)
    return names


class _ScopeReader:
    def __init__(self, names: Names) -> None:
        self.names, self.parents, self.places = names, names.parents, names.places
        self.depth = 0
        self.late: list[tuple[str, Binding]] = []
        """Bindings in a scope that may not have been read yet."""

    def bind(self, scope: NameScope, name: str, binding: Binding) -> None:
        """Record that `name` may hold `binding`, in the scope that the name belongs to."""
        if binding.imported or (binding.whole and _leads(binding.value)):
            self.names.leading.add(name)
        word = scope.outer.get(name)
        if word == "nonlocal":
            self.late.append((name, binding))
        else:
            home = scope.root() if word == "global" else scope
            home.bindings.setdefault(name, []).append(binding)

    def visit(self, node: ast.AST, scope: NameScope, unit: ast.AST, parent: ast.AST) -> None:
        self.parents[id(node)] = parent
        scope.nodes.append(node)
        if len(self.parents) > MOST_NODES:
            raise Unreadable(1, f"more than {MOST_NODES} syntax nodes")
        if self.depth == DEEPEST:
            why = f"nested deeper than {DEEPEST} levels"
            raise Unreadable(getattr(node, "lineno", 1), why)
        kind = node.__class__
        if kind in DEFINITIONS:
            unit = node
        place = NodePlace(node, scope, unit)
        self.places[kind].append(place)
        if isinstance(node, ast.Name):  # nearly every second node, and nothing is below it
            self.names.uses[id(scope), node.id].append(place)
            return
        self.depth += 1
        read = _READERS.get(kind)
        if read is not None:
            read(self, node, scope, unit)
        if kind not in _WHOLE:
            for name in fields(kind):
                below = getattr(node, name)
                for child in below if below.__class__ is list else (below,):
                    if child.__class__ not in _UNREAD:
                        self.visit(child, scope, unit, node)
        self.depth -= 1

    def function(self, node: Function, scope: NameScope, unit: ast.AST) -> None:
        inner = NameScope(node, scope)
        self.names.scopes[id(node)] = inner
        arguments = node.args
        outside: list[ast.AST] = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        if not isinstance(node, ast.Lambda):
            self.define(node, scope, unit)
            outside += node.decorator_list
            outside += [a.annotation for a in every_argument(arguments) if a.annotation]
            outside += [node.returns] if node.returns else []
            outside += getattr(node, "type_params", [])
        for item in outside:
            self.visit(item, scope, unit, node)
        for argument, default in defaults(arguments):
            given = Binding(argument.lineno, scope, unit, default, parameter=argument)
            self.bind(inner, argument.arg, given)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        self.declare(body, inner)
        for statement in body:
            self.visit(statement, inner, unit, node)

    def klass(self, node: ast.ClassDef, scope: NameScope, unit: ast.AST) -> None:
        self.define(node, scope, unit)
        outside = [*node.decorator_list, *node.bases, *node.keywords]
        for item in (*outside, *getattr(node, "type_params", [])):
            self.visit(item, scope, unit, node)
        inner = self.names.scopes[id(node)] = NameScope(node, scope)
        self.declare(node.body, inner)
        for statement in node.body:
            self.visit(statement, inner, unit, node)

    def define(self, node: Definition, scope: NameScope, unit: ast.AST) -> None:
        self.bind(scope, node.name, Binding(node.lineno, scope, unit, definition=node))
        if isinstance(scope.owner, ast.ClassDef):
            self.names.methods.setdefault(node.name, []).append(node)

    def comprehension(self, node: ast.expr, scope: NameScope, unit: ast.AST) -> None:
        assert isinstance(node, COMPREHENSIONS)
        inner = self.names.scopes[id(node)] = NameScope(node, scope)
        for number, one in enumerate(node.generators):
            self.names.parents[id(one)] = node
            self.visit(one.iter, inner if number else scope, unit, one)
            self.target(one.target, one.iter, inner, unit, whole=False)
            for item in (one.target, *one.ifs):
                self.visit(item, inner, unit, one)
        made = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for item in made:
            self.visit(item, inner, unit, node)

    def declare(self, body: list[ast.stmt] | list[ast.expr], scope: NameScope) -> None:
        waiting: list[ast.AST] = list(body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Global | ast.Nonlocal):
                word = "global" if isinstance(node, ast.Global) else "nonlocal"
                scope.outer.update(dict.fromkeys(node.names, word))
            for name in _BLOCKS.get(node.__class__, ()):
                waiting += getattr(node, name)

    def imports(self, node: ast.Import | ast.ImportFrom, scope: NameScope, unit: ast.AST) -> None:
        for name, path in list_imported(node):
            self.bind(scope, name, Binding(node.lineno, scope, unit, imported=path))

    def assign(self, node: ast.AST, scope: NameScope, unit: ast.AST) -> None:
        match node:
            case ast.Assign():
                for one in node.targets:
                    self.target(one, node.value, scope, unit)
            case ast.NamedExpr():
                self.target(node.target, node.value, scope.function(), unit)
            case ast.AnnAssign():
                self.target(node.target, node.value, scope, unit)
            case ast.AugAssign():
                self.target(node.target, node.value, scope, unit, whole=False)
            case ast.withitem(optional_vars=ast.expr() as target):
                self.target(target, node.context_expr, scope, unit, whole=False)
            case ast.For() | ast.AsyncFor():
                self.target(node.target, node.iter, scope, unit, whole=False)

    def target(
        self,
        target: ast.expr,
        value: ast.expr | None,
        scope: NameScope,
        unit: ast.AST,
        *,
        whole: bool = True,
    ) -> None:
        line = target.lineno
        match target:
            case ast.Name():
                self.bind(scope, target.id, Binding(line, scope, unit, value, whole))
            case ast.Starred():
                self.target(target.value, value, scope, unit, whole=False)
            case ast.Tuple() | ast.List():
                for item, part in zip(target.elts, _parts(target, value), strict=True):
                    fits = whole and part is not value
                    self.target(item, part, scope, unit, whole=fits)
            case ast.Subscript() | ast.Attribute():
                name = root_of(target)
                if name is not None:
                    put = Binding(line, scope, unit, value, whole=False, held=True)
                    self.late.append((name.id, put))

    def note_attribute(self, node: ast.Attribute, scope: NameScope, _unit: ast.AST) -> None:
        """Note an attribute that is read from a name."""
        if isinstance(node.value, ast.Name):
            scope.asked.setdefault(node.value.id, set()).add(node.attr)

    def note_fill(self, node: ast.Call, scope: NameScope, unit: ast.AST) -> None:
        """Note a value that a call puts into the container under a name."""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = root_of(node.func) if method in _FILLING or method.endswith("_") else None
        if name is not None:
            put = Binding(node.lineno, scope, unit, node, whole=False, held=True)
            self.late.append((name.id, put))

    def pattern(self, node: ast.AST, scope: NameScope, unit: ast.AST) -> None:
        name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
        if name:
            self.bind(scope, name, Binding(getattr(node, "lineno", 1), scope, unit))


_Reads = Callable[[_ScopeReader, Any, NameScope, ast.AST], None]
_ASSIGNING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.AsyncFor)
_CAPTURING = (ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.ExceptHandler)
_READERS: dict[type[ast.AST], _Reads] = {
    **dict.fromkeys(FUNCTIONS, _ScopeReader.function),
    **dict.fromkeys(COMPREHENSIONS, _ScopeReader.comprehension),
    ast.ClassDef: _ScopeReader.klass,
    **dict.fromkeys((ast.Import, ast.ImportFrom), _ScopeReader.imports),
    **dict.fromkeys((*_ASSIGNING, ast.withitem), _ScopeReader.assign),
    ast.Attribute: _ScopeReader.note_attribute,
    ast.Call: _ScopeReader.note_fill,
    **dict.fromkeys(_CAPTURING, _ScopeReader.pattern),
}
_WHOLE = frozenset((*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef))
"""What its reader reads to its end, since parts of it lie in other scopes."""


def _leads(value: ast.expr | None) -> bool:
    """Whether a name for this value may be a name for something imported."""
    asks = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "getattr"
    return asks or isinstance(value, ALIASES)


def _parts(target: ast.Tuple | ast.List, value: ast.expr | None) -> list[ast.expr | None]:
    """What goes where in `a, b = 1, 2`; the whole value for each where it cannot be told."""
    given = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    starred = any(isinstance(e, ast.Starred) for e in (*given, *target.elts))
    if len(given) == len(target.elts) and not starred:
        return list(given)
    return [value] * len(target.elts)
