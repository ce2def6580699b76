"""Refuses introspection: private names, reflection, hooks of the language, unusual classes.

These rules hold for every statement of the file. A static pass proves nothing; it removes whole
families of tricks cheaply, in front of the sandbox.
"""

import ast
import builtins
import re
import string
from collections.abc import Iterator

from kernelbenchx.checks.allowed import NameKind, is_hidden, kind_of
from kernelbenchx.checks.objects import is_own_object
from kernelbenchx.checks.paths import written_attribute
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import Binding, NameScope, NodePlace
from kernelbenchx.checks.source import Source
from kernelbenchx.core.outcome import Finding

NAME = "introspection"

BUILTINS = frozenset(
    """abs all any bool bytes callable chr classmethod complex dict divmod enumerate filter float
    format frozenset getattr hasattr input int isinstance issubclass iter len list map max min next
    object ord pow print property range repr reversed round set slice sorted staticmethod str sum
    super tuple type zip True False None Ellipsis NotImplemented""".split()  # noqa: SIM905
)
"""Builtins that a submission may name, beside exceptions that are errors. `input` is the name of
many an argument; the worker has nothing to read."""

CALLED = frozenset({"getattr", "hasattr", "super", "type"})
"""Of these, the ones that may only be called where they are named: their arguments are checked."""

METHODS = frozenset({"__init__", "__call__", "__post_init__", "__repr__", "__str__", "__len__"})
"""Special methods that a class of a submission may define."""

BASES = frozenset(
    {
        *("torch.autograd.Function", "torch.nn.Module", "typing.NamedTuple", "typing.Protocol"),
        *("enum.Enum", "enum.IntEnum", "enum.StrEnum", "builtins.object", "typing.TypedDict"),
    }
)
"""What a class of a submission may derive from, beside classes of the file."""

_DUNDER = re.compile(r"__\w+__")
_READABLE = {"__name__", "__all__", "__doc__"}
_BINDABLE = {"__all__", "__slots__", "__version__", "__author__"}
_FORMATTING = {"format", "format_map"}
_TYPE_NODES = tuple(
    getattr(ast, name)
    for name in ("TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple")
    if hasattr(ast, name)
)
_RECURRENT = ("weight_ih_l", "weight_hh_l", "weight_hr_l", "bias_ih_l", "bias_hh_l")
"""Beginnings of the parameters of `torch.nn.GRU` and the like; nothing else is named so."""
_LOADS_A_BINARY = "_init_handles"
"""Of what `kernel.warmup(...)` returns; launchers of Triton's tutorials need it for `n_regs`."""


def introspection(subject: Subject) -> Iterator[Finding]:
    """Nothing reflects on Python, the harness or another object's private parts."""
    for kind, look in _LOOKS.items():
        places = _odd_names(subject) if kind is ast.Name else subject.source.places(kind)
        for place in places:
            why = look(subject, place)
            if why:
                yield Finding(rule=NAME, line=place.line, why=why)
    for scope in subject.source.names.scopes.values():
        for name, bindings in scope.bindings.items():
            for binding in bindings if name.startswith("__") and _DUNDER.fullmatch(name) else ():
                if name not in _BINDABLE and binding.definition is None:
                    yield Finding(rule=NAME, line=binding.line, why=f"binds the name {name}")


def _odd_names(subject: Subject) -> Iterator[NodePlace]:
    """The uses of names that start like private ones, or may be builtins."""
    for (_, name), places in subject.source.names.uses.items():
        if name.startswith("__") or places[0].scope.is_builtin(name):
            yield from places


def _name(subject: Subject, place: NodePlace) -> str:
    node = place.node
    assert isinstance(node, ast.Name)
    if _DUNDER.fullmatch(node.id):
        readable = node.id in _READABLE or not isinstance(node.ctx, ast.Load)
        return "" if readable else f"the name {node.id}"
    if node.id.startswith("__") and _in_class(place.scope):
        return f"the name {node.id}, which Python changes inside a class"
    if isinstance(node.ctx, ast.Load) and place.scope.is_builtin(node.id):
        if not _is_harmless(node.id):
            return f"the builtin {node.id}"
        if node.id in CALLED and not _is_called(subject, node):
            return f"the builtin {node.id} as a value"
    return ""


def _in_class(scope: NameScope | None) -> bool:
    while scope is not None:
        if isinstance(scope.owner, ast.ClassDef):
            return True
        scope = scope.parent
    return False


def _is_harmless(word: str) -> bool:
    found = getattr(builtins, word, None)
    return word in BUILTINS or (isinstance(found, type) and issubclass(found, Exception))


def _is_called(subject: Subject, node: ast.Name) -> bool:
    parent = subject.source.names.parents[id(node)]
    if isinstance(parent, ast.Call):
        asked = isinstance(parent.func, ast.Name) and parent.func.id in ("isinstance", "issubclass")
        return parent.func is node or (asked and node.id == "type" and node in parent.args[1:])
    return False


