"""What runs when a module is built, before any call: creating and drawing its parameters.

Layers of torch may be made there to hold parameters. Calling one is torch computing, wherever its
parameters came from. In tasks that ask for a function nothing counts as a constructor.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator

from kernelbenchx.checks.paths import written_attribute
from kernelbenchx.checks.scopes import FUNCTIONS, Binding, NameScope, NodePlace
from kernelbenchx.checks.source import Source

STATISTICS = frozenset({"running_mean", "running_var", "num_batches_tracked"})
"""Buffers that a norm in training mode writes in every call; what they hold is not judged."""
_LAYERS = "torch.nn."
_NO_LAYERS = frozenset(
    f"{_LAYERS}{name}"
    for name in ("Module", "Parameter", "ParameterList", "ParameterDict", "Buffer")
)
_CALLS = ("forward", "__call__")


class Constructors:
    """Functions that only constructors of modules run, and the layers that these make."""

    def __init__(self, source: Source, *, modules: bool, entry: tuple[ast.AST, ...] = ()) -> None:
        self._source = source
        self._entry = {id(one) for one in entry}
        self._run: set[int] = set()
        if modules:
            self._readers = _readers(source)
            self._find()
        self.layers = frozenset(self._find_layer_attributes()) if modules else frozenset[str]()
        """Attributes that hold layers of torch."""

    def runs(self, scope: NameScope | None) -> bool:
        """Whether code of this scope runs in constructors alone."""
        while scope is not None and self._run:
            if id(scope.owner) in self._run:
                return True
            scope = scope.parent
        return False

    def called_layer(self, node: ast.Call, scope: NameScope) -> str:
        """The attribute whose layer a call runs, or nothing."""
        if not self.layers:
            return ""
        func = node.func
        while isinstance(func, ast.Subscript) or (
            isinstance(func, ast.Attribute) and func.attr in _CALLS
        ):
            func = func.value
        if isinstance(func, ast.Attribute):
            own = func.attr in self._source.names.methods
            return func.attr if func.attr in self.layers and not own else ""
        if isinstance(func, ast.Name) and not self._source.of(func, scope):
            for binding in scope.bindings_of(func.id):
                if binding.value is not None and not binding.parameter:
                    return next(self._layers_in(binding.value), "")
        return ""

    def _layers_in(self, node: ast.expr) -> Iterator[str]:
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and part.attr in self.layers:
                yield part.attr

    def _find(self) -> None:
        """From the constructors on: a function that they alone read runs there, too."""
        scopes = [s for s in self._source.host_scopes() if isinstance(s.owner, FUNCTIONS)]
        making = {id(s.owner) for s in scopes if self._is_constructor(s)}
        helpers = [s for s in scopes if _may_help(s)]
        read_by = self._read_by(helpers)
        while True:
            self._run = set(making)
            waiting = [*helpers]
            while waiting:
                helper = waiting.pop()
                if id(helper.owner) not in self._run and self._is_helper(helper):
                    self._run.add(id(helper.owner))
                    # Only what this one reads may have become a helper by it.
                    waiting += read_by[id(helper.owner)]
            late = making & set(self._made_in_calls())
            if not late:
                return
            making -= late

    def _read_by(self, helpers: list[NameScope]) -> dict[int, list[NameScope]]:
        """For each function, those of these that it or a function inside it reads."""
        found = defaultdict[int, list[NameScope]](list)
        for helper in helpers:
            owners = set[int]()
            for reader in self._readers.get(_name(helper), ()):
                scope: NameScope | None = reader
                while scope is not None and id(scope.owner) not in owners:
                    owners.add(id(scope.owner))
                    scope = scope.parent
            for owner in owners:
                found[owner].append(helper)
        return found

    def _is_constructor(self, scope: NameScope) -> bool:
        owner = scope.method_of()
        named = getattr(scope.owner, "name", "") == "__init__"
        return named and owner is not None and self._is_module(owner)

    def _is_module(self, node: ast.ClassDef, most: int = 8) -> bool:
        if id(node) in self._entry:
            return True
        around = self._source.names.scopes[id(node)].parent
        for base in node.bases if around is not None and most else ():
            assert around is not None
            if any(path.startswith(_LAYERS) for path in self._source.of(base, around)):
                return True
            for found in self._source.find_definitions(base, around):
                if isinstance(found, ast.ClassDef) and found is not node:
                    return self._is_module(found, most - 1)
        return False

    def _is_helper(self, scope: NameScope) -> bool:
        readers = self._readers.get(_name(scope), ())
        return bool(readers) and all(map(self.runs, readers))

    def _made_in_calls(self) -> Iterator[int]:
        """Constructors of modules that are made while another one is called."""
        for place in self._source.places(ast.Call):
            assert isinstance(place.node, ast.Call)
            in_call = isinstance(place.scope.function().owner, FUNCTIONS)
            if not in_call or self.runs(place.scope):
                continue
            for made in self._source.find_definitions(place.node.func, place.scope):
                if isinstance(made, ast.ClassDef):
                    inner = self._source.names.scopes[id(made)].bindings.get("__init__", ())
                    yield from (id(b.definition) for b in inner)

    def _find_layer_attributes(self) -> Iterator[str]:
        variables = _variables_with_layers(self._source)
        for place in self._source.places(ast.Assign, ast.AnnAssign):
            node = place.node
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target")]  # noqa: B009
            value = getattr(node, "value", None)
            if value is None or not self.runs(place.scope):
                continue
            makes, reads = _made_and_read(self._source, value, place.scope)
            if makes or reads & variables:
                yield from (one.attr for one in targets if isinstance(one, ast.Attribute))


_Variable = tuple[int, str]
"""The scope that a name lives in, by id, and the name."""


def _variables_with_layers(source: Source) -> set[_Variable]:
    """Those that a layer of torch was put in, directly or through others.

    Every value of the file is looked at once, also where names are set from names.
    """
    values: dict[int, tuple[Binding, list[_Variable]]] = {}
    for scope in source.names.scopes.values():
        for name, bindings in scope.bindings.items():
            for binding in bindings:
                if binding.value is not None and not binding.parameter and not binding.held:
                    _, names = values.setdefault(id(binding.value), (binding, []))
                    names.append((id(scope), name))
    put_into = defaultdict[_Variable, list[_Variable]](list)
    waiting: list[_Variable] = []
    for binding, names in values.values():
        assert binding.value is not None
        makes, reads = _made_and_read(source, binding.value, binding.scope)
        waiting += names if makes else []
        for variable in reads:
            put_into[variable] += names
    found: set[_Variable] = set()
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += put_into[one]
    return found


def _made_and_read(
    source: Source, value: ast.expr, scope: NameScope
) -> tuple[bool, set[_Variable]]:
    """Whether an expression itself makes a layer of torch, and the variables that it reads."""
    makes, reads = False, set[_Variable]()
    for part in ast.walk(value):
        if isinstance(part, ast.Name | ast.Attribute):
            paths = source.of(part, scope)
            makes |= any(path.startswith(_LAYERS) and _is_layer(path) for path in paths)
            if isinstance(part, ast.Name) and not paths:
                reads |= {(id(home), part.id) for home in scope.homes(part.id)}
    return makes, reads


def _name(scope: NameScope) -> str:
    return str(getattr(scope.owner, "name", ""))


def _may_help(scope: NameScope) -> bool:
    name = _name(scope)
    return bool(name) and not name.startswith("__") and name not in _CALLS


def _is_layer(path: str) -> bool:
    name = path.removeprefix(_LAYERS)
    return path not in _NO_LAYERS and name[:1].isupper()


def _readers(source: Source) -> dict[str, list[NameScope]]:
    """The scopes that read a name, an attribute or an attribute's name."""
    found = defaultdict[str, list[NameScope]](list)
    for place in source.places(ast.Name, ast.Attribute, ast.Call):
        for name in _read(place):
            found[name].append(place.scope)
    return found


def _read(place: NodePlace) -> Iterator[str]:
    match place.node:
        case ast.Name(ctx=ast.Load()):
            yield place.node.id
        case ast.Attribute(ctx=ast.Load()):
            yield place.node.attr
        case ast.Call() if name := written_attribute(place.node):
            yield name
