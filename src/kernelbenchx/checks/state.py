"""Nothing outlives a call: no patching of modules, no results kept for the next call.

A module-level table, a `global`, a function's attribute, a mutable default, an object's field
written outside `__init__`, or a cache on a function that sees tensors could hand back an old
answer. Plain numbers (a device's properties, a block size) may be kept.
"""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.calls import CACHES
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import FUNCTIONS, MANY, Scope, every_argument
from kernelbenchx.checks.tags import Dotted, Instance, Local, dotted, holds_tensor
from kernelbenchx.core.outcome import Finding

NAME = "state"

_WRITING = {"append", "extend", "insert", "add", "update", "setdefault", "appendleft", "copy_"}
_PLAIN_CALLS = (
    *("builtins.int", "builtins.float", "builtins.bool", "builtins.str", "builtins.len"),
    *("builtins.min", "builtins.max", "builtins.abs", "builtins.round", "math.", "triton.cdiv"),
    *("triton.next_power_of_2", "triton.Config", "triton.runtime.driver."),
    *("torch.cuda.get_device_properties", "torch.cuda.get_device_capability"),
    *("torch.cuda.current_device", "torch.cuda.get_device_name", "torch.device"),
)


def state(subject: Subject) -> Iterator[Finding]:
    """No function writes to what outlives its call, and nothing imported is changed."""
    for scope in subject.reach.scopes():
        for node in subject.reach.nodes(scope):
            why = _writes(subject, node, scope)
            if why:
                yield Finding(rule=NAME, line=getattr(node, "lineno", 1), why=why)


def _writes(subject: Subject, node: ast.AST, scope: Scope) -> str:
    match node:
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            return _attribute(subject, node, scope)
        case ast.Subscript(ctx=ast.Store() | ast.Del()):
            return _container(subject, node.value, scope.assigned.get(id(node)), scope)
        case ast.Name(ctx=ast.Store()) if scope.outer.get(node.id):
            value = scope.assigned.get(id(node))
            kept = _outlives(subject, node.id, scope) and not _is_plain(subject, value, scope)
            return f"{node.id} keeps a value for the next call" if kept else ""
        case ast.Call(func=ast.Attribute(value=base, attr=attr)) if attr in _WRITING:
            if any(isinstance(tag, Dotted) for tag in subject.source.of(base, scope)):
                return ""  # a function of a module, such as torch.add
            values: list[ast.expr | None] = [*node.args] or [None]
            for value in values:
                why = _container(subject, base, value, scope)
                if why:
                    return why
        case ast.FunctionDef():
            return _cached(subject, node, scope)
    return ""


def _attribute(subject: Subject, node: ast.Attribute, scope: Scope) -> str:
    tags = subject.source.of(node.value, scope)
    if any(isinstance(tag, Dotted) for tag in tags):
        return f"changes {ast.unparse(node)[:60]}, which is imported"
    if any(isinstance(tag, Local) for tag in tags):
        return f"{ast.unparse(node)[:60]} keeps a value on a function or class"
    if any(isinstance(tag, Instance) for tag in tags):
        making = isinstance(scope.owner, FUNCTIONS) and getattr(scope.owner, "name", "") in (
            "__init__",
            "__post_init__",
        )
        fresh = making or _is_plain(subject, scope.assigned.get(id(node)), scope)
        return "" if fresh else f"{ast.unparse(node)[:60]} keeps a value for the next call"
    base = node.value
    if isinstance(base, ast.Name) and _outlives(subject, base.id, scope):
        return f"{ast.unparse(node)[:60]} keeps a value for the next call"
    return ""


def _container(subject: Subject, base: ast.expr, value: ast.expr | None, scope: Scope) -> str:
    """Writing into a container: whose is it, and what is kept?"""
    root = base
    while isinstance(root, ast.Attribute | ast.Subscript):
        tags = subject.source.of(root, scope)
        if any(isinstance(tag, Dotted) for tag in tags):
            return f"changes {ast.unparse(root)[:60]}, which is imported"
        root = root.value
    if not isinstance(root, ast.Name) or _is_plain(subject, value, scope):
        return ""
    if any(isinstance(tag, Dotted) for tag in subject.source.of(root, scope)):
        return f"changes {root.id}, which is imported"
    own = isinstance(base, ast.Attribute) and any(
        isinstance(tag, Instance | Local) for tag in subject.source.of(root, scope)
    )
    if _outlives(subject, root.id, scope) or (own and not _is_init(scope)):
        return f"{ast.unparse(base)[:60]} keeps a value for the next call"
    return ""