def _attribute(subject: Subject, place: NodePlace) -> str:
    node = place.node
    assert isinstance(node, ast.Attribute)
    if node.attr in _FORMATTING:
        return _format(subject, node, place.scope)
    if not is_hidden(node.attr) or node.attr == _LOADS_A_BINARY:
        return ""
    paths = subject.source.of(node, place.scope)
    if paths and all(kind_of(path) is not NameKind.FORBIDDEN for path in paths):
        return ""
    if not node.attr.startswith("_"):
        return f"the attribute {node.attr}"
    if node.attr == "__init__" and _is_super(node.value):
        return ""
    private = not node.attr.startswith("__") or not node.attr.endswith("__")
    if private and is_own_object(subject.source, node.value, place.scope):
        return ""
    return f"the private attribute {node.attr}"


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _format(subject: Subject, node: ast.Attribute, scope: NameScope) -> str:
    """`str.format` reads attributes by name, so its string has to be written out."""
    if is_own_object(subject.source, node.value, scope):
        return ""
    if isinstance(node.value, ast.Name):
        safe = subject.source.about(_are_safe_texts, node.value.id, scope)
    else:
        safe = _is_safe_text(node.value)
    return "" if safe else f"{node.attr} of a text that is not written out or reads attributes"


def _are_safe_texts(_source: Source, bindings: list[Binding]) -> bool:
    return bool(bindings) and all(
        b.whole and not b.parameter and _is_safe_text(b.value) for b in bindings
    )


def _is_safe_text(node: ast.expr | None) -> bool:
    written = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return written and not _reads_hidden(str(getattr(node, "value", "")))


def _reads_hidden(text: str) -> bool:
    try:
        fields = [(field or "", spec or "") for _, field, spec, _ in string.Formatter().parse(text)]
    except ValueError:
        return False
    return any("{" in spec and _reads_hidden(spec) for _, spec in fields) or any(
        is_hidden(piece)
        for field, _ in fields
        for piece in re.split(r"[.\[\]]+", field)[1:]
        if piece
    )


def modules(subject: Subject) -> Iterator[Finding]:
    """A module may be renamed and read for its parts; elsewhere it could no longer be followed."""
    for one in subject.source.named:
        paths = [path for path in one.paths if kind_of(path) is NameKind.MODULE]
        node = one.place.node
        read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if paths and read and not _stays_in_sight(subject, node, one.place.scope):
            why = f"the module {min(paths)} as a value; name its parts instead"
            yield Finding(rule=NAME, line=one.line, why=why)


def _stays_in_sight(subject: Subject, node: ast.AST, scope: NameScope) -> bool:
    parent = subject.source.names.parents[id(node)]
    match parent:
        case ast.Attribute() | ast.Expr():
            return True
        case ast.IfExp(test=test) if test is node:
            return True
        case ast.BoolOp() | ast.NamedExpr() | ast.IfExp():
            return _stays_in_sight(subject, parent, scope)
        case ast.Assign(targets=targets):
            return _renames(targets, scope)
        case ast.AnnAssign(target=target):
            return _renames([target], scope)
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[first, *_]):
            return first is node
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]) | ast.If() | ast.While() | ast.UnaryOp():
            return True
    return False


def _renames(targets: list[ast.expr], scope: NameScope) -> bool:
    plain = all(isinstance(target, ast.Name) for target in targets)
    return plain and not isinstance(scope.owner, ast.ClassDef)


def _call(subject: Subject, place: NodePlace) -> str:
    node = place.node
    assert isinstance(node, ast.Call)
    word = node.func.id if isinstance(node.func, ast.Name) else ""
    if word not in CALLED or not place.scope.is_builtin(word):
        return ""
    if word == "type":
        plain = (
            len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred)
        )
        return "" if plain else "a class made by type()"
    if word == "super":
        return ""
    if word == "getattr" and _is_parameter(subject, node):
        return ""
    text = written_attribute(node)
    if text is None or any(isinstance(argument, ast.Starred) for argument in node.args):
        return f"{word} by a name that is not written out"
    if is_hidden(text) or text in _FORMATTING:
        return f"{word} of {text}"
    return ""


def _is_parameter(subject: Subject, node: ast.Call) -> bool:
    """`getattr(self.gru, f"weight_ih_l{layer}")`, where nothing in the file is named so."""
    match node.args:
        case [_, ast.JoinedStr(values=[ast.Constant(value=str() as text), *_])]:
            named = (*subject.source.names.methods, *subject.constructors.layers)
            return text.startswith(_RECURRENT) and not any(n.startswith(_RECURRENT) for n in named)
    return False


def _class(subject: Subject, place: NodePlace) -> str:
    node = place.node
    assert isinstance(node, ast.ClassDef)
    if node.keywords:
        return f"class {node.name} has a metaclass or class arguments"
    for base in node.bases:
        paths = subject.source.of(base, place.scope)
        own = subject.source.find_definitions(base, place.scope)
        known = paths <= BASES and all(isinstance(d, ast.ClassDef) for d in own)
        if not known or not (paths or own):
            return f"class {node.name} derives from {ast.unparse(base)[:60]}"
    return _function(subject, place) if _DUNDER.fullmatch(node.name) else ""


def _function(_subject: Subject, place: NodePlace) -> str:
    node = place.node
    name: str = getattr(node, "name", "")
    if isinstance(node, ast.AsyncFunctionDef):
        return f"the asynchronous function {name}"
    if not _DUNDER.fullmatch(name):
        return ""
    inside = isinstance(place.scope.owner, ast.ClassDef)
    return "" if inside and name in METHODS else f"defines {name}"


def _pattern(_subject: Subject, place: NodePlace) -> str:
    hidden = [name for name in getattr(place.node, "kwd_attrs", ()) if is_hidden(name)]
    return f"a pattern reads {hidden[0]}" if hidden else ""


_LOOKS = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.ClassDef: _class,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.MatchClass: _pattern,
    **dict.fromkeys((ast.Await, ast.AsyncFor, ast.AsyncWith), lambda *_: "asynchronous code"),
    **dict.fromkeys(_TYPE_NODES, lambda *_: "type parameters"),
}
