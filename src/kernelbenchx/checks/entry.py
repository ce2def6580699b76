"""The entry: a function or class of the file, and how it takes the task's calls."""

import ast
from collections.abc import Iterator, Sequence

import msgspec

from kernelbenchx.checks.binding import CannotBind, bind, by_position_alone, plain_call
from kernelbenchx.checks.parameters import is_static
from kernelbenchx.checks.rule import (
    BoundEntry,
    Entry,
    Expectation,
    Form,
    SignatureParameter,
    Subject,
)
from kernelbenchx.checks.scopes import FUNCTIONS, Binding, Function, NameScope
from kernelbenchx.checks.signatures import read_parameters
from kernelbenchx.checks.source import Source
from kernelbenchx.core.argument_binding import ArgumentBinding, EntryBinding
from kernelbenchx.core.outcome import Finding

NAME = "entry"


def find_entry(source: Source, names: Sequence[str], form: Form = Form.MODULE) -> Entry:
    """The first accepted name that the module binds; where a function is asked for, one that is
    no class comes first: beside `lion_step` a class `Lion` may hold its state."""
    found = [one for name in names if (one := _bound_to(source, name)) is not None]
    if form is Form.FUNCTION:
        found.sort(key=_is_class)
    return found[0] if found else Entry()


def _is_class(entry: Entry) -> bool:
    return any(isinstance(one, ast.ClassDef) for one in entry.definitions)


def _bound_to(source: Source, name: str) -> Entry | None:
    bindings = [b for b in source.names.module.bindings.get(name, ()) if not b.held]
    if not bindings:
        return None
    last = max(bindings, key=lambda binding: binding.line)
    # A definition at the top, with nothing after it, is what the name ends up as.
    sure = last.definition is not None and last.definition in source.tree.body
    return _made_by(source, name, last.line, [last] if sure else bindings)


def _made_by(source: Source, name: str, line: int, bindings: list[Binding]) -> Entry:
    definitions: list[ast.AST] = []
    bound: set[int] = set()
    applied: set[int] = set()
    units: list[ast.AST] = []
    for binding in bindings:
        found: tuple[ast.AST, ...] = (binding.definition,) if binding.definition else ()
        if binding.value is not None and binding.whole:
            found = source.find_definitions(binding.value, binding.scope)
            methods = _method(source, binding.value, binding.scope)
            bound |= {id(m) for m in methods if not is_static(m) or _applies(binding.value)}
            applied |= {id(m) for m in methods} if _applies(binding.value) else set()
            found += tuple(methods)
        definitions += found
        if found or (binding.value is not None and _names_own(source, binding)):
            units.append(binding.definition or binding.unit)
    sure = len(units) == len(bindings)
    found_units = tuple(units) if sure else ()
    return Entry(name, line, tuple(definitions), found_units, frozenset(bound), frozenset(applied))


def _method(source: Source, node: ast.expr, scope: NameScope) -> list[Function]:
    """The function under `Class.method`, or behind `Function.apply`."""
    if not isinstance(node, ast.Attribute):
        return []
    wanted = "forward" if _applies(node) else node.attr
    classes = [c for c in source.find_definitions(node.value, scope) if isinstance(c, ast.ClassDef)]
    return [method for c in classes for method in _methods(source, c, wanted)]


