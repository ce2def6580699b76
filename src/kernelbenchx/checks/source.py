"""A submission read once: its tree, what its names mean, and what its entry reaches."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple, cast

from kernelbenchx.checks.names import read_names
from kernelbenchx.checks.paths import Paths
from kernelbenchx.checks.scopes import Binding, Names, NameScope, NodePlace, Unreadable
from kernelbenchx.core.parsing import parse_python

JIT = frozenset({"triton.jit", "triton.runtime.jit.jit"})
TUNERS = frozenset(
    f"triton.{place}{name}"
    for place in ("", "runtime.", "runtime.autotuner.")
    for name in ("autotune", "heuristics")
)
CACHES = frozenset({"functools.lru_cache", "functools.cache"})
WRAPPERS = (
    JIT | CACHES | {"functools.partial", "triton.constexpr_function", "builtins.staticmethod"}
)
"""Calls that give back the function that they are given."""

MOST_CHARACTERS = 300_000
MOST_LINES = 10_000
"""Far more than any kernel needs, and looked at before the text is read: its tree can be hundreds
of times as large as the text."""
MOST_MEANINGS = 16
"""Definitions that one name may stand for."""

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = {"utf-8", "utf8", "utf_8", "u8", "utf"}


class NamedExpression(NamedTuple):
    """An expression with the full names of what it may be."""

    place: NodePlace
    paths: frozenset[str]

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.place.line


Question = Callable[["Source", list[Binding]], bool]


@dataclass(eq=False)
class Source:
    """What the rules look at."""

    text: str
    tree: ast.Module
    names: Names
    paths: Paths
    jitted: set[int] = field(default_factory=set)
    """Ids of the functions that are Triton kernels."""
    guesses: dict[int, bool] = field(default_factory=dict)
    """Whether an expression, or what a function returns, is a tensor; by id."""
    _known: dict[tuple[int, str], tuple[ast.AST, ...]] = field(default_factory=dict)
    _answers: dict[tuple[object, int, str], bool] = field(default_factory=dict)

    def of(self, node: ast.expr, scope: NameScope) -> frozenset[str]:
        """The full names of what an expression may be, where it is imported or a builtin."""
        return self.paths.of(node, scope)

    def about(self, question: "Question", name: str, scope: NameScope) -> bool:
        """The answer to a question about everything that a name may hold, computed once."""
        home = scope.home(name)
        if home is None:
            return False
        key = (question, id(home), name)
        if key not in self._answers:
            self._answers[key] = False  # what a name that is set from itself adds
            bindings = [b for b in scope.bindings_of(name) if not b.held]
            self._answers[key] = question(self, bindings)
        return self._answers[key]

    def places(self, *kinds: type[ast.AST]) -> Iterator[NodePlace]:
        """Every node of some kinds, with its scope."""
        found = [self.names.places.get(kind, []) for kind in kinds]
        return iter(found[0]) if len(found) == 1 else chain.from_iterable(found)

    @cached_property
    def named(self) -> list[NamedExpression]:
        """Every expression that names something imported or built in."""
        uses = list(self.names.uses.values())
        uses += ([place] for place in self.places(ast.Attribute, ast.Call))
        found: list[NamedExpression] = []
        for places in uses:
            paths = self.paths.of(cast("ast.expr", places[0].node), places[0].scope)
            if paths:
                found += [NamedExpression(place, paths) for place in places]
        return found

    @cached_property
    def read(self) -> set[str]:
        """The names that are used other than to be set."""
        return {
            name
            for (_, name), places in self.names.uses.items()
            if any(not isinstance(getattr(p.node, "ctx", None), ast.Store) for p in places)
        }

    def is_kernel(self, node: ast.AST) -> bool:
        """Whether a function of the file is a Triton kernel."""
        return id(node) in self.jitted

    def kernels(self) -> list[ast.FunctionDef]:
        """The Triton kernels in the order of the file."""
        owners = (scope.owner for scope in self.names.scopes.values())
        return [o for o in owners if isinstance(o, ast.FunctionDef) and self.is_kernel(o)]

    def in_kernel(self, scope: NameScope) -> bool:
        """Whether a scope is a kernel's body or lies inside one."""
        return id(scope) in self._inside

    @cached_property
    def _inside(self) -> set[int]:
        found: set[int] = set()
        for scope in self.names.scopes.values():  # those around come before those inside
            if self.is_kernel(scope.owner) or id(scope.parent) in found:
                found.add(id(scope))
        return found

    def kernel_scopes(self) -> list[NameScope]:
        """Every scope that is a kernel's body or lies inside one."""
        return [s for s in self.names.scopes.values() if id(s) in self._inside]

    def host_scopes(self) -> Iterator[NameScope]:
        """Every scope outside kernels."""
        return (s for s in self.names.scopes.values() if id(s) not in self._inside)

    def host_places(self, *kinds: type[ast.AST]) -> list[NodePlace]:
        """Every node of some kinds outside kernels."""
        inside = self._inside
        return [place for place in self.places(*kinds) if id(place.scope) not in inside]

    def find_definitions(self, node: ast.expr, scope: NameScope) -> tuple[ast.AST, ...]:
        """The functions and classes of the file that a name, or an alias of it, stands for."""
        match node:
            case ast.Lambda():
                return (node,)
            case ast.IfExp():
                return self.find_definitions(node.body, scope) + self.find_definitions(
                    node.orelse, scope
                )
            case ast.Call() if _wraps(self.of(node.func, scope), node):
                return self.find_definitions(node.args[0], scope)
            case ast.Name():
                homes = scope.homes(node.id)
                return tuple(d for home in homes for d in self._defined_as(node.id, home))
        return ()

    def _defined_as(self, name: str, home: NameScope) -> tuple[ast.AST, ...]:
        key = (id(home), name)
        if key not in self._known:
            self._known[key] = ()  # what a name that is set from itself adds is nothing
            found: dict[int, ast.AST] = {}
            for binding in home.bindings[name]:
                if binding.definition is not None:
                    found[id(binding.definition)] = binding.definition
                elif binding.value is not None and binding.whole:
                    found |= {id(d): d for d in self.find_definitions(binding.value, binding.scope)}
            self._known[key] = tuple(found.values())[:MOST_MEANINGS]
        return self._known[key]


