"""No handler around a launch: a kernel that fails must be seen to fail.

Branches that only run where the arguments are not on the device are noted here, and count for
nothing else: neither as computing nor as launching.
"""

import ast
from collections.abc import Iterable, Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import FUNCTIONS, Scope
from kernelbenchx.checks.tags import Dotted, Instance, Launcher, Local, Method, dotted, loose
from kernelbenchx.checks.torch_names import Use, use_of
from kernelbenchx.core.outcome import Finding

NAME = "fallback"
_SWALLOWING = {"contextlib.suppress", "contextlib.ExitStack", "contextlib.contextmanager"}


def fallback(subject: Subject) -> Iterator[Finding]:
    """No exception of a launch is caught."""
    launching = subject.reach.launching()
    for scope in subject.reach.scopes():
        for node in subject.reach.nodes(scope):
            why = _caught(subject, node, scope, launching)
            if why:
                yield Finding(rule=NAME, line=getattr(node, "lineno", 1), why=why)


def _caught(subject: Subject, node: ast.AST, scope: Scope, launching: set[int]) -> str:
    match node:
        case ast.Try() | ast.TryStar():
            inside = [*node.body, *node.orelse] if _returns(node.finalbody) else node.body
            guarded = node.handlers or _returns(node.finalbody)
            if guarded and _launches(subject, inside, scope, launching):
                return "an exception handler stands around a launch"
        case ast.With() | ast.AsyncWith():
            items = [item.context_expr for item in node.items]
            paths = {p for item in items for p in _called(subject, item, scope)}
            if paths & _SWALLOWING and _launches(subject, node.body, scope, launching):
                return "a launch stands inside a context that swallows exceptions"
    return ""


def _called(subject: Subject, node: ast.expr, scope: Scope) -> list[str]:
    return dotted(subject.source.of(node.func if isinstance(node, ast.Call) else node, scope))


def _returns(body: list[ast.stmt]) -> bool:
    """Whether a `finally` block ends an exception by leaving."""
    leaving = ast.Return | ast.Break | ast.Continue
    return any(isinstance(part, leaving) for statement in body for part in ast.walk(statement))


def _launches(
    subject: Subject, body: Iterable[ast.stmt], scope: Scope, launching: set[int]
) -> bool:
    for part in (part for statement in body for part in ast.walk(statement)):
        if isinstance(part, ast.Call):
            tags = loose(subject.source.of(part.func, scope))
            if any(
                isinstance(tag, Launcher) and subject.source.is_kernel(tag.node) for tag in tags
            ):
                return True
        if isinstance(part, ast.Name | ast.Attribute):
            tags = loose(subject.source.of(part, scope))
            if Dotted("torch.cuda.synchronize") in tags:
                return True  # where the failure of an earlier launch comes to light
            kinds = (Local, Method, Instance)
            if any(isinstance(t, kinds) and id(t.node) in launching for t in tags):
                return True
        if isinstance(part, FUNCTIONS) and id(part) in launching:
            return True
    return False


def off_device(subject: Subject) -> Iterator[Finding]:
    """Note where torch would work off the device."""
    for scope in subject.reach.scopes():
        for node in scope.nodes:
            line = subject.source.off_device.get(id(node))
            if line is None or not isinstance(node, ast.Name | ast.Attribute):
                continue
            paths = [p.removeprefix("torch.") for p in dotted(subject.source.of(node, scope))]
            if any(use_of(path) is Use.COMPUTES for path in paths if path != "torch"):
                why = f"{ast.unparse(node)} runs only off the device; not counted"
                yield Finding(rule=NAME, line=line, why=why, fatal=False)
