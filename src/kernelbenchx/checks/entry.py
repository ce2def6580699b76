"""The entry: there, a function (or class) of the file, and callable in every documented way."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kernelbenchx.checks.parameters import is_static
from kernelbenchx.checks.rule import Entry, Form, Kind, Parameter, Subject
from kernelbenchx.checks.scopes import FUNCTIONS, Binding, Function, Scope
from kernelbenchx.checks.source import Source
from kernelbenchx.core.outcome import Finding

NAME = "entry"


def find_entry(source: Source, names: Sequence[str]) -> Entry:
    """The first accepted name that the module binds, as the worker will look it up."""
    module = source.names.module
    for name in names:
        bindings = [b for b in module.bindings.get(name, ()) if not b.held]
        if bindings:
            last = max(bindings, key=lambda binding: binding.line)
            # A definition at the top, with nothing after it, is what the name ends up as.
            sure = last.definition is not None and last.definition in source.tree.body
            return _made_by(source, name, last.line, [last] if sure else bindings)
    return Entry()


def _made_by(source: Source, name: str, line: int, bindings: list[Binding]) -> Entry:
    definitions: list[ast.AST] = []
    bound: set[int] = set()
    units: list[ast.AST] = []
    for binding in bindings:
        found: tuple[ast.AST, ...] = (binding.definition,) if binding.definition else ()
        if binding.value is not None and binding.whole:
            found = source.defined(binding.value, binding.scope)
            methods = _method(source, binding.value, binding.scope)
            bound |= {id(m) for m in methods if not is_static(m) or _applies(binding.value)}
            found += tuple(methods)
        definitions += found
        if found or (binding.value is not None and _names_own(source, binding)):
            units.append(binding.definition or binding.unit)
    sure = len(units) == len(bindings)
    return Entry(name, line, tuple(definitions), tuple(units) if sure else (), frozenset(bound))


def _method(source: Source, node: ast.expr, scope: Scope) -> list[Function]:
    """The function under `Class.method`, or behind `Function.apply`."""
    if not isinstance(node, ast.Attribute):
        return []
    wanted = "forward" if _applies(node) else node.attr
    classes = [c for c in source.defined(node.value, scope) if isinstance(c, ast.ClassDef)]
    return [method for c in classes for method in _methods(source, c, wanted)]


def _applies(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "apply"


def _names_own(source: Source, binding: Binding) -> bool:
    """Whether an expression uses a function or class of the file."""
    assert binding.value is not None
    names = (part for part in ast.walk(binding.value) if isinstance(part, ast.Name))
    return any(source.defined(name, binding.scope) for name in names)


def entry(subject: Subject) -> Iterator[Finding]:
    """The entry exists and every documented way of calling it works."""
    found, expectation = subject.entry, subject.expectation
    if not found.name:
        names = ", ".join(expectation.entries)
        yield Finding(rule=NAME, line=1, why=f"defines none of: {names}")
        return
    if not found.units:
        why = f"{found.name} is not defined by a function or class of this file"
        yield Finding(rule=NAME, line=found.line, why=why)
    for definition in found.definitions:
        if expectation.form == Form.MODULE:
            yield from _module(subject, definition)
        else:
            yield from _function(subject, definition)


def _function(subject: Subject, definition: ast.AST) -> Iterator[Finding]:
    name = subject.entry.name
    if not isinstance(definition, FUNCTIONS):
        why = f"{name} is a class; the task asks for a function"
        yield Finding(rule=NAME, line=_line(definition), why=why)
    elif subject.source.is_kernel(definition):
        why = f"{name} is a kernel itself; the task asks for a function that launches it"
        yield Finding(rule=NAME, line=_line(definition), why=why)
    else:
        method = id(definition) in subject.entry.bound
        yield from _signature(name, definition, subject.expectation.parameters, drop_first=method)


def _module(subject: Subject, definition: ast.AST) -> Iterator[Finding]:
    name = subject.entry.name
    if not isinstance(definition, ast.ClassDef):
        why = f"{name} is a function; the task asks for a class with `forward`"
        yield Finding(rule=NAME, line=_line(definition), why=why)
        return
    forward = _methods(subject.source, definition, "forward")
    if not forward:
        yield Finding(rule=NAME, line=_line(definition), why=f"{name} has no `forward`")
    wanted = [(m, subject.expectation.parameters) for m in forward]
    init = _methods(subject.source, definition, "__init__")
    making = subject.expectation.init
    wanted += [(m, making) for m in init if making is not None]
    if making and not init:
        why = f"{name} has no `__init__`, but is made with arguments"
        yield Finding(rule=NAME, line=_line(definition), why=why)
    for method, every in wanted:
        parameters = _asked(every, method, drop_first=not is_static(method))
        label = f"{name}.{getattr(method, 'name', '')}"
        yield from _signature(label, method, parameters, drop_first=not is_static(method))


def _asked(wanted: Sequence[Parameter], method: Function, *, drop_first: bool) -> list[Parameter]:
    """Of arguments that are given by place, those with a default may be missing at the end."""
    taken = [p for p in read_parameters(method.args)[int(drop_first) :] if p.kind in _POSITIONAL]
    asked = [p for at, p in enumerate(wanted) if at < len(taken) or not _is_optional(p)]
    return [replace(p, has_default=False) if _is_optional(p) else p for p in asked]


def _is_optional(parameter: Parameter) -> bool:
    return parameter.kind is Kind.POSITIONAL_ONLY and parameter.has_default


def _methods(source: Source, node: ast.ClassDef, name: str, most: int = 8) -> list[Function]:
    """What a class, or the classes of the file that it derives from, has under a name."""
    scope = source.names.scopes[id(node)]
    own = [b.definition for b in scope.bindings.get(name, ())]
    found: list[Function] = [d for d in own if isinstance(d, FUNCTIONS)]
    if found or not most or scope.parent is None:
        return found
    bases = [b for base in node.bases for b in source.defined(base, scope.parent)]
    return [
        m
        for b in bases
        if isinstance(b, ast.ClassDef) and b is not node
        for m in _methods(source, b, name, most - 4)
    ]


def _signature(
    label: str, node: Function, wanted: Iterable[Parameter], *, drop_first: bool
) -> Iterator[Finding]:
    given = read_parameters(node.args)[int(drop_first) :]
    for why in incompatibilities(tuple(wanted), given):
        yield Finding(rule=NAME, line=_line(node), why=f"{label}: {why}")


def read_parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """The signature of a function, in order."""
    positional = [*((a, Kind.POSITIONAL_ONLY) for a in arguments.posonlyargs)]
    positional += [(a, Kind.POSITIONAL_OR_KEYWORD) for a in arguments.args]
    required = len(positional) - len(arguments.defaults)
    found = [Parameter(a.arg, k, i >= required) for i, (a, k) in enumerate(positional)]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, Kind.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(argument.arg, Kind.KEYWORD_ONLY, default is not None))
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, Kind.VAR_KEYWORD))
    return tuple(found)


_POSITIONAL = (Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD)
_BY_NAME = (Kind.POSITIONAL_OR_KEYWORD, Kind.KEYWORD_ONLY)


def incompatibilities(wanted: Sequence[Parameter], given: Sequence[Parameter]) -> Iterator[str]:
    """Every documented way of calling that a signature does not allow, in words."""
    by_place = [p for p in given if p.kind in _POSITIONAL]
    by_name = {p.name: p for p in given if p.kind in _BY_NAME}
    kinds = {p.kind for p in given}
    place = 0
    for parameter in wanted:
        found = by_name.get(parameter.name)
        if parameter.kind in (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD):
            if parameter.kind not in kinds:
                yield f"must take *{parameter.name}"
            continue
        if parameter.kind in _POSITIONAL:
            at = by_place[place] if place < len(by_place) else None
            place += 1
            found = found or at
            if not _fits(parameter, at, found) and not (
                at is None and Kind.VAR_POSITIONAL in kinds
            ):
                yield f"`{parameter.name}` must be positional argument {place}"
                continue
        if parameter.kind in _BY_NAME and found is None and Kind.VAR_KEYWORD not in kinds:
            yield f"cannot be given `{parameter.name}` by name"
        if parameter.has_default and found is not None and not found.has_default:
            yield f"`{parameter.name}` must have a default"
    yield from _demands(wanted, given)


def _fits(parameter: Parameter, at: Parameter | None, found: Parameter | None) -> bool:
    if at is None:
        return False
    if parameter.kind is Kind.POSITIONAL_ONLY:
        return True
    return at is found and at.name == parameter.name and at.kind is Kind.POSITIONAL_OR_KEYWORD


def _demands(wanted: Sequence[Parameter], given: Sequence[Parameter]) -> Iterator[str]:
    """Parameters that nobody will ever give."""
    places = sum(p.kind in _POSITIONAL for p in wanted)
    names = {p.name for p in wanted}
    variable = (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)
    for index, parameter in enumerate(given):
        if parameter.has_default or parameter.kind in variable or parameter.name in names:
            continue
        if parameter.kind is Kind.POSITIONAL_ONLY and index < places:
            continue
        if index < places and parameter.kind is Kind.POSITIONAL_OR_KEYWORD:
            continue
        yield f"requires `{parameter.name}`, which the task does not have"


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))
