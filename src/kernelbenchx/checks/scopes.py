"""Scopes of a submission: which statement binds which name, by Python's own rules.

Flow-insensitive on purpose: a name may hold whatever any statement of its scope binds to it, so an
alias cannot hide behind the order of statements. Every node of the tree is visited once.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ALIASES = (ast.Name, ast.Attribute, ast.NamedExpr, ast.IfExp, ast.BoolOp)
"""Expressions that return another object as it is."""
BUILTINS = frozenset(dir(builtins))

_NOT_NODES = frozenset(
    """arg asname attr conversion ctx id is_async kind kwd_attrs level module name names op ops rest
    simple tag type_comment""".split()  # noqa: SIM905
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.MatchSingleton: ()}


def fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Where a kind of node holds other nodes, less words such as operators."""
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _NOT_NODES)
    return found


def below(root: ast.AST) -> list[ast.AST]:
    """A node and all under it, as `ast.walk` gives them, less operators, contexts and imports."""
    found = [root]
    for node in found:
        for name in fields(node.__class__):
            value = getattr(node, name)
            if value.__class__ is list:
                found += [item for item in value if item is not None]
            elif value is not None:
                found.append(value)
    return found


class Unreadable(Exception):
    """The text is no Python that can be checked."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


@dataclass(eq=False, slots=True)
class Binding:
    """One thing that a name may hold."""

    line: int
    scope: "NameScope"
    """Where `value` is to be read."""
    unit: ast.AST
    """The definition or top-level statement that binds it."""
    value: ast.expr | None = None
    whole: bool = True
    """The name holds `value` itself, not a part of it."""
    held: bool = False
    """`value` is put into the object that the name holds."""
    definition: Definition | None = None
    imported: str = ""
    parameter: ast.arg | None = None


@dataclass(eq=False)
class NameScope:
    """The names of a module, function, lambda, class or comprehension."""

    owner: ast.AST
    parent: "NameScope | None"
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    """Names declared `global` or `nonlocal` here."""
    nodes: list[ast.AST] = field(default_factory=list)
    asked: dict[str, set[str]] = field(default_factory=dict)
    """Attributes read from a bare name here."""

    def root(self) -> "NameScope":
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def home(self, name: str) -> "NameScope | None":
        """The innermost scope whose binding of `name` code in this scope sees."""
        return next(self.homes(name), None)

    def homes(self, name: str) -> Iterator["NameScope"]:
        """Every scope that a name may be found in: a class or module may lack it at run time."""
        scope: NameScope | None = self
        while scope is not None:
            if scope.outer.get(name) == "global":
                scope = scope.root()
            visible = scope is self or not isinstance(scope.owner, ast.ClassDef)
            if visible and name in scope.bindings and name not in scope.outer:
                yield scope
                if not isinstance(scope.owner, ast.ClassDef):
                    return
            scope = scope.parent

    def is_builtin(self, name: str) -> bool:
        """Whether a name may mean Python's own: no function binds it."""
        if name not in BUILTINS:
            return False
        last = None
        for last in self.homes(name):  # noqa: B007
            pass
        return last is None or isinstance(last.owner, ast.Module | ast.ClassDef)

    def bindings_of(self, name: str) -> list[Binding]:
        """Everything that a name may hold when it is read here."""
        return [binding for scope in self.homes(name) for binding in scope.bindings[name]]

    def function(self) -> "NameScope":
        """This scope, or the one around a comprehension."""
        scope = self
        while isinstance(scope.owner, COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        return scope

    def method_of(self) -> ast.ClassDef | None:
        """The class whose body holds this function, if one does."""
        owner = self.parent.owner if self.parent else None
        return owner if isinstance(owner, ast.ClassDef) else None


class NodePlace(NamedTuple):
    """A node with the scope it is read in and the definition or statement it belongs to."""

    node: ast.AST
    scope: NameScope
    unit: ast.AST

    @property
    def line(self) -> int:
        """Where it stands."""
        return int(getattr(self.node, "lineno", 1))


@dataclass(eq=False)
class Names:
    """All scopes of one tree, and its nodes by kind."""

    module: NameScope
    scopes: dict[int, NameScope] = field(default_factory=dict)
    """By `id` of the owner node."""
    places: dict[type[ast.AST], list[NodePlace]] = field(default_factory=lambda: defaultdict(list))
    uses: dict[tuple[int, str], list[NodePlace]] = field(default_factory=lambda: defaultdict(list))
    """The places of each name, by `id` of the scope that it is used in."""
    parents: dict[int, ast.AST] = field(default_factory=dict)
    """The node around each node, by `id`."""
    leading: set[str] = field(default_factory=set)
    """Names that may be names for something imported."""
    methods: dict[str, list[Definition]] = field(default_factory=dict)
    """The definitions in class bodies, by name."""

    def forget(self) -> None:
        """Let go of all bindings: they and their scopes hold each other in memory."""
        for scope in self.scopes.values():
            scope.bindings.clear()


def list_imported(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str]]:
    """The names that an import binds, each with the full name of what it holds."""
    found = []
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            path = f"{'.' * node.level}{node.module or ''}.{alias.name}"
            found.append((alias.asname or alias.name, path))
        else:
            path = alias.name if alias.asname else alias.name.partition(".")[0]
            found.append((alias.asname or path, path))
    return found


def root_of(node: ast.expr) -> ast.Name | None:
    """The name that `name.a[0].b` starts with; calls between do not count as the same object."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def every_argument(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters in the order of a signature."""
    stars = [a for a in (arguments.vararg,) if a]
    last = [a for a in (arguments.kwarg,) if a]
    return [*arguments.posonlyargs, *arguments.args, *stars, *arguments.kwonlyargs, *last]


def defaults(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Every parameter with its default, if it has one."""
    positional = [*arguments.posonlyargs, *arguments.args]
    given: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = list(zip(positional, [*given, *arguments.defaults], strict=True))
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    pairs += [(a, None) for a in (arguments.vararg, arguments.kwarg) if a]
    return pairs