def _wraps(paths: frozenset[str], node: ast.Call) -> bool:
    """Whether a call gives back the function that it is given first."""
    made = isinstance(node.func, ast.Call)
    return bool(node.args) and (made or bool(paths & WRAPPERS))


def parse(text: str) -> Source:
    """Read a submission; raises `Unreadable` for what cannot be checked."""
    try:
        tree = _tree(text)
        names = read_names(tree)
        source = Source(text, tree, names, Paths(names.leading))
        _find_kernels(source)
    except (RecursionError, MemoryError):
        raise Unreadable(1, "nested too deeply to be checked") from None
    return source


def _find_kernels(source: Source) -> None:
    for place in source.places(ast.FunctionDef):
        assert isinstance(place.node, ast.FunctionDef)
        for decorator in place.node.decorator_list:
            if made_by(source, decorator, place.scope) & JIT:
                source.jitted.add(id(place.node))
    for place in source.places(ast.Call):
        assert isinstance(place.node, ast.Call)
        if place.node.args and made_by(source, place.node.func, place.scope) & JIT:
            for found in source.find_definitions(place.node.args[0], place.scope):
                source.jitted.add(id(found))


def made_by(source: Source, node: ast.expr, scope: NameScope) -> frozenset[str]:
    """The full names of a decorator, given with or without arguments."""
    return source.of(node.func if isinstance(node, ast.Call) else node, scope)


def hands_on(source: Source, place: NodePlace) -> bool:
    """Whether a decorator is read other than to be called, to decorate or to be renamed."""
    node = place.node
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    match source.names.parents[id(node)]:
        case ast.Call(func=func):
            return func is not node
        case ast.FunctionDef(decorator_list=listed):
            return node not in listed
        case ast.Assign(targets=targets):
            plain = all(isinstance(target, ast.Name) for target in targets)
            return not plain or isinstance(place.scope.owner, ast.ClassDef)
        case ast.Attribute():
            return False
    return True


def too_long(text: str) -> str:
    """Why a text is too long to be parsed; empty where it is short enough."""
    if len(text) > MOST_CHARACTERS:
        return f"longer than {MOST_CHARACTERS} characters"
    return f"more than {MOST_LINES} lines" if text.count("\n") > MOST_LINES else ""


def _tree(text: str) -> ast.Module:
    long = too_long(text)
    if long:
        raise Unreadable(1, long)
    if "\0" in text:
        raise Unreadable(text.count("\n", 0, text.index("\0")) + 1, "contains a null byte")
    _refuse_cookie(text)
    try:
        return parse_python(text.removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Unreadable(error.lineno or 1, f"not Python: {error.msg}") from None
    except ValueError as error:
        raise Unreadable(1, f"not Python: {error}") from None


def _refuse_cookie(text: str) -> None:
    # Python would decode the file by it, and run another text than the one checked here.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text, maxsplit=2)[:2], start=1):
        cookie = _COOKIE.match(line.removeprefix("\ufeff"))
        if cookie and cookie[1].lower() not in _UTF8:
            raise Unreadable(number, f"declares the encoding {cookie[1]}; only utf-8 is read")
