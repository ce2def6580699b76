"""What every expression of a submission may be: a fixed point over all its assignments and calls.

Names carry *tags* (see `tags`); a call hands its arguments' tags to the parameters and takes the
tags of the `return`s. Everything is "may": a name holds what any assignment could have put there.
"""

import ast
import builtins

from kernelbenchx.checks.calls import Calls
from kernelbenchx.checks.parameters import annotated, first_of, is_static
from kernelbenchx.checks.scopes import FUNCTIONS, MANY, Binding, Names, Scope, Step
from kernelbenchx.checks.tags import (
    NOTHING,
    TENSOR,
    Dotted,
    Held,
    Instance,
    Launcher,
    Local,
    Method,
    Tag,
    Tags,
    Tensor,
    elements,
    inside,
)
from kernelbenchx.checks.torch_names import EVIDENCE, TENSOR_ATTRIBUTES

_MOST_ROUNDS = 40
_MOST_TAGS = 300
_LONGEST_PATH = 8
_BUILTINS = frozenset(dir(builtins))


class Tangled(Exception):
    """So many aliases of aliases that what a name means cannot be settled."""


class Values:
    """The result of the fixed point; `of` answers for one expression."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.known: dict[tuple[int, str], Tags] = {}
        self.returned: dict[int, Tags] = {}
        self.passed: dict[tuple[int, str], Tags] = {}
        self.attributes: dict[tuple[int, str], Tags] = {}
        self.jitted: set[int] = set()
        self.guessing = False
        """Whether a method of an unknown object speaks for itself: only once all else is settled,
        or what is merely not yet known would count as unknown."""
        self.calls = Calls(self)
        self._settle()
        self.guessing = True
        self._settle()

    def of(self, node: ast.expr, scope: Scope) -> Tags:
        """The tags of an expression read in `scope`."""
        match node:
            case ast.Name():
                return self._name(node.id, scope)
            case ast.Attribute():
                return self.attribute(self.of(node.value, scope), node.attr)
            case ast.Call():
                return self.calls.result(node, scope)
            case ast.Subscript():
                return self._subscript(node, scope)
            case ast.Lambda():
                return frozenset({Local(node)})
            case ast.NamedExpr() | ast.Starred() | ast.Await():
                return self.of(node.value, scope)
        return self._combined(node, scope)

    def _combined(self, node: ast.expr, scope: Scope) -> Tags:
        match node:
            case ast.BinOp():
                both = self.of(node.left, scope) | self.of(node.right, scope)
                return frozenset(t for t in both if isinstance(t, Tensor | Held))
            case ast.UnaryOp() if not isinstance(node.op, ast.Not):
                return frozenset(t for t in self.of(node.operand, scope) if isinstance(t, Tensor))
            case ast.Compare():
                return self._compared(node, scope)
            case ast.BoolOp():
                return self._union(node.values, scope)
            case ast.IfExp():
                return self._union([node.body, node.orelse], scope)
            case ast.Tuple() | ast.List() | ast.Set():
                return inside(self._union(node.elts, scope))
            case ast.Dict():
                return inside(self._union([*node.values, *filter(None, node.keys)], scope))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return inside(self.of(node.elt, scope))
            case ast.DictComp():
                return inside(self._union([node.key, node.value], scope))
        return NOTHING

    def _union(self, nodes: list[ast.expr], scope: Scope) -> Tags:
        return frozenset[Tag]().union(*(self.of(node, scope) for node in nodes))

    def _compared(self, node: ast.Compare, scope: Scope) -> Tags:
        if all(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return NOTHING
        tags = self._union([node.left, *node.comparators], scope)
        return frozenset(t for t in tags if isinstance(t, Tensor))

    def _name(self, name: str, scope: Scope) -> Tags:
        home = scope.home(name)
        if home is not None:
            return self.known.get((id(home), name), NOTHING)
        return frozenset({Dotted(f"builtins.{name}")}) if name in _BUILTINS else NOTHING

    def attribute(self, tags: Tags, attr: str) -> Tags:
        """The tags of `value.attr` for a value with `tags`."""
        found: set[Tag] = set()
        for tag in tags:
            match tag:
                case Dotted(path) if path.count(".") < _LONGEST_PATH:
                    found.add(Dotted(f"{path}.{attr}"))
                case Tensor() if attr in TENSOR_ATTRIBUTES:
                    found.add(tag)
                case Instance(node) | Local(ast.ClassDef() as node):
                    found |= self.member(node, attr, bound=isinstance(tag, Instance))
                case Local(ast.FunctionDef() as node) | Method(ast.FunctionDef() as node):
                    found.add(Launcher(node) if attr in ("run", "warmup") else Local(node))
        return frozenset(found)

    def member(self, node: ast.ClassDef, attr: str, *, bound: bool) -> Tags:
        """What a class of the file, or its bases in the file, offers under a name."""
        scope = self.names.scopes[id(node)]
        if attr == "apply" and self._derives(node, "torch.autograd.Function"):
            return frozenset(
                Method(t.node)
                for t in self.member(node, "forward", bound=False)
                if isinstance(t, Local) and isinstance(t.node, FUNCTIONS)
            )
        found = self.known.get((id(scope), attr), NOTHING)
        found |= self.attributes.get((id(node), attr), NOTHING)
        if bound:
            found = frozenset(_bind(tag) for tag in found)
        if found or scope.parent is None:
            return found
        for base in node.bases:
            for tag in self.of(base, scope.parent):
                other = tag.node if isinstance(tag, Local) else None
                if isinstance(other, ast.ClassDef) and other is not node:
                    found |= self.member(other, attr, bound=bound)
        return found

    def _derives(self, node: ast.ClassDef, path: str) -> bool:
        parent = self.names.scopes[id(node)].parent
        return parent is not None and any(
            Dotted(path) in self.of(base, parent) for base in node.bases
        )

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Tags:
        tags = self.of(node.value, scope)
        launchers: set[Tag] = {
            Launcher(t.node)
            for t in tags
            if isinstance(t, Local | Launcher) and isinstance(t.node, FUNCTIONS)
        }
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int | str):
            taken = self.taken(node.value, (node.slice.value,), scope)
        else:
            taken = elements(tags)
        return taken | launchers

    def taken(self, node: ast.expr, path: tuple[Step, ...], scope: Scope, depth: int = 4) -> Tags:
        """What lies at `path` inside an expression, exactly where literals allow it."""
        if not path:
            return self.of(node, scope)
        exact = self._exact(node, path, scope, depth) if depth else None
        if exact is not None:
            return exact
        tags = self.of(node, scope)
        for _ in path:
            tags = elements(tags)
        return tags

    def _exact(
        self, node: ast.expr, path: tuple[Step, ...], scope: Scope, depth: int
    ) -> Tags | None:
        step, rest = path[0], path[1:]
        if step is None:
            return self._iterated(node, rest, scope, depth)
        match node:
            case ast.Tuple() | ast.List() if isinstance(step, int):
                known = not any(isinstance(e, ast.Starred) for e in node.elts)
                if known and -len(node.elts) <= step < len(node.elts):
                    return self.taken(node.elts[step], rest, scope, depth - 1)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == step:
                        return self.taken(value, rest, scope, depth - 1)
            case ast.Call():
                return self.calls.taken(node, path, scope, depth - 1)
            case ast.Name():
                return self._exact_name(node.id, path, scope, depth)
        return None

    def _iterated(
        self, node: ast.expr, rest: tuple[Step, ...], scope: Scope, depth: int
    ) -> Tags | None:
        """What lies at `rest` of any element, where a literal or `zip` says what goes with what."""
        if isinstance(node, ast.Call) and rest:
            return self.calls.iterated(node, rest, scope, depth - 1)
        if not isinstance(node, ast.Tuple | ast.List) or len(node.elts) > MANY:
            return None
        parts = [self.taken(item, rest, scope, depth - 1) for item in node.elts]
        return frozenset[Tag]().union(*parts)

    def _exact_name(
        self, name: str, path: tuple[Step, ...], scope: Scope, depth: int
    ) -> Tags | None:
        home = scope.home(name)
        bindings = home.bindings[name] if home else []
        if len(bindings) > MANY or not all(
            b.value and not b.held and not b.parameter for b in bindings
        ):
            return None
        parts = [
            self.taken(b.value, (*b.path, *path), b.scope, depth - 1) for b in bindings if b.value
        ]
        return frozenset[Tag]().union(*parts)

    def _settle(self) -> None:
        for _ in range(_MOST_ROUNDS):
            if not self._round():
                return
        raise Tangled

    def _round(self) -> bool:
        before = _size(self.known, self.returned, self.passed, self.attributes)
        for scope in self.names.scopes.values():
            for name, bindings in scope.bindings.items():
                tags = self.known.get((id(scope), name), NOTHING)
                for binding in bindings:
                    tags |= self.bound(scope, binding)
                if len(tags) > _MOST_TAGS:
                    raise Tangled
                self.known[id(scope), name] = tags
            for node in scope.nodes:
                self._flow(node, scope)
        for store in self.names.stores:
            for tag in self.of(store.target.value, store.scope):
                if isinstance(tag, Instance | Local) and store.value is not None:
                    key = (id(tag.node), store.target.attr)
                    added = self.taken(store.value, store.path, store.scope)
                    self.attributes[key] = self.attributes.get(key, NOTHING) | added
        return _size(self.known, self.returned, self.passed, self.attributes) != before

    def _flow(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Call):
            self.calls.hand_over(node, scope)
        elif isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            tags = self.of(node.value, scope)
            tags = inside(tags) if isinstance(node, ast.Yield) else tags
            self.returned[id(scope.owner)] = self.returned.get(id(scope.owner), NOTHING) | tags
        elif isinstance(node, ast.Lambda):
            inner = self.names.scopes[id(node)]
            self.returned[id(node)] = self.of(node.body, inner)

    def bound(self, scope: Scope, binding: Binding) -> Tags:
        if binding.imported:
            return frozenset({Dotted(binding.imported)})
        if binding.definition is not None:
            return self.calls.decorated(binding.definition, binding.scope)
        tags = NOTHING
        if binding.value is not None:
            tags = self.taken(binding.value, binding.path, binding.scope)
            tags = inside(tags) if binding.held else tags
        if binding.parameter is not None:
            tags |= self._parameter(scope, binding.parameter)
        return tags

    def _parameter(self, scope: Scope, argument: ast.arg) -> Tags:
        node = scope.owner
        assert isinstance(node, FUNCTIONS)
        tags = self.passed.get((id(node), argument.arg), NOTHING)
        klass = scope.method_of()
        if klass is not None and not is_static(node) and first_of(node) is argument:
            return tags | {Instance(klass)}
        tags |= annotated(argument.annotation)
        if scope.asked.get(argument.arg, set()) & EVIDENCE:
            tags |= TENSOR
        if node.args.vararg is argument or node.args.kwarg is argument:
            return inside(tags)
        return tags


def _bind(tag: Tag) -> Tag:
    if isinstance(tag, Local) and isinstance(tag.node, FUNCTIONS) and not is_static(tag.node):
        return Method(tag.node)
    return tag


def _size(*tables: "dict[tuple[int, str], Tags] | dict[int, Tags]") -> int:
    return sum(len(tags) for table in tables for tags in table.values())