def _applies(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "apply"


def _names_own(source: Source, binding: Binding) -> bool:
    """Whether an expression uses a function or class of the file."""
    assert binding.value is not None
    names = (part for part in ast.walk(binding.value) if isinstance(part, ast.Name))
    return any(source.find_definitions(name, binding.scope) for name in names)


def entry(subject: Subject) -> Iterator[Finding]:
    """The entry exists and the task's calls can be written for it."""
    found, expectation = subject.entry, subject.expectation
    if not found.name:
        names = ", ".join(expectation.entries)
        yield Finding(rule=NAME, line=1, why=f"defines none of: {names}")
        return
    if not found.units:
        why = f"{found.name} is not defined by a function or class of this file"
        yield Finding(rule=NAME, line=found.line, why=why)
    yield from subject.bound.findings


def bind_entry(source: Source, expectation: Expectation, found: Entry) -> BoundEntry:
    """How the entry is called; of several definitions all must be called in the same way."""
    bindings: list[EntryBinding] = []
    findings: list[Finding] = []
    for definition in found.definitions:
        try:
            if expectation.form == Form.MODULE:
                bindings += _of_module(source, expectation, found.name, definition)
            else:
                bindings.append(_of_function(source, expectation, found, definition))
        except _NotCallable as refused:
            findings += refused.findings
    line = found.line
    if len(set(bindings)) > 1 and not findings:
        why = f"{found.name} is defined several times, with signatures that are called differently"
        findings.append(Finding(rule=NAME, line=line, why=why))
    binding = bindings[0] if bindings else EntryBinding()
    return BoundEntry(msgspec.structs.replace(binding, line=line), tuple(findings))


class _NotCallable(Exception):
    """A definition that cannot be called."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings = findings


def _of_function(
    source: Source, expectation: Expectation, found: Entry, definition: ast.AST
) -> EntryBinding:
    name = found.name
    if not isinstance(definition, FUNCTIONS):
        raise _NotCallable(_remark(definition, f"{name} is a class; the task asks for a function"))
    if source.is_kernel(definition):
        why = f"{name} is a kernel itself; the task asks for a function that launches it"
        raise _NotCallable(_remark(definition, why))
    given = read_parameters(definition.args)[int(id(definition) in found.bound) :]
    try:
        if id(definition) in found.applied:
            given = by_position_alone(given)
        return EntryBinding(call=bind(expectation.parameters, given, expectation.other_names))
    except CannotBind as why:
        call = plain_call(name, expectation.parameters)
        raise _NotCallable(_remark(definition, f"{call} cannot be called: {why}")) from why


def _of_module(
    source: Source, expectation: Expectation, name: str, definition: ast.AST
) -> list[EntryBinding]:
    """One for each way in which it may be made and called."""
    if not isinstance(definition, ast.ClassDef):
        why = f"{name} is a function; the task asks for a class with `forward`"
        raise _NotCallable(_remark(definition, why))
    forward = _methods(source, definition, "forward")
    init = _methods(source, definition, "__init__")
    making = expectation.init
    findings = []
    if not forward:
        findings.append(_remark(definition, f"{name} has no `forward`"))
    if making and not init:
        why = f"{name} has no `__init__`, but is made with arguments"
        findings.append(_remark(definition, why))
    calls, makes = list[ArgumentBinding | None](), list[ArgumentBinding | None]()
    for method in forward:
        calls += _of_method(f"{name}.forward", method, expectation.parameters, findings)
    for method in init if making is not None else ():
        makes += _of_method(f"{name}.__init__", method, making or (), findings)
    if findings:
        raise _NotCallable(*findings)
    return [EntryBinding(call=one, init=two) for one in calls for two in makes or [None]]


def _of_method(
    label: str, method: Function, wanted: Sequence[SignatureParameter], findings: list[Finding]
) -> list[ArgumentBinding | None]:
    given = read_parameters(method.args)[int(not is_static(method)) :]
    try:
        return [bind(wanted, given)]
    except CannotBind as why:
        findings.append(_remark(method, f"{plain_call(label, wanted)} cannot be called: {why}"))
        return []


def _remark(definition: ast.AST, why: str) -> Finding:
    return Finding(rule=NAME, line=_line(definition), why=why)


def _methods(source: Source, node: ast.ClassDef, name: str, most: int = 8) -> list[Function]:
    """What a class, or the classes of the file that it derives from, has under a name."""
    scope = source.names.scopes[id(node)]
    own = [b.definition for b in scope.bindings.get(name, ())]
    found: list[Function] = [d for d in own if isinstance(d, FUNCTIONS)]
    if found or not most or scope.parent is None:
        return found
    bases = [b for base in node.bases for b in source.find_definitions(base, scope.parent)]
    return [
        m
        for b in bases
        if isinstance(b, ast.ClassDef) and b is not node
        for m in _methods(source, b, name, most - 4)
    ]


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))
