"""No looking under the floor: private names, reflection, hooks of the language, odd classes.

A static pass proves nothing; these rules remove whole families of tricks cheaply, in front of the
sandbox. What neither importing the file nor calling the entry can run is left alone.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import Scope
from kernelbenchx.checks.tags import Dotted, Instance, Local, dotted, has_tensor
from kernelbenchx.core.outcome import Finding

NAME = "introspection"

BUILTINS = frozenset(
    """abs all any bool bytes callable chr classmethod complex dict divmod enumerate filter float
    format frozenset getattr hasattr hash int isinstance issubclass iter len list map max min next
    object ord pow print property range repr reversed round set slice sorted staticmethod str sum
    super tuple type zip True False None Ellipsis NotImplemented""".split()  # noqa: SIM905
)
"""Builtins that a wrapper may name, beside exceptions that are errors."""

METHODS = frozenset({"__init__", "__call__", "__post_init__", "__repr__", "__str__", "__len__"})
"""Special methods that a class of a submission may define."""

BASES = frozenset(
    {
        *("torch.autograd.Function", "torch.nn.Module", "typing.NamedTuple", "typing.Protocol"),
        *("enum.Enum", "enum.IntEnum", "enum.StrEnum", "builtins.object", "typing.TypedDict"),
    }
)
"""What a class of a submission may derive from, beside classes of the file."""

HIDDEN = frozenset(
    {
        *("gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_code", "ag_frame", "tb_frame"),
        *("tb_next", "f_back", "f_globals", "f_locals", "f_builtins", "f_code", "func_globals"),
        *("mro", "co_code", "co_consts", "numpy", "storage", "untyped_storage", "typed_storage"),
        *("set_", "share_memory_", "apply_", "map_", "map2_", "register_hook", "to_dlpack"),
    }
)
"""Public attributes that lead to frames, to foreign memory or to hooks."""

_DUNDER = re.compile(r"__\w+__")
_READABLE = {"torch.__version__", "triton.__version__", "torch.version.cuda"}


def introspection(subject: Subject) -> Iterator[Finding]:
    """Nothing that runs reflects on Python, the harness or another object's private parts."""
    own = _own_names(subject)
    for node, scope in subject.reach.walk():
        why = _looks(subject, node, scope, own)
        if why:
            yield Finding(rule=NAME, line=getattr(node, "lineno", 1), why=why)


def _looks(subject: Subject, node: ast.AST, scope: Scope, own: set[str]) -> str:
    match node:
        case ast.Name():
            return _name(subject, node, scope)
        case ast.Attribute():
            return _attribute(subject, node, scope, own)
        case ast.Call():
            return _call(subject, node, scope)
        case ast.ClassDef():
            return _class(subject, node, scope)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _function(node, scope)
        case ast.MatchClass():
            hidden = [name for name in node.kwd_attrs if name.startswith("_")]
            return f"a pattern reads {hidden[0]}" if hidden else ""
        case ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            return "asynchronous code"
    return ""


def _name(subject: Subject, node: ast.Name, scope: Scope) -> str:
    if _DUNDER.fullmatch(node.id):
        allowed = node.id == "__all__" or (node.id == "__name__" and isinstance(node.ctx, ast.Load))
        return "" if allowed else f"the name {node.id}"
    for path in dotted(subject.source.of(node, scope)):
        word = path.removeprefix("builtins.")
        if word != path and word == node.id and not _is_harmless(word):
            return f"the builtin {word}"
    return ""


def _is_harmless(word: str) -> bool:
    if word in BUILTINS:
        return True
    found = getattr(builtins, word, None)
    return isinstance(found, type) and issubclass(found, Exception)


def _attribute(subject: Subject, node: ast.Attribute, scope: Scope, own: set[str]) -> str:
    if node.attr in HIDDEN and node.attr not in own:
        return f"the attribute {node.attr}"
    if not node.attr.startswith("_"):
        return ""
    if node.attr == "__init__" and _is_super(node.value):
        return ""
    if set(dotted(subject.source.of(node, scope))) & _READABLE:
        return ""
    private = not _DUNDER.fullmatch(node.attr)
    tags = subject.source.of(node.value, scope)
    mine = not tags or any(isinstance(t, Instance | Local) for t in tags)
    if private and mine and node.attr in own and not has_tensor(tags):
        return ""
    return f"the private attribute {node.attr}"


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (node.func.id == "super")
    )


def _call(subject: Subject, node: ast.Call, scope: Scope) -> str:
    paths = dotted(subject.source.of(node.func, scope))
    for path in paths:
        if path in ("builtins.getattr", "builtins.hasattr"):
            name = node.args[1] if len(node.args) > 1 else None
            text = name.value if isinstance(name, ast.Constant) else None
            if not isinstance(text, str):
                return f"{path.removeprefix('builtins.')} by a name that is not written out"
            if text.startswith("_") or text in HIDDEN:
                return f"{path.removeprefix('builtins.')} of {text}"
        if path == "builtins.type" and (len(node.args) != 1 or node.keywords):
            return "a class made by type()"
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("format", "format_map"):
        base = node.func.value
        text = base.value if isinstance(base, ast.Constant) else None
        if isinstance(text, str) and "__" in text:
            return "a format string that reads private attributes"
    return ""


def _class(subject: Subject, node: ast.ClassDef, scope: Scope) -> str:
    if node.keywords:
        return f"class {node.name} has a metaclass or class arguments"
    for base in node.bases:
        tags = subject.source.of(base, scope)
        known = [
            t for t in tags if isinstance(t, Local) or (isinstance(t, Dotted) and t.path in BASES)
        ]
        if not tags or len(known) != len(tags):
            return f"class {node.name} derives from {ast.unparse(base)[:60]}"
    return ""


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> str:
    if isinstance(node, ast.AsyncFunctionDef):
        return f"the asynchronous function {node.name}"
    if not _DUNDER.fullmatch(node.name):
        return ""
    inside = isinstance(scope.owner, ast.ClassDef)
    return "" if inside and node.name in METHODS else f"defines {node.name}"


def _own_names(subject: Subject) -> set[str]:
    """Private names that the classes and functions of the file give to their own objects."""
    own = {store.target.attr for store in subject.source.names.stores}
    for scope in subject.source.names.scopes.values():
        if isinstance(scope.owner, ast.ClassDef):
            own |= set(scope.bindings)
    return own
