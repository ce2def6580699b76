"""Who binds which name where: the scopes of a submission and what flows into each name.

Flow-insensitive on purpose: a name may hold whatever any statement of its scope binds to it, so an
alias cannot hide behind the order of assignments. Comprehensions share the scope around them.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Owner = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
Step = int | str | None
"""One step into a container: a literal index or key, or `None` for any element."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MANY = 8
"""Bindings of one name beyond which nobody follows them one by one."""

_FILLING = {"append", "add", "insert", "extend", "setdefault", "update", "appendleft"}


@dataclass(frozen=True)
class Binding:
    """One thing that a name may hold."""

    line: int
    scope: "Scope"
    """Where `value` is to be read."""
    value: ast.expr | None = None
    path: tuple[Step, ...] = ()
    """How to get from `value` to what is bound."""
    held: bool = False
    """The name is a container and `value` goes into it."""
    definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    imported: str = ""
    parameter: ast.arg | None = None


@dataclass(eq=False)
class Scope:
    """The names of a module, function, lambda or class, and the nodes that run in it."""

    owner: Owner
    parent: "Scope | None"
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, str] = field(default_factory=dict)
    """Names declared `global` or `nonlocal` here."""
    nodes: list[ast.AST] = field(default_factory=list)
    asked: dict[str, set[str]] = field(default_factory=dict)
    """Attributes taken of a bare name here."""
    assigned: dict[int, ast.expr] = field(default_factory=dict)
    """The value of each target (by id) that one assignment sets as a whole."""

    def root(self) -> "Scope":
        """The module's scope."""
        return self if self.parent is None else self.parent.root()

    def home(self, name: str) -> "Scope | None":
        """The scope whose binding of `name` code in this scope sees."""
        if self.outer.get(name) == "global":
            return self.root() if name in self.root().bindings else None
        scope: Scope | None = self
        while scope is not None:
            visible = scope is self or not isinstance(scope.owner, ast.ClassDef)
            if visible and name in scope.bindings and name not in scope.outer:
                return scope
            scope = scope.parent
        return None

    def bind(self, name: str, binding: Binding) -> None:
        """Record that `name` may hold `binding`, in the scope the name belongs to."""
        scope = self
        if self.outer.get(name) == "global":
            scope = self.root()
        elif self.outer.get(name) == "nonlocal" and self.parent is not None:
            scope = self.parent.home(name) or self.parent
        scope.bindings.setdefault(name, []).append(binding)

    def method_of(self) -> ast.ClassDef | None:
        """The class whose body holds this function, if one does."""
        owner = self.parent.owner if self.parent else None
        return owner if isinstance(owner, ast.ClassDef) else None


@dataclass(frozen=True)
class AttributeStore:
    """`target.attr = value`, wherever it stands."""

    target: ast.Attribute
    scope: Scope
    value: ast.expr | None
    path: tuple[Step, ...]


@dataclass(eq=False)
class Names:
    """All scopes of one tree."""

    module: Scope
    scopes: dict[int, Scope] = field(default_factory=dict)
    """By `id` of the owner node."""
    stores: list[AttributeStore] = field(default_factory=list)
    methods: dict[str, list[ast.AST]] = field(default_factory=dict)
    """The functions in class bodies, by name."""


def read_names(tree: ast.Module, dead: set[int]) -> Names:
    """Collect scopes and bindings, leaving out the statements whose ids are in `dead`."""
    names = Names(module=Scope(tree, None))
    _Reader(names, dead).run(tree, names.module)
    return names


