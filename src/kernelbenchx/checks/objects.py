"""Whether an expression's object is the file's own, or older than the call that writes to it."""

import ast

from kernelbenchx.checks.parameters import first_of, is_static
from kernelbenchx.checks.scopes import FUNCTIONS, Binding, NameScope
from kernelbenchx.checks.source import Source

_WRITING_MODULES = frozenset(
    {"add_module", "load_state_dict", "register_buffer", "register_module", "register_parameter"}
)
"""Methods of `torch.nn.Module` that write to the module."""
_AUTOGRAD = ("forward", "backward", "setup_context", "vmap", "jvp")
_ITERATORS = {f"builtins.{n}" for n in ("enumerate", "filter", "iter", "map", "reversed", "zip")}
_COPYING = {"copy", "clone", "items", "keys", "values"}
_MUTABLE = (ast.Dict, ast.List, ast.Set, ast.Call, ast.ListComp, ast.DictComp, ast.SetComp)


def is_self(source: Source, node: ast.expr, scope: NameScope) -> bool:
    """Whether an expression is the object, or the context, that a method is given first."""
    return isinstance(node, ast.Name) and source.about(_is_first, node.id, scope)


def _is_first(_source: Source, bindings: list[Binding]) -> bool:
    owner = bindings[0].unit
    if len(bindings) != 1 or not isinstance(owner, ast.FunctionDef):
        return False
    inside = isinstance(bindings[0].scope.owner, ast.ClassDef) and bindings[0].parameter is not None
    return inside and first_of(owner) is bindings[0].parameter and not is_static(owner)


def is_field(source: Source, node: ast.Attribute, scope: NameScope) -> bool:
    """Whether `self.add` is a field: no base class of a submission has such a method."""
    return is_self(source, node.value, scope) and node.attr not in _WRITING_MODULES


def is_context(source: Source, node: ast.expr, scope: NameScope) -> bool:
    """Whether an expression is the `ctx` of a function of autograd: a new one in every call."""
    return isinstance(node, ast.Name) and source.about(_is_context, node.id, scope)


def _is_context(source: Source, bindings: list[Binding]) -> bool:
    owner, klass = bindings[0].unit, bindings[0].scope.owner
    if len(bindings) != 1 or not isinstance(owner, ast.FunctionDef):
        return False
    if not isinstance(klass, ast.ClassDef) or owner.name not in _AUTOGRAD:
        return False
    around = source.names.scopes[id(klass)].parent
    bases = {path for base in klass.bases if around for path in source.of(base, around)}
    first = bindings[0].parameter
    return bases == {"torch.autograd.Function"} and first is not None and first_of(owner) is first


def is_own_object(source: Source, node: ast.expr, scope: NameScope) -> bool:
    """Whether an expression is surely an object or class of the file."""
    if not isinstance(node, ast.Name):
        return False
    own = is_self(source, node, scope) or is_context(source, node, scope)
    return own or source.about(_are_own, node.id, scope)


def _are_own(source: Source, bindings: list[Binding]) -> bool:
    return bool(bindings) and all(
        isinstance(b.definition, ast.ClassDef)
        or (b.value is not None and b.whole and not b.parameter and _makes(source, b))
        for b in bindings
    )


def _makes(source: Source, binding: Binding) -> bool:
    node = binding.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    made = source.find_definitions(node.func, binding.scope)
    return bool(made) and all(isinstance(one, ast.ClassDef) for one in made)


def is_iterator(source: Source, bindings: list[Binding]) -> bool:
    """Whether a name of the module holds something that its readers use up."""
    return any(
        isinstance(b.scope.owner, ast.Module | ast.ClassDef)
        and b.whole
        and not b.parameter
        and _makes_iterator(source, b)
        for b in bindings
    )


def _makes_iterator(source: Source, binding: Binding) -> bool:
    node = binding.value
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.GeneratorExp)
    paths = source.of(node.func, binding.scope)
    if any(path in _ITERATORS or path.startswith("itertools.") for path in paths):
        return True
    made = [source.names.scopes[id(d)] for d in source.find_definitions(node.func, binding.scope)]
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for scope in made for n in scope.nodes)


def _are_made(_source: Source, bindings: list[Binding]) -> bool:
    return bool(bindings) and all(b.imported or b.definition for b in bindings)


class Lifetimes:
    """Which names stand for something that is older than the call that uses them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: dict[tuple[int, str], bool] = {}
        self._escaping: dict[int, bool] = {}
        self._handed_on: dict[int, set[str]] = {}
        """Per scope the names that are read there other than to be called."""

    def outlives(self, node: ast.expr, scope: NameScope) -> bool:
        """Whether an object that code of a function writes to is there before and after it."""
        if not isinstance(scope.function().owner, FUNCTIONS):
            return False
        name = self._origin(node, scope)
        if name is None or is_context(self._source, name, scope):
            return False
        return is_self(self._source, name, scope) or self._is_old(name.id, scope)

    def _is_old(self, name: str, scope: NameScope) -> bool:
        home = scope.home(name)
        if home is None:
            return bool(scope.function().outer.get(name))
        if not isinstance(home.function().owner, FUNCTIONS):
            return True
        if home.function() is not scope.function() and self._escapes(scope.function(), home):
            return True
        key = (id(home), name)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = any(
                b.value is not None and self._is_given(b.value, b.scope, default=bool(b.parameter))
                for b in home.bindings[name]
                if not b.held
            )
        return self._known[key]

    def _is_given(self, value: ast.expr, scope: NameScope, *, default: bool) -> bool:
        name = self._origin(value, scope)
        if default:
            # A default is made once, where the function is defined.
            return isinstance(value, _MUTABLE) or (
                name is not None and scope.home(name.id) is not None
            )
        if name is None or isinstance(value, ast.Constant):
            return False
        return self.outlives(name, scope)

    def _escapes(self, inner: NameScope, home: NameScope) -> bool:
        """Whether a function that writes to a variable around it may outlive the call."""
        while inner.parent is not None and inner.parent.function() is not home.function():
            inner = inner.parent.function()
        key = id(inner.owner)
        if key not in self._escaping:
            self._escaping[key] = self._is_kept(inner.owner, home)
        return self._escaping[key]

    def _is_kept(self, owner: ast.AST, home: NameScope) -> bool:
        parents = self._source.names.parents
        if isinstance(owner, ast.Lambda):
            return not isinstance(parents[id(owner)], ast.Call)
        if id(home) not in self._handed_on:
            named = (
                n for n in home.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
            )
            self._handed_on[id(home)] = {
                n.id for n in named if getattr(parents[id(n)], "func", None) is not n
            }
        return getattr(owner, "name", "") in self._handed_on[id(home)]

    def _origin(self, node: ast.expr, scope: NameScope) -> ast.Name | None:
        """The name that an object is taken from, also through calls of its methods."""
        called = False
        while isinstance(node, ast.Call | ast.Attribute | ast.Subscript | ast.Starred):
            if not isinstance(node, ast.Call):
                node = node.value
                continue
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if not method or method in _COPYING or method in self._source.names.methods:
                return None
            called, node = True, node.func
        if not isinstance(node, ast.Name):
            return None
        # What a function of a module, or of a class, gives back is new.
        new = called and self._source.about(_are_made, node.id, scope)
        return None if new else node
