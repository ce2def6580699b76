"""What a call gives back, and what it hands to the functions of the file."""

import ast
from typing import TYPE_CHECKING

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.scopes import FUNCTIONS, MANY, Function, Scope, Step
from kernelbenchx.checks.tags import (
    MOVED,
    NOTHING,
    Dotted,
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

if TYPE_CHECKING:
    from kernelbenchx.checks.values import Values

JIT = frozenset({"triton.jit", "triton.runtime.jit", "triton.runtime.jit.jit"})
TUNERS = frozenset(
    {
        "triton.autotune",
        "triton.heuristics",
        "triton.runtime.autotune",
        "triton.runtime.heuristics",
        "triton.runtime.autotuner.autotune",
        "triton.runtime.autotuner.heuristics",
    }
)
CACHES = frozenset({"functools.lru_cache", "functools.cache"})
PASSING = JIT | TUNERS | CACHES | {"functools.wraps", "triton.constexpr_function"}
"""Calls that give back the function they are given, or a decorator that does."""

_COLLECTING = frozenset(
    f"builtins.{name}"
    for name in (
        *("list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "zip"),
        *("enumerate", "map", "filter", "iter"),
    )
)
REDUCING = frozenset(
    f"builtins.{name}" for name in ("sum", "max", "min", "abs", "pow", "divmod", "round")
)
"""Builtins that compute when given a tensor."""

_RETURNING = torch_names.VIEW_METHODS | torch_names.SEVERAL_METHODS


class Calls:
    """The part of `Values` that knows about calls."""

    def __init__(self, values: "Values") -> None:
        self._values = values

    def result(self, node: ast.Call, scope: Scope) -> Tags:
        """The tags of the value of a call."""
        callee = self._values.of(node.func, scope)
        found: set[Tag] = set()
        for tag in callee:
            match tag:
                case Dotted(path):
                    found |= self._imported(path, node, scope)
                case Local(ast.ClassDef() as made):
                    found.add(Instance(made))
                case Local() | Method() | Instance():
                    for function in self.functions(tag):
                        found |= self._values.returned.get(id(function), NOTHING)
                case Launcher():
                    # `warmup` gives a compiled kernel, to be launched like the kernel itself.
                    found.add(Local(tag.node))
        if isinstance(node.func, ast.Attribute) and not found:
            found |= self._method(node, node.func, scope)
        return frozenset(found)

    def functions(self, tag: Tag) -> list[Function]:
        """The functions of the file that calling a value with this tag runs."""
        match tag:
            case Local(node) | Method(node) if isinstance(node, FUNCTIONS):
                return [node]
            case Local(ast.ClassDef() as node):
                return self._members(node, ("__init__", "__post_init__"))
            case Instance(node):
                return self._members(node, ("__call__", "forward"))
        return []

    def _members(self, node: ast.ClassDef, names: tuple[str, ...]) -> list[Function]:
        tags = [tag for n in names for tag in self._values.member(node, n, bound=True)]
        return [f for t in tags if isinstance(t, Local | Method) for f in self.functions(t)]

    def _imported(self, path: str, node: ast.Call, scope: Scope) -> Tags:
        if path in PASSING or path == "functools.partial":
            given = self._passing(path, node, scope)
            return given or frozenset({Dotted(path)})
        if path == "builtins.getattr" and len(node.args) >= 2:
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                return self._values.attribute(self._values.of(node.args[0], scope), name.value)
        arguments = self._arguments(node, scope)
        if path in _COLLECTING or path.startswith("builtins.dict."):
            return inside(elements(arguments) | arguments)
        if path in REDUCING:
            return frozenset(t for t in elements(arguments) if isinstance(t, Tensor))
        if path == "builtins.next":
            return elements(arguments)
        return _torch_result(path)

    def _passing(self, path: str, node: ast.Call, scope: Scope) -> Tags:
        first = self._values.of(node.args[0], scope) if node.args else NOTHING
        if path == "functools.wraps":
            # wraps(f) is a decorator; only what it is applied to comes back.
            return NOTHING if not isinstance(node.func, ast.Call) else first
        kept = frozenset(t for t in first if not isinstance(t, Tensor))
        if path in JIT:
            self._values.jitted |= {id(t.node) for t in kept if isinstance(t, Local)}
        return kept if path not in TUNERS or isinstance(node.func, ast.Call) else NOTHING

    def _arguments(self, node: ast.Call, scope: Scope) -> Tags:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return frozenset[Tag]().union(*(self._values.of(item, scope) for item in given))

    def _method(self, node: ast.Call, func: ast.Attribute, scope: Scope) -> Tags:
        base = self._values.of(func.value, scope)
        tensors = frozenset(tag for tag in base if isinstance(tag, Tensor))
        if any(isinstance(tag, Dotted) for tag in base) and not tensors:
            return NOTHING
        if not tensors and func.attr in torch_names.PLAIN_METHODS:
            return base | elements(base)
        if func.attr in torch_names.QUESTION_METHODS or not (tensors or self._values.guessing):
            return NOTHING
        if func.attr in ("cpu", "pin_memory") or (
            func.attr in ("to", "type") and not self._keeps_device(node, scope)
        ):
            return MOVED
        if not tensors and func.attr not in _RETURNING:
            return NOTHING
        result: Tags = tensors or MOVED
        return inside(result) if func.attr in torch_names.SEVERAL_METHODS else result

    def _keeps_device(self, node: ast.Call, scope: Scope) -> bool:
        """Whether every argument of `.to(...)` is surely a dtype."""
        given = [*node.args, *(k.value for k in node.keywords if k.arg not in ("copy", "dtype"))]
        return all(self._is_dtype(item, scope) for item in given)

    def _is_dtype(self, node: ast.expr, scope: Scope) -> bool:
        if isinstance(node, ast.Attribute) and node.attr == "dtype":
            return True
        if isinstance(node, ast.IfExp):
            return self._is_dtype(node.body, scope) and self._is_dtype(node.orelse, scope)
        tags = self._values.of(node, scope)
        if tags:
            return all(
                isinstance(t, Dotted) and t.path.removeprefix("torch.") in torch_names.DTYPES
                for t in tags
            )
        home = scope.home(node.id) if isinstance(node, ast.Name) else None
        bindings = home.bindings[node.id] if home and isinstance(node, ast.Name) else []
        return bool(bindings) and all(
            b.parameter is not None and b.parameter.arg == "dtype" for b in bindings
        )

    def taken(
        self, node: ast.Call, path: tuple[Step, ...], scope: Scope, depth: int
    ) -> Tags | None:
        """What lies at `path` of a call's value, where a function of the file makes it."""
        callee = self._values.of(node.func, scope)
        functions = [f for tag in callee for f in self.functions(tag)]
        if not functions or any(isinstance(t, Dotted | Launcher) for t in callee):
            return None
        inner = [self._values.names.scopes[id(function)] for function in functions]
        returns = [(n, s) for s in inner for n in s.nodes if isinstance(n, ast.Return)]
        if len(returns) > MANY:
            return None
        found: Tags = NOTHING
        for part, home in returns:
            if part.value is not None:
                found |= self._values.taken(part.value, path, home, depth)
        return found

    def iterated(
        self, node: ast.Call, rest: tuple[Step, ...], scope: Scope, depth: int
    ) -> Tags | None:
        """What `zip` and `enumerate` put at one place of each element."""
        paths = {t.path for t in self._values.of(node.func, scope) if isinstance(t, Dotted)}
        place = rest[0]
        if not isinstance(place, int) or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        if paths == {"builtins.zip"} and place < len(node.args):
            return self._values.taken(node.args[place], (None, *rest[1:]), scope, depth)
        if paths == {"builtins.enumerate"} and node.args:
            first = (None, *rest[1:])
            return self._values.taken(node.args[0], first, scope, depth) if place else NOTHING
        return None

    def hand_over(self, node: ast.Call, scope: Scope) -> None:
        """Let the arguments of a call flow into the parameters of the functions it may run."""
        for tag in self._values.of(node.func, scope):
            for function in self.functions(tag):
                self._hand_to(function, node, scope, skip=_is_bound(tag, self._values, function))

    def _hand_to(self, function: Function, node: ast.Call, scope: Scope, *, skip: bool) -> None:
        arguments = function.args
        positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][int(skip) :]
        star = arguments.vararg.arg if arguments.vararg else ""
        for index, item in enumerate(node.args):
            tags = self._values.of(item, scope)
            if isinstance(item, ast.Starred):
                for name in (*positional[index:], star):
                    self._give(function, name, elements(tags))
                continue
            self._give(function, positional[index] if index < len(positional) else star, tags)
        for keyword in node.keywords:
            tags = self._values.of(keyword.value, scope)
            if keyword.arg is None:
                for name in (*positional, *(a.arg for a in arguments.kwonlyargs)):
                    self._give(function, name, elements(tags))
            else:
                named = keyword.arg in {a.arg for a in (*arguments.args, *arguments.kwonlyargs)}
                rest = arguments.kwarg.arg if arguments.kwarg else ""
                self._give(function, keyword.arg if named else rest, tags)

    def _give(self, function: Function, name: str, tags: Tags) -> None:
        if name and tags:
            key = (id(function), name)
            self._values.passed[key] = self._values.passed.get(key, NOTHING) | tags

    def decorated(self, node: ast.AST, scope: Scope) -> Tags:
        """What a definition leaves under its name, decorators of the file included."""
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        found: set[Tag] = {Local(node)}
        for decorator in node.decorator_list:
            for tag in self._values.of(decorator, scope):
                if isinstance(tag, Dotted) and tag.path in JIT:
                    self._values.jitted.add(id(node))
                for function in self.functions(tag):
                    found |= self._values.returned.get(id(function), NOTHING)
                    parameters = [*function.args.posonlyargs, *function.args.args]
                    if parameters:
                        self._give(function, parameters[0].arg, frozenset({Local(node)}))
        return frozenset(found)


def _is_bound(tag: Tag, values: "Values", function: Function) -> bool:
    if isinstance(tag, Local) and isinstance(tag.node, ast.ClassDef):
        return True
    return (
        isinstance(tag, Method | Instance) and values.names.scopes[id(function)].parent is not None
    )


def _torch_result(path: str) -> Tags:
    """A tensor made by torch lies wherever torch was told to put it."""
    root, _, name = path.partition(".")
    if root != "torch" or name in torch_names.QUESTIONS:
        return NOTHING
    use = torch_names.use_of(name)
    if use is torch_names.Use.FORBIDDEN or name in torch_names.CONTAINERS:
        return NOTHING
    return inside(MOVED) if name in torch_names.SEVERAL_VIEWS else MOVED