class _Reader:
    def __init__(self, names: Names, dead: set[int]) -> None:
        self.names = names
        self.dead = dead

    def run(self, owner: Owner, scope: Scope) -> None:
        self.names.scopes[id(owner)] = scope
        body = [owner.body] if isinstance(owner, ast.Lambda) else owner.body
        for declaration in _declarations(body):
            word = "global" if isinstance(declaration, ast.Global) else "nonlocal"
            scope.outer.update(dict.fromkeys(declaration.names, word))
        for node in body:
            self.visit(node, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        if id(node) in self.dead:
            return
        scope.nodes.append(node)
        if isinstance(node, FUNCTIONS):
            self.function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self.klass(node, scope)
        else:
            self.bind(node, scope)
            for child in ast.iter_child_nodes(node):
                self.visit(child, scope)

    def function(self, node: Function, scope: Scope) -> None:
        inner = Scope(node, scope)
        arguments = node.args
        outside: list[ast.AST] = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        if not isinstance(node, ast.Lambda):
            scope.bind(node.name, Binding(node.lineno, scope, definition=node))
            if isinstance(scope.owner, ast.ClassDef):
                self.names.methods.setdefault(node.name, []).append(node)
            outside += node.decorator_list
            hints = [*(a.annotation for a in every_argument(arguments)), node.returns]
            # An annotation says what is meant; only one that calls something does anything.
            outside += [h for h in hints if h and any(isinstance(n, ast.Call) for n in ast.walk(h))]
        for item in outside:
            self.visit(item, scope)
        for argument, default in defaults(arguments):
            inner.bind(argument.arg, Binding(argument.lineno, scope, default, parameter=argument))
        self.run(node, inner)

    def klass(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.bind(node.name, Binding(node.lineno, scope, definition=node))
        for item in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(item, scope)
        self.run(node, Scope(node, scope))

    def bind(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self.imports(node, scope)
            case ast.Assign():
                for target in node.targets:
                    self.target(target, node.value, (), scope)
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                self.target(node.target, node.value, (), scope)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                self.target(node.target, node.iter, (None,), scope)
            case ast.withitem(optional_vars=ast.expr() as target):
                self.target(target, node.context_expr, (), scope)
            case ast.ExceptHandler(name=str() as name):
                scope.bind(name, Binding(node.lineno, scope))
            case ast.Match():
                self.patterns(node, scope)
            case _:
                self.uses(node, scope)

    def imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                bound, path = alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
            else:
                path = alias.name if alias.asname else alias.name.partition(".")[0]
                bound = path
            scope.bind(alias.asname or bound, Binding(node.lineno, scope, imported=path))

    def uses(self, node: ast.AST, scope: Scope) -> None:
        """What is asked of a name, and what a call puts into the container under it."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                scope.asked.setdefault(name, set()).add(attr)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                home = scope.home(name) if attr in _FILLING else None
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                for value in given if home else ():
                    filled = Binding(node.lineno, scope, value, held=True)
                    (home or scope).bind(name, filled)

    def target(
        self, target: ast.expr, value: ast.expr | None, path: tuple[Step, ...], scope: Scope
    ) -> None:
        if value is not None and not path:
            scope.assigned[id(target)] = value
        match target:
            case ast.Name():
                scope.bind(target.id, Binding(target.lineno, scope, value, path))
            case ast.Starred():
                self.target(target.value, value, (*path[:-1], None), scope)
            case ast.Tuple() | ast.List():
                starred = False
                for index, item in enumerate(target.elts):
                    starred = starred or isinstance(item, ast.Starred)
                    self.target(item, value, (*path, None if starred else index), scope)
            case ast.Attribute():
                self.names.stores.append(AttributeStore(target, scope, value, path))
            case ast.Subscript(value=ast.Name(id=name)):
                home = scope.home(name) or scope
                home.bind(name, Binding(target.lineno, scope, value, path, held=True))

    def patterns(self, node: ast.Match, scope: Scope) -> None:
        for pattern in (part for case in node.cases for part in ast.walk(case.pattern)):
            name = None
            if isinstance(pattern, ast.MatchAs | ast.MatchStar):
                name = pattern.name
            elif isinstance(pattern, ast.MatchMapping):
                name = pattern.rest
            if name:
                # Any part of the subject, or the subject itself.
                for path in ((), (None,)):
                    scope.bind(name, Binding(node.lineno, scope, node.subject, path))


def _declarations(body: list[ast.stmt] | list[ast.expr]) -> Iterator[ast.Global | ast.Nonlocal]:
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))


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
