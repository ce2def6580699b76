"""Nothing outlives a call: no patching of modules, no results kept for the next call.

A module-level table, a `global`, a function's attribute, a mutable default, an object's field
written outside `__init__`, an iterator or a cache on a function that sees tensors could return an
old answer. Plain numbers (a device's properties, a block size) may be kept.
"""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.constructors import STATISTICS
from kernelbenchx.checks.idioms import HARMLESS_SETTING
from kernelbenchx.checks.objects import (
    Lifetimes,
    is_context,
    is_field,
    is_iterator,
    is_own_object,
    is_self,
)
from kernelbenchx.checks.parameters import is_tensor
from kernelbenchx.checks.rule import Form, Subject
from kernelbenchx.checks.scopes import FUNCTIONS, NameScope, NodePlace, every_argument, root_of
from kernelbenchx.checks.source import CACHES, hands_on, made_by
from kernelbenchx.checks.torch_names import EVIDENCE, Use, use_of
from kernelbenchx.core.outcome import Finding

NAME = "state"

_WRITING = frozenset(
    """add add_module append appendleft clear discard extend extendleft insert load_state_dict pop
    popitem popleft register_buffer register_module register_parameter remove reverse rotate send
    setdefault sort update""".split()  # noqa: SIM905
)
_HARMLESS = {"requires_grad_", "detach_"}
_FIELDS = {"requires_grad", "grad", "data", "block_shape"}
"""Fields of a tensor, or of a descriptor in a hook, that may be set in any object."""
_PLAIN_CALLS = (
    *("builtins.int", "builtins.float", "builtins.bool", "builtins.str", "builtins.len"),
    *("builtins.min", "builtins.max", "builtins.abs", "builtins.round", "math.", "triton.cdiv"),
    *("triton.next_power_of_2", "triton.Config", "triton.runtime.driver."),
    *("torch.cuda.get_device_properties", "torch.cuda.get_device_capability"),
    *("torch.cuda.current_device", "torch.cuda.get_device_name", "torch.device"),
)
_MAKING = ("__init__", "__post_init__")


def state(subject: Subject) -> Iterator[Finding]:
    """No function writes to what outlives its call, and nothing imported is changed."""
    rule = _StateRule(subject)
    yield from rule.find_rebound()
    yield from rule.iterators()
    for one in subject.source.named:
        if one.paths & CACHES and hands_on(subject.source, one.place):
            why = f"{min(one.paths)} as a value; decorate with it"
            yield Finding(rule=NAME, line=one.line, why=why)
    for kind, look in _LOOKS.items():
        for place in subject.source.host_places(kind):
            why = look(rule, place)
            if why:
                yield Finding(rule=NAME, line=place.line, why=why)


