"""What a call of the entry may run, found by following names.

The units are definitions and top-level statements. One that reads a name reaches whatever binds it;
one that reads an attribute reaches the methods of that name, of classes that are reached too. This
overestimates on purpose. Only composition and randomness rest on it: every other rule looks at
every statement.
"""

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from kernelbenchx.checks.paths import written_attribute
from kernelbenchx.checks.scopes import DEFINITIONS, FUNCTIONS, Definition, NodePlace, below
from kernelbenchx.checks.source import NamedExpression, Source

_ASKED = ("forward", "setup_context")
"""Methods that a base class of torch calls."""


@dataclass(eq=False)
class Reach:
    """The units that a call of the entry reaches."""

    source: Source
    units: set[int] = field(default_factory=set)
    edges: dict[Hashable, set[Hashable]] = field(default_factory=dict)
    _found: dict[type[ast.AST], list[NodePlace]] = field(default_factory=dict)

    def places(self, *kinds: type[ast.AST]) -> Iterator[NodePlace]:
        """Every node of some kinds that the entry reaches, outside kernels and annotations."""
        return chain.from_iterable(map(self._of_kind, kinds))

    def _of_kind(self, kind: type[ast.AST]) -> list[NodePlace]:
        if kind not in self._found:
            self._found[kind] = [p for p in self.source.places(kind) if self._has(p)]
        return self._found[kind]

    @cached_property
    def named(self) -> list[NamedExpression]:
        """Every reached expression that names something imported or built in."""
        return [one for one in self.source.named if self._has(one.place)]

    def _has(self, place: NodePlace) -> bool:
        return id(place.unit) in self.units and id(place.node) not in self._aside

    @cached_property
    def _aside(self) -> set[int]:
        """Nodes of annotations, and of kernels less their decorators."""
        found: set[int] = set()
        for scope in self.source.kernel_scopes():
            found.update(map(id, scope.nodes))
        for place in self.source.places(ast.FunctionDef, ast.AsyncFunctionDef, ast.AnnAssign):
            found.update(id(part) for note in _annotations(place.node) for part in below(note))
        return found

    @cached_property
    def launches(self) -> bool:
        """Whether the entry reaches a kernel of the file."""
        return any(id(kernel) in self.units for kernel in self.source.kernels())

    @cached_property
    def launching(self) -> set[Hashable]:
        """Everything in the graph from which a kernel is reached."""
        back: dict[Hashable, list[Hashable]] = defaultdict(list)
        for start, ends in self.edges.items():
            for end in ends:
                back[end].append(start)
        for name, methods in self.source.names.methods.items():
            for method in methods:
                back[id(method)].append(("attribute", name))
        found: set[Hashable] = set()
        waiting: list[Hashable] = [id(kernel) for kernel in self.source.kernels()]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += back[one]
        return found

    def targets(self, place: NodePlace) -> list[Hashable]:
        """What reading a name or an attribute leads to."""
        node = place.node
        match node:
            case ast.Name():
                return [("name", id(home), node.id) for home in place.scope.homes(node.id)]
            case ast.Attribute():
                return [("attribute", node.attr)]
            case ast.Call() if written_attribute(node):
                return [("attribute", written_attribute(node))]
            case ast.MatchClass():
                return [("attribute", name) for name in node.kwd_attrs]
        return []


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [a for a in (arguments.vararg, arguments.kwarg) if a]
        yield from (a.annotation for a in every if a.annotation)
        if node.returns is not None:
            yield node.returns


def reach(source: Source, roots: Iterable[ast.AST]) -> Reach:
    """Follow every name and attribute from the units that make the entry."""
    result = Reach(source)
    edges = defaultdict[Hashable, set[Hashable]](set)
    for uses in source.names.uses.values():
        targets = result.targets(uses[0])
        for unit in {id(place.unit) for place in uses}:
            edges[unit].update(targets)
    for place in source.places(ast.Attribute, ast.Call, ast.MatchClass):
        edges[id(place.unit)].update(result.targets(place))
    for scope in source.names.scopes.values():
        # A parameter or a local variable is bound where its reader runs anyway.
        inner = isinstance(scope.owner, FUNCTIONS)
        for name, bindings in scope.bindings.items():
            for binding in bindings:
                if binding.definition is not None or not inner:
                    edges["name", id(scope), name].add(id(binding.definition or binding.unit))
    for place in source.places(*DEFINITIONS):
        for one in _run_with(place):
            edges[id(place.node)].add(id(one))
    result.edges = edges
    _follow(result, [*roots, *_given_to_decorators(source)])
    return result


def _run_with(place: NodePlace) -> list[Definition]:
    """The methods that a class runs without being asked by name."""
    if not isinstance(place.node, ast.ClassDef):
        return []
    body = [n for n in place.node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [n for n in body if n.name in _ASKED or n.name.startswith("__")]


def _given_to_decorators(source: Source) -> Iterator[ast.AST]:
    """Functions that a decorator of the file gets."""
    for place in source.places(ast.FunctionDef):
        assert isinstance(place.node, ast.FunctionDef)
        for decorator in place.node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if source.find_definitions(called, place.scope):
                yield place.node


def _follow(result: Reach, roots: Iterable[ast.AST]) -> None:
    source = result.source
    classes = {id(m): id(c) for c, m in _members(source)}
    seen: set[Hashable] = set()
    held: dict[Hashable, list[int]] = defaultdict(list)
    """Methods that were asked for by name, until their class is reached."""
    waiting: list[Hashable] = [id(root) for root in roots]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        waiting += [*result.edges.get(one, ()), *held.pop(one, ())]
        if isinstance(one, tuple) and one[0] == "attribute":
            for method in source.names.methods.get(one[1], ()):
                klass = classes[id(method)]
                if klass in seen:
                    waiting.append(id(method))
                else:
                    held[klass].append(id(method))
    result.units = {one for one in seen if isinstance(one, int)}


def _members(source: Source) -> Iterator[tuple[ast.AST, Definition]]:
    for methods in source.names.methods.values():
        for method in methods:
            parent = source.names.scopes[id(method)].parent
            if parent is not None:
                yield parent.owner, method
