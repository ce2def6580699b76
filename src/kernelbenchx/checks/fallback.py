"""No handler around a launch: a kernel that fails must be seen to fail."""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import Binding, NodePlace
from kernelbenchx.checks.source import Source
from kernelbenchx.core.outcome import Finding

NAME = "fallback"


def fallback(subject: Subject) -> Iterator[Finding]:
    """No exception of a launch that the entry makes is caught."""
    if next(subject.source.places(ast.Try, ast.TryStar), None) is None:
        return
    for place in subject.reach.places(ast.Name, ast.Attribute, ast.Call):
        if _may_launch(subject, place):
            line = _handler(subject, place.node)
            if line:
                why = "an exception handler stands around a launch"
                yield Finding(rule=NAME, line=line, why=why)


def _may_launch(subject: Subject, place: NodePlace) -> bool:
    """A launch, what leads to one, or where the failure of an earlier one comes to light."""
    node = place.node
    if isinstance(node, ast.Call):
        # A parameter that is called may be a function that launches.
        named = node.func.id if isinstance(node.func, ast.Name) else ""
        return subject.source.about(_is_parameter, named, place.scope)
    assert isinstance(node, ast.Name | ast.Attribute)
    if not isinstance(node.ctx, ast.Load):
        return False
    if "torch.cuda.synchronize" in subject.source.of(node, place.scope):
        return True
    return any(target in subject.reach.launching for target in subject.reach.targets(place))


def _is_parameter(_source: Source, bindings: list[Binding]) -> bool:
    return any(binding.parameter is not None for binding in bindings)


def _handler(subject: Subject, node: ast.AST) -> int:
    """The line of a `try` that would swallow an exception raised here, or 0."""
    parents = subject.source.names.parents
    inner = node
    while id(inner) in parents:
        outer = parents[id(inner)]
        if isinstance(outer, ast.Try | ast.TryStar):
            leaves = _leaves(outer.finalbody)
            inside = inner in outer.body or (leaves and inner in outer.orelse)
            if inside and (outer.handlers or leaves):
                return outer.lineno
        inner = outer
    return 0


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a `finally` block ends an exception by leaving."""
    leaving = ast.Return | ast.Break | ast.Continue
    return any(isinstance(part, leaving) for statement in body for part in ast.walk(statement))