class _StateRule:
    def __init__(self, subject: Subject) -> None:
        self.subject, self.source = subject, subject.source
        self.lifetimes = Lifetimes(subject.source)
        self.assigned = dict(_assignments(subject))
        self._plain: dict[tuple[int, str], bool] = {}

    def attribute(self, place: NodePlace) -> str:
        node, scope = place.node, place.scope
        assert isinstance(node, ast.Attribute)
        if isinstance(node.ctx, ast.Load):
            return self._handed_on(node, scope)
        text = ast.unparse(node)[:60]
        if self._is_imported(node.value, scope):
            harmless = self.source.of(node, scope) == {HARMLESS_SETTING}
            if harmless and isinstance(self.assigned.get(id(node)), ast.Constant):
                return ""
            return f"changes {text}, which is imported"
        if self.source.find_definitions(node.value, scope):
            return f"{text} keeps a value on a function or class"
        root = root_of(node)
        if root is not None and is_context(self.source, root, scope):
            return ""
        if root is not None and is_self(self.source, root, scope):
            value = self.assigned.get(id(node))
            fresh = self._makes(scope) or self._is_plain(value, scope)
            fresh = fresh or self._is_statistic(node) or _is_moved(node, value)
            return "" if fresh else f"{text} keeps a value for the next call"
        if self.lifetimes.outlives(node, scope):
            return f"{text} keeps a value for the next call"
        known = node.attr in _FIELDS or is_own_object(self.source, node.value, scope)
        return "" if known else f"changes {text}, which this function did not make"

    def _handed_on(self, node: ast.Attribute, scope: NameScope) -> str:
        """A method that writes, taken from something old to be called elsewhere."""
        parent = self.source.names.parents[id(node)]
        if not _writes(node.attr) or getattr(parent, "func", None) is node:
            return ""
        old = not isinstance(scope.function().owner, FUNCTIONS) or self._makes(scope)
        old = old or self.lifetimes.outlives(node.value, scope)
        of_class = _is_of_class(self.source.of(node, scope))
        if not of_class and (not old or self.source.of(node, scope)):
            return ""
        if isinstance(parent, ast.Attribute) or is_field(self.source, node, scope):
            return ""
        return f"{ast.unparse(node)[:60]} as a value may write for the next call"

    def subscript(self, place: NodePlace) -> str:
        node = place.node
        assert isinstance(node, ast.Subscript)
        if isinstance(node.ctx, ast.Load):
            return ""
        return self._check_write(node.value, self.assigned.get(id(node)), place.scope)

    def iterators(self) -> Iterator[Finding]:
        """Names of the module that a function uses up."""
        homes = self.source.names.scopes.values()
        used_up = {n for s in homes for n, b in s.bindings.items() if is_iterator(self.source, b)}
        for (_, name), places in self.source.names.uses.items() if used_up else ():
            scope = places[0].scope
            in_call = isinstance(scope.function().owner, FUNCTIONS)
            host = in_call and not self.source.in_kernel(scope)
            if host and name in used_up and self.source.about(is_iterator, name, scope):
                why = f"{name} is an iterator that goes on in the next call"
                yield from (Finding(rule=NAME, line=place.line, why=why) for place in places)

    def find_rebound(self) -> Iterator[Finding]:
        """Names of the module, or of a function around, that a function sets."""
        for home in self.source.names.scopes.values():
            for name, bindings in home.bindings.items():
                for b in bindings:
                    if b.held or b.parameter or b.scope.function() is home:
                        continue
                    plain = b.whole and self._is_plain(b.value, b.scope)
                    if not plain and self.lifetimes.outlives(ast.Name(name, ast.Load()), b.scope):
                        why = f"{name} keeps a value for the next call"
                        yield Finding(rule=NAME, line=b.line, why=why)

    def call(self, place: NodePlace) -> str:
        node, scope = place.node, place.scope
        assert isinstance(node, ast.Call)
        paths = self.source.of(node.func, scope)
        if made_by(self.source, node.func, scope) & CACHES:
            return self._check_cache(node, scope)
        if "builtins.next" in paths and node.args:
            return self._check_write(node.args[0], None, scope)
        for keyword in node.keywords:
            if keyword.arg == "out" and self.lifetimes.outlives(keyword.value, scope):
                return f"{ast.unparse(keyword.value)[:60]} keeps a value for the next call"
        if isinstance(node.func, ast.Attribute) and _is_of_class(paths) and node.args:
            if _writes(node.func.attr):
                return self._check_write(node.args[0], None, scope)
        elif isinstance(node.func, ast.Attribute) and not paths:
            own = node.func.attr in self.source.names.methods or is_field(
                self.source, node.func, scope
            )
            if not _writes(node.func.attr, own):
                return ""
            values: list[ast.expr | None] = [*node.args] or [None]
            found = (self._check_write(node.func.value, value, scope) for value in values)
            return next(filter(None, found), "")
        return ""

    def function(self, place: NodePlace) -> str:
        node = place.node
        assert isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list:
            if made_by(self.source, decorator, place.scope) & CACHES and self._handles(node):
                return f"{node.name} is cached and handles tensors"
        return ""

    def _check_cache(self, node: ast.Call, scope: NameScope) -> str:
        """`cache(f)`; as a decorator it is looked at with the function."""
        for given in node.args:
            functions = self.source.find_definitions(given, scope)
            if not functions and not isinstance(given, ast.Constant):
                return f"{ast.unparse(node)[:60]} keeps a value for the next call"
            for one in functions:
                if self._handles(one):
                    return f"{getattr(one, 'name', 'a lambda')} is cached and handles tensors"
        return ""

    def _handles(self, node: ast.AST) -> bool:
        """Whether a function sees tensors, makes them or reaches a kernel."""
        if id(node) in self.subject.reach.launching or not isinstance(node, FUNCTIONS):
            return True
        scope = self.source.names.scopes[id(node)]
        for argument in every_argument(node.args):
            if is_tensor(argument.annotation) or scope.asked.get(argument.arg, set()) & EVIDENCE:
                return True
        return any(
            use_of(path.removeprefix("torch.")) is not Use.PREPARES or "torch.empty" in path
            for part in scope.nodes
            if isinstance(part, ast.Call)
            for path in self.source.of(part.func, scope)
            if path.startswith("torch.")
        )

    def _is_imported(self, node: ast.expr, scope: NameScope) -> bool:
        paths = self.source.of(node, scope)
        return any(not path.startswith("builtins.") or path.count(".") > 1 for path in paths)

    def _check_write(self, base: ast.expr, value: ast.expr | None, scope: NameScope) -> str:
        """Check a write into a container: which object it is, and what is kept."""
        text = ast.unparse(base)[:60]
        inner = base
        while isinstance(inner, ast.Attribute | ast.Subscript):
            if self._is_imported(inner, scope):
                return f"changes {text}, which is imported"
            inner = inner.value
        if self._is_imported(inner, scope):
            return f"changes {text}, which is imported"
        making = self._makes(scope) and is_self(self.source, inner, scope)
        if making or self._is_statistic(base):
            return ""
        if self._is_plain(value, scope) or not self.lifetimes.outlives(base, scope):
            return ""
        return f"{text} keeps a value for the next call"

    def _makes(self, scope: NameScope) -> bool:
        """Whether code of a scope runs when its object is made."""
        named = getattr(scope.function().owner, "name", "") in _MAKING
        return named or self.subject.constructors.runs(scope)

    def _is_statistic(self, node: ast.expr) -> bool:
        """Whether it is a running statistic of a norm in training mode, which is not judged."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            if isinstance(node, ast.Attribute) and node.attr in STATISTICS:
                return self.subject.expectation.form == Form.MODULE
            node = node.func if isinstance(node, ast.Call) else node.value
        return False

    def _is_plain(self, node: ast.expr | None, scope: NameScope) -> bool:
        """Whether a value is surely a number, a string or an answer of the device."""
        match node:
            case ast.Constant():
                return True
            case ast.Attribute() | ast.Subscript():
                return self._is_plain(node.value, scope)
            case ast.UnaryOp():
                return self._is_plain(node.operand, scope)
            case ast.BinOp():
                return self._is_plain(node.left, scope) and self._is_plain(node.right, scope)
            case ast.Call():
                paths = self.source.of(node.func, scope)
                return bool(paths) and all(path.startswith(_PLAIN_CALLS) for path in paths)
            case ast.Name():
                homes = list(scope.homes(node.id))
                return bool(homes) and all(self._is_plain_name(node.id, home) for home in homes)
        return False

    def _is_plain_name(self, name: str, home: NameScope) -> bool:
        key = (id(home), name)
        if key not in self._plain:
            self._plain[key] = False
            self._plain[key] = all(
                b.whole and not b.parameter and self._is_plain(b.value, b.scope)
                for b in home.bindings[name]
            )
        return self._plain[key]


_LOOKS = {
    ast.Attribute: _StateRule.attribute,
    ast.Subscript: _StateRule.subscript,
    ast.Call: _StateRule.call,
    ast.FunctionDef: _StateRule.function,
}


def _writes(method: str, own: bool = False) -> bool:
    """Whether a method changes its object, by its name; those of the file are read themselves."""
    in_place = method.endswith("_") and not method.startswith("_") and method not in _HARMLESS
    return not own and (in_place or method in _WRITING)


def _is_of_class(paths: frozenset[str] | set[str]) -> bool:
    """`list.append`: a method of a builtin class, given its object as an argument."""
    return any(path.startswith("builtins.") and path.count(".") > 1 for path in paths)


def _is_moved(node: ast.Attribute, value: ast.expr | None) -> bool:
    """`self.bias.data = self.bias.data.to(device)`: the same numbers elsewhere."""
    match value:
        case ast.Call(func=ast.Attribute(value=inner, attr="to" | "cuda" | "contiguous")):
            return ast.unparse(inner) == ast.unparse(node)
    return False


def _assignments(subject: Subject) -> Iterator[tuple[int, ast.expr]]:
    """The value of each target (by id) that one assignment sets as a whole."""
    for place in subject.source.places(ast.Assign, ast.AnnAssign, ast.NamedExpr):
        node = place.node
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            value = getattr(node, "value", None)
            if isinstance(target, ast.expr) and isinstance(value, ast.expr):
                yield id(target), value