def _is_init(scope: Scope) -> bool:
    return getattr(scope.owner, "name", "") in ("__init__", "__post_init__")


def _outlives(subject: Subject, name: str, scope: Scope) -> bool:
    """Whether code of a function writes to something older than its own call."""
    if not isinstance(scope.owner, FUNCTIONS):
        return False
    home = scope.home(name)
    if home is None:
        return bool(scope.outer.get(name))
    if home is scope:
        return any(
            b.parameter is not None
            and isinstance(b.value, ast.Dict | ast.List | ast.Set | ast.Call)
            for b in home.bindings[name]
        )
    return not isinstance(home.owner, FUNCTIONS) or id(home.owner) in subject.reach.imported


def _is_plain(subject: Subject, node: ast.expr | None, scope: Scope, depth: int = 5) -> bool:
    """Whether a value is surely a number, a string or an answer of the device."""
    if node is None or not depth:
        return False
    match node:
        case ast.Constant():
            return True
        case ast.Attribute() | ast.Subscript() | ast.UnaryOp():
            inner = node.operand if isinstance(node, ast.UnaryOp) else node.value
            return _is_plain(subject, inner, scope, depth - 1)
        case ast.BinOp():
            return all(_is_plain(subject, n, scope, depth - 1) for n in (node.left, node.right))
        case ast.Call():
            paths = dotted(subject.source.of(node.func, scope))
            return bool(paths) and all(path.startswith(_PLAIN_CALLS) for path in paths)
        case ast.Name():
            home = scope.home(node.id)
            return (
                home is not None
                and len(home.bindings[node.id]) <= MANY
                and all(
                    not b.parameter
                    and not b.held
                    and _is_plain(subject, b.value, b.scope, depth - 1)
                    for b in home.bindings[node.id]
                )
            )
    return False


def _cached(subject: Subject, node: ast.FunctionDef, scope: Scope) -> str:
    paths = {p for d in node.decorator_list for p in dotted(subject.source.of(d, scope))}
    if not paths & CACHES:
        return ""
    inner = subject.source.names.scopes[id(node)]
    arguments = [ast.Name(id=a.arg, ctx=ast.Load()) for a in every_argument(node.args)]
    sees = any(holds_tensor(subject.source.of(argument, inner)) for argument in arguments)
    gives = holds_tensor(subject.source.values.returned.get(id(node), frozenset()))
    return f"{node.name} is cached and handles tensors" if sees or gives else ""


def identity(subject: Subject) -> Iterator[Finding]:
    """No address, version or identity of a tensor decides anything."""
    for node, scope in subject.reach.walk():
        if isinstance(node, ast.Subscript | ast.Dict | ast.Compare):
            keys = _keys(node)
            parts = [p for key in keys for p in ast.walk(key) if isinstance(p, ast.Attribute)]
            if any(part.attr == "data_ptr" for part in parts):
                why = "the address of a tensor used as a key"
                fatal = not isinstance(node, ast.Compare)
                yield Finding(rule=NAME, line=node.lineno, why=why, fatal=fatal)
        if isinstance(node, ast.Call) and _looks_up(node) and _names_address(node, scope):
            why = "the address of a tensor used as a key"
            yield Finding(rule=NAME, line=node.lineno, why=why)


def _looks_up(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "setdefault", "pop")


def _keys(node: ast.Subscript | ast.Dict | ast.Compare) -> list[ast.expr]:
    match node:
        case ast.Subscript():
            return [node.slice]
        case ast.Dict():
            return [key for key in node.keys if key is not None]
    return [node.left, *node.comparators]


def _names_address(node: ast.Call, scope: Scope) -> bool:
    parts = [part for argument in node.args for part in ast.walk(argument)]
    if any(isinstance(part, ast.Attribute) and part.attr == "data_ptr" for part in parts):
        return True
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    bound = [b.value for name in names for b in scope.bindings.get(name, []) if b.value]
    return any(
        isinstance(part, ast.Attribute) and part.attr == "data_ptr"
        for value in bound
        for part in ast.walk(value)
    )
