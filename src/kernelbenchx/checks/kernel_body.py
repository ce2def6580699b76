"""Inside a kernel: Triton's language, arithmetic, and other kernels of the file.

In the interpreter a kernel's body is ordinary Python, so whatever is not Triton's language there
would let Python do the work. Constants of torch or math that the compiler refuses anyway are only
noted: such a kernel is broken, not dishonest.
"""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import Scope
from kernelbenchx.checks.tags import Dotted, Local, Tag, loose
from kernelbenchx.checks.torch_names import QUESTIONS
from kernelbenchx.core.outcome import Finding

NAME = "kernel_body"

BUILTINS = frozenset(
    f"builtins.{name}"
    for name in (
        *("range", "min", "max", "len", "hasattr", "float", "int", "bool", "isinstance", "print"),
        *("abs", "sum", "tuple", "list", "zip", "enumerate", "str", "slice", "round", "getattr"),
        *("sorted", "reversed", "set", "object", "type", "repr", "any", "all", "pow", "complex"),
        *("AssertionError", "ValueError", "TypeError", "NotImplementedError", "RuntimeError"),
    )
)
_FORBIDDEN_LANGUAGE = ("extern_elementwise", "core.extern_elementwise")
_STATEMENTS = (ast.Try, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef)
_MORE_STATEMENTS = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFunctionDef)


def kernel_body(subject: Subject) -> Iterator[Finding]:
    """Nothing but Triton's language in the body of a kernel."""
    for scope in subject.source.names.scopes.values():
        if subject.source.in_kernel(scope):
            for node in scope.nodes:
                yield from _node(subject, node, scope)


def _node(subject: Subject, node: ast.AST, scope: Scope) -> Iterator[Finding]:
    line = getattr(node, "lineno", 1)
    if isinstance(node, (*_STATEMENTS, *_MORE_STATEMENTS)):
        yield Finding(rule=NAME, line=line, why=f"{type(node).__name__.lower()} inside a kernel")
    if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
        yield Finding(rule=NAME, line=line, why=f"the private attribute {node.attr} in a kernel")
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        why = "an assignment into an object inside a kernel"
        yield Finding(rule=NAME, line=line, why=why, fatal=_is_foreign(subject, node, scope))
    if isinstance(node, ast.Name | ast.Attribute):
        for tag in loose(subject.source.of(node, scope)):
            yield from _named(subject, tag, line)


def _is_foreign(subject: Subject, node: ast.expr, scope: Scope) -> bool:
    """Whether an object was there before the kernel ran; its own the compiler will refuse."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    home = scope.home(node.id) if isinstance(node, ast.Name) else None
    return home is None or not subject.source.in_kernel(home)


def _named(subject: Subject, tag: Tag, line: int) -> Iterator[Finding]:
    if isinstance(tag, Local):
        if not subject.source.is_kernel(tag.node) and not _is_constant(subject, tag):
            why = f"{getattr(tag.node, 'name', 'a lambda')} is no kernel, yet a kernel names it"
            yield Finding(rule=NAME, line=line, why=why)
        return
    if not isinstance(tag, Dotted):
        return
    root, _, rest = tag.path.partition(".")
    if root == "builtins" and tag.path not in BUILTINS:
        yield Finding(rule=NAME, line=line, why=f"the builtin {rest} inside a kernel")
    elif root == "torch" and rest:
        why = f"{tag.path} inside a kernel"
        yield Finding(rule=NAME, line=line, why=why, fatal=rest not in QUESTIONS)
    elif root == "math" and rest:
        why = f"{tag.path} inside a kernel is Python's, not Triton's"
        yield Finding(rule=NAME, line=line, why=why, fatal=False)
    elif root == "triton" and rest.removeprefix("language.") in _FORBIDDEN_LANGUAGE:
        yield Finding(rule=NAME, line=line, why=f"{tag.path} loads foreign code")
    elif root not in ("builtins", "torch", "math", "triton", "typing"):
        yield Finding(rule=NAME, line=line, why=f"{tag.path} inside a kernel")


def _is_constant(subject: Subject, tag: Local) -> bool:
    """A `@triton.constexpr_function`: host code that the compiler itself calls."""
    if isinstance(tag.node, ast.Lambda):
        return False
    scope = subject.source.names.scopes[id(tag.node)].parent
    decorators = tag.node.decorator_list if scope else []
    wanted = Dotted("triton.constexpr_function")
    return any(wanted in subject.source.of(d, scope) for d in decorators if scope)
