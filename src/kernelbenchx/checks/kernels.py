"""Requires a Triton kernel that the entry launches, with Triton's own decorators only."""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.source import JIT, TUNERS, hands_on, made_by
from kernelbenchx.core.outcome import Finding

NAME = "kernels"
DECORATORS = JIT | TUNERS | {"builtins.staticmethod"}


def kernels(subject: Subject) -> Iterator[Finding]:
    """The entry reaches a kernel of this file; the calls show whether it launches one."""
    written = subject.source.kernels()
    if not written:
        yield Finding(rule=NAME, line=subject.entry.line, why="no @triton.jit kernel in the file")
    elif subject.entry.units and not subject.reach.launches:
        names = ", ".join(kernel.name for kernel in written)
        why = f"{subject.entry.name} never launches a kernel of the file (it has {names})"
        yield Finding(rule=NAME, line=subject.entry.line, why=why)


def called_kernels(subject: Subject) -> Iterator[Finding]:
    """A kernel is launched, never called: called, its body is Python that works on tensors."""
    source = subject.source
    for place in source.places(ast.Attribute):
        assert isinstance(place.node, ast.Attribute)
        made = (
            source.find_definitions(place.node.value, place.scope)
            if place.node.attr == "fn"
            else ()
        )
        if any(map(source.is_kernel, made)):
            why = f"{ast.unparse(place.node)} is the Python function of a kernel"
            yield Finding(rule=NAME, line=place.node.lineno, why=why)
    for place in source.host_places(ast.Call):
        node = place.node
        assert isinstance(node, ast.Call)
        paths = source.of(node.func, place.scope)
        used = [node.func]
        if any(path.startswith("builtins.") for path in paths - {"builtins.staticmethod"}):
            used += node.args
        for one in (d for item in used for d in source.find_definitions(item, place.scope)):
            if source.is_kernel(one):
                why = f"{getattr(one, 'name', 'a kernel')} is called like a function"
                yield Finding(rule=NAME, line=node.lineno, why=why)


def decorators(subject: Subject) -> Iterator[Finding]:
    """Only Triton's own decorators stand on a kernel, and `jit` is never passed on."""
    source = subject.source
    for kernel in source.kernels():
        scope = source.names.scopes[id(kernel)].parent
        for decorator in kernel.decorator_list if scope else ():
            assert scope is not None
            paths = made_by(source, decorator, scope)
            if not paths or not paths <= DECORATORS:
                why = f"{kernel.name} is decorated by something that is not Triton's"
                yield Finding(rule=NAME, line=decorator.lineno, why=why)
    for one in source.named:
        if one.paths & JIT and hands_on(source, one.place):
            yield Finding(rule=NAME, line=one.line, why="triton.jit as a value; decorate with it")
