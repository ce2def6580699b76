"""A Triton kernel that the entry launches, decorated by Triton and nobody else."""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.calls import JIT, TUNERS
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.tags import Dotted, Launcher, Local, loose
from kernelbenchx.core.outcome import Finding

NAME = "kernels"


def kernels(subject: Subject) -> Iterator[Finding]:
    """The entry reaches the launch of a kernel of this file."""
    written = subject.source.kernels()
    if not written:
        yield Finding(rule=NAME, line=subject.entry.line, why="no @triton.jit kernel in the file")
    elif subject.entry.definitions and not subject.reach.launches:
        names = ", ".join(kernel.name for kernel in written)
        why = f"{subject.entry.name} never launches a kernel of the file (it has {names})"
        yield Finding(rule=NAME, line=subject.entry.line, why=why)


def called_kernels(subject: Subject) -> Iterator[Finding]:
    """A kernel is launched, never called: called, its body is Python that works on tensors."""
    for node, scope in subject.reach.walk():
        if not isinstance(node, ast.Call):
            continue
        callee = subject.source.of(node.func, scope)
        if any(isinstance(tag, Launcher) for tag in callee):
            continue
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        handed = [subject.source.of(item, scope) for item in given]
        used = set(loose(callee))
        if any(isinstance(t, Dotted) and not t.path.startswith("triton.") for t in callee):
            used |= {tag for tags in handed for tag in loose(tags)}
        for tag in used:
            if isinstance(tag, Local) and subject.source.is_kernel(tag.node):
                why = f"{getattr(tag.node, 'name', 'a kernel')} is called like a function"
                yield Finding(rule=NAME, line=node.lineno, why=why)


def decorators(subject: Subject) -> Iterator[Finding]:
    """Nothing but Triton's own decorators stands on a kernel."""
    for kernel in subject.source.kernels():
        scope = subject.source.names.scopes[id(kernel)].parent
        for decorator in kernel.decorator_list if scope else ():
            assert scope is not None
            tags = subject.source.of(decorator, scope)
            paths = {tag.path for tag in tags if isinstance(tag, Dotted)}
            if not paths or len(paths) != len(tags) or not paths <= JIT | TUNERS:
                why = f"{kernel.name} is decorated by something that is not Triton's"
                yield Finding(rule=NAME, line=decorator.lineno, why=why)
