"""Permits common idioms that keep no state: log messages, custom operators, a torch setting.

A logger keeps what it is given, and an operator can be switched off: each may be used in the forms
below and in no other.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import NameScope, NodePlace
from kernelbenchx.checks.source import Source
from kernelbenchx.core.outcome import Finding

NAME = "idioms"

MESSAGES = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
"""Functions of `logging`, and methods of a logger, that write a message."""
OPERATORS = frozenset({"torch.library.custom_op", "torch.library.triton_op"})
HARMLESS_SETTING = "torch.backends.cudnn.benchmark"
"""May be set to a constant, and not read: reading it would show that there was a call."""
_LOGGER, _WRAP = "logging.getLogger", "torch.library.wrap_triton"
_QUIET = frozenset({"warnings.filterwarnings", "warnings.simplefilter"})
_CALLED = {f"logging.{name}" for name in (*MESSAGES, "basicConfig")} | {"warnings.warn"} | _QUIET
_CONFIGURED = {"level", "format", "datefmt"}


@dataclass(frozen=True)
class _LoggerOrOperator:
    """A logger or an operator, by the scope that its name belongs to."""

    home: NameScope | None
    operator: bool


def idioms(subject: Subject) -> Iterator[Finding]:
    """Loggers write messages, warnings are written or ignored, operators have a kernel's body."""
    source = subject.source
    named: dict[str, list[_LoggerOrOperator]] = defaultdict(list)
    for one in source.named:
        for path in one.paths:
            why = _misuse(source, one.place, path)
            if why:
                yield Finding(rule=NAME, line=one.line, why=why)
        operator = bool(one.paths & OPERATORS)
        if (operator or _LOGGER in one.paths) and (name := _given_name(source, one.place)):
            named[name].append(_LoggerOrOperator(one.place.scope.home(name), operator))
    for (_, name), places in source.names.uses.items() if named else ():
        homes = list(places[0].scope.homes(name))
        for known in named.get(name, ()):
            for place in places if known.home in homes else ():
                if not _is_in_sight(source, place, operator=known.operator):
                    what = "an operator: call it" if known.operator else "a logger: write messages"
                    yield Finding(rule=NAME, line=place.line, why=f"{name} is {what}")


def _misuse(source: Source, place: NodePlace, path: str) -> str:
    node = place.node
    call = _call_of(source, node)
    if path in _CALLED and call is None:
        return f"{path} as a value"
    if call is not None and path == "logging.basicConfig":
        plain = not call.args and {one.arg for one in call.keywords} <= _CONFIGURED
        return "" if plain else f"{path} takes {', '.join(sorted(_CONFIGURED))} alone"
    if call is not None and path in _QUIET:
        given = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "action")]
        ignores = len(given) == 1 and getattr(given[0], "value", None) == "ignore"
        return "" if ignores else f'{path} with another action than "ignore"'
    if path == HARMLESS_SETTING and isinstance(_context(node), ast.Load):
        return f"reads {path}"
    if path == _WRAP:
        launched = call is not None and isinstance(source.names.parents[id(call)], ast.Subscript)
        return "" if launched else f"{path} other than to launch"
    in_class = isinstance(place.scope.owner, ast.ClassDef)
    if path == _LOGGER and (in_class or call is None or not _is_named_or_asked(source, call)):
        return f"{path} other than to name a logger"
    if path in OPERATORS and (in_class or call is None or not _decorates(source, call)):
        return f"{path} other than to decorate a function"
    return ""


def _given_name(source: Source, place: NodePlace) -> str:
    """What a logger or an operator is called from then on."""
    call = _call_of(source, place.node)
    match None if call is None else source.names.parents[id(call)]:
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def _is_in_sight(source: Source, place: NodePlace, *, operator: bool) -> bool:
    """Whether a use of the name calls the operator, or asks the logger for a message."""
    node = place.node
    if not isinstance(_context(node), ast.Load):
        return True
    parent = source.names.parents[id(node)]
    if not operator:
        asks = isinstance(parent, ast.Attribute) and parent.attr in MESSAGES
        return asks and _call_of(source, parent) is not None
    if isinstance(parent, ast.Attribute) and parent.attr == "register_fake":
        return _stands_on_a_function(source, parent)
    return _call_of(source, node) is not None


def _context(node: ast.AST) -> ast.expr_context:
    return getattr(node, "ctx", ast.Load())


def _call_of(source: Source, node: ast.AST) -> ast.Call | None:
    """The call of what a node names."""
    parent = source.names.parents[id(node)]
    return parent if isinstance(parent, ast.Call) and parent.func is node else None


def _is_named_or_asked(source: Source, call: ast.Call) -> bool:
    """`logger = getLogger(name)`, or `getLogger(name).info(text)`."""
    parent = source.names.parents[id(call)]
    match parent:
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
            return True
        case ast.Attribute(attr=name):
            return name in MESSAGES and _call_of(source, parent) is not None
    return False


def _decorates(source: Source, call: ast.Call) -> bool:
    """As `@custom_op("library::name", mutates_args=...)`."""
    named = len(call.args) == 1 and isinstance(call.args[0], ast.Constant)
    plain = all(one.arg in ("mutates_args", "device_types", "schema") for one in call.keywords)
    return named and plain and _stands_on_a_function(source, call)


def _stands_on_a_function(source: Source, node: ast.AST) -> bool:
    parent = source.names.parents[id(node)]
    return isinstance(parent, ast.FunctionDef) and node in parent.decorator_list
