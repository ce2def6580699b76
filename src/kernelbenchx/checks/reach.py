"""What runs when the entry is called, and which launches are among it."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kernelbenchx.checks.scopes import Scope
from kernelbenchx.checks.source import Source
from kernelbenchx.checks.tags import (
    Instance,
    Launcher,
    Local,
    Method,
    Plain,
    dotted,
    loose,
)


@dataclass(frozen=True)
class Launch:
    """One place that launches a kernel."""

    line: int
    scope: Scope
    call: ast.Call
    kernels: tuple[str, ...]


@dataclass(eq=False)
class Reach:
    """The part of a submission that a call of the entry, or the import before it, can run."""

    source: Source
    called: dict[int, Scope] = field(default_factory=dict)
    """Scopes that the entry reaches, by id of their owner; not the module itself."""
    imported: dict[int, Scope] = field(default_factory=dict)
    """Scopes that importing the file runs, the module first."""
    edges: dict[int, set[int]] = field(default_factory=dict)
    launches: tuple[Launch, ...] = ()

    def scopes(self) -> list[Scope]:
        """Everything that runs on the host, the module first."""
        return list({**self.imported, **self.called}.values())

    def nodes(self, scope: Scope) -> Iterator[ast.AST]:
        """The nodes of a scope that run where the arguments are on the device."""
        return (n for n in scope.nodes if id(n) not in self.source.off_device)

    def walk(self) -> Iterator[tuple[ast.AST, Scope]]:
        """Every node that runs on the host, with its scope."""
        return ((node, scope) for scope in self.scopes() for node in self.nodes(scope))

    def launching(self) -> set[int]:
        """Ids of the functions that launch, themselves or through others."""
        found = {id(launch.scope.owner) for launch in self.launches}
        while True:
            more = {o for o, targets in self.edges.items() if targets & found} - found
            if not more:
                return found
            found |= more


def reach(source: Source, entries: Iterable[ast.AST]) -> Reach:
    """Follow every reference from the entry's definitions, and every call of the module's body."""
    result = Reach(source)
    module = source.names.module
    _follow(result, [module.owner, *_import_time(source, module)], result.imported)
    _follow(result, entries, result.called)
    result.launches = tuple(_launches(result))
    return result


def _follow(result: Reach, start: Iterable[ast.AST], into: dict[int, Scope]) -> None:
    source, seen = result.source, set[int]()
    queue = list(start)
    while queue:
        owner = queue.pop()
        if id(owner) in seen or id(owner) not in source.names.scopes:
            continue
        seen.add(id(owner))
        if source.is_kernel(owner):
            targets = _decoration(source, owner)
        else:
            scope = into[id(owner)] = source.names.scopes[id(owner)]
            targets = [] if isinstance(owner, ast.Module) else _targets(result, scope)
            targets += _implicit(source, owner) if into is result.called else []
        result.edges.setdefault(id(owner), set()).update(id(t) for t in targets)
        queue += targets


def _targets(result: Reach, scope: Scope) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in result.nodes(scope):
        if isinstance(node, ast.Name | ast.Attribute | ast.Lambda | ast.Call):
            found += _owners(loose(result.source.of(node, scope)))
        if isinstance(node, ast.ClassDef):
            found.append(node)
        if isinstance(node, ast.Attribute):
            found += _namesakes(result.source, node, scope)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            # A decorator of the file gets the function, whoever names it later.
            given = [_owners(loose(result.source.of(d, scope))) for d in node.decorator_list]
            found += [node] if any(given) else []
    return found


def _owners(tags: Iterable[Plain]) -> list[ast.AST]:
    kinds = (Local, Method, Instance, Launcher)
    return [tag.node for tag in tags if isinstance(tag, kinds)]


def _namesakes(source: Source, node: ast.Attribute, scope: Scope) -> list[ast.AST]:
    """Methods that an attribute of an object of unknown kind could mean."""
    if source.of(node.value, scope):
        return []
    return source.names.methods.get(node.attr, [])


def _implicit(source: Source, owner: ast.AST) -> list[ast.AST]:
    """What a class runs without being asked by name."""
    if not isinstance(owner, ast.ClassDef):
        return []
    asked = {"forward", "setup_context"}
    parent = source.names.scopes[id(owner)].parent
    bases = [t for b in owner.bases if parent for t in _owners(loose(source.of(b, parent)))]
    body = [n for n in owner.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [*bases, *(n for n in body if n.name in asked or n.name.startswith("__"))]


def _decoration(source: Source, owner: ast.AST) -> list[ast.AST]:
    """Hooks, pruning functions and heuristics: they run at every launch of their kernel."""
    assert isinstance(owner, ast.FunctionDef)
    parent = source.names.scopes[id(owner)].parent
    parts = [part for d in owner.decorator_list for part in ast.walk(d)]
    wanted = [p for p in parts if isinstance(p, ast.Name | ast.Attribute | ast.Lambda)]
    return [t for p in wanted if parent for t in _owners(loose(source.of(p, parent)))]


def _import_time(source: Source, module: Scope) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in module.nodes:
        if isinstance(node, ast.Call):
            callee = source.of(node.func, module)
            found += [f for tag in loose(callee) for f in source.values.calls.functions(tag)]
            if any(not path.startswith("triton.") for path in dotted(callee)):
                for argument in (*node.args, *(k.value for k in node.keywords)):
                    found += _owners(loose(source.of(argument, module)))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                found += _owners(loose(source.of(decorator, module)))
        if isinstance(node, ast.ClassDef):
            found.append(node)
    return [node for node in found if not source.is_kernel(node)]


def _launches(result: Reach) -> Iterator[Launch]:
    for scope in result.called.values():
        for node in result.nodes(scope):
            if not isinstance(node, ast.Call) or _only_compiles(node):
                continue
            tags = result.source.of(node.func, scope)
            made = [t.node for t in tags if isinstance(t, Launcher)]
            names = sorted(getattr(n, "name", "") for n in made if result.source.is_kernel(n))
            if names:
                yield Launch(node.lineno, scope, node, tuple(names))


def _only_compiles(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "warmup"
