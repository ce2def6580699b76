"""Inside a kernel: Triton's language, arithmetic, and other kernels of the file.

In the interpreter a kernel's body is ordinary Python, so whatever is not Triton's language there
would let Python do the work. Constants of torch or math that the compiler refuses anyway are only
noted: such a kernel is broken, not dishonest.
"""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import Binding, NameScope, below
from kernelbenchx.checks.source import made_by
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
_LOOKED_AT = {
    *(ast.Try, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ClassDef, ast.Lambda),
    *(ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFunctionDef),
    *(ast.Attribute, ast.Subscript),
}


def kernel_body(subject: Subject) -> Iterator[Finding]:
    """Nothing but Triton's language in the body of a kernel."""
    source, seen = subject.source, set[tuple[int, str]]()
    for scope in source.kernel_scopes():
        for node in scope.nodes:
            if node.__class__ in _LOOKED_AT:
                yield from _node(subject, node, scope)
        yield from _names(subject, scope, seen)
    for one in source.named:
        if source.in_kernel(one.place.scope):
            for path in one.paths:
                why, fatal = _objection(path)
                if why:
                    yield Finding(rule=NAME, line=one.line, why=why, fatal=fatal)


def _names(subject: Subject, scope: NameScope, seen: set[tuple[int, str]]) -> Iterator[Finding]:
    """What each name of a scope means, at the first line that reads it."""
    reads = [n for n in scope.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    for name, line in {node.id: node.lineno for node in reversed(reads)}.items():
        home = scope.home(name)
        if home is not None and (id(home), name) not in seen:
            seen.add((id(home), name))
            for binding in home.bindings[name]:
                yield from _check_meaning(subject, binding, line)


def _node(subject: Subject, node: ast.AST, scope: NameScope) -> Iterator[Finding]:
    line = getattr(node, "lineno", 1)
    match node:
        case ast.Attribute() | ast.Subscript():
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                why = f"the private attribute {node.attr} in a kernel"
                yield Finding(rule=NAME, line=line, why=why)
            if not isinstance(node.ctx, ast.Load):
                why = "an assignment into an object inside a kernel"
                fatal = _is_foreign(subject, node, scope)
                yield Finding(rule=NAME, line=line, why=why, fatal=fatal)
        case _:
            why = f"{type(node).__name__.lower()} inside a kernel"
            yield Finding(rule=NAME, line=line, why=why)


def _is_foreign(subject: Subject, node: ast.expr, scope: NameScope) -> bool:
    """Whether an object existed before the kernel ran; the compiler refuses its own objects."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    home = scope.home(node.id) if isinstance(node, ast.Name) else None
    return home is None or not subject.source.in_kernel(home)


def _check_meaning(subject: Subject, binding: Binding, line: int) -> Iterator[Finding]:
    """What a name of the file brings into a kernel; each thing is looked at once."""
    made, source = binding.definition, subject.source
    if made is not None and not source.is_kernel(made) and not _is_constant(subject, binding):
        why = f"{made.name} is not a kernel, but a kernel uses it"
        yield Finding(rule=NAME, line=line, why=why)
    value = binding.value
    if value is None or source.in_kernel(binding.scope):
        return
    for part in below(value):
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load):
            for path in source.of(part, binding.scope):
                foreign = path.startswith("torch.") and path.removeprefix("torch.") not in QUESTIONS
                if foreign:
                    yield Finding(rule=NAME, line=line, why=f"{path} inside a kernel")
            for one in source.find_definitions(part, binding.scope):
                if not source.is_kernel(one) and not binding.parameter:
                    name = getattr(one, "name", "a lambda")
                    why = f"{name} is not a kernel, but a kernel uses it"
                    yield Finding(rule=NAME, line=line, why=why)
        if isinstance(part, ast.Lambda):
            why = "a lambda is not a kernel, but a kernel uses it"
            yield Finding(rule=NAME, line=line, why=why)


def _objection(path: str) -> tuple[str, bool]:
    """Why a full name may not be in a kernel, if so, and whether it is more than a remark."""
    root, _, rest = path.partition(".")
    if root == "builtins" and "." not in rest and path not in BUILTINS:
        return f"the builtin {rest} inside a kernel", True
    if root == "torch" and rest:
        return f"{path} inside a kernel", rest not in QUESTIONS
    if root == "math" and rest:
        return f"{path} inside a kernel is Python's, not Triton's", False
    if root == "triton" and rest.removeprefix("language.") in _FORBIDDEN_LANGUAGE:
        return f"{path} loads external code", True
    if root not in ("builtins", "torch", "math", "triton", "typing"):
        return f"{path} inside a kernel", True
    return "", False


def _is_constant(subject: Subject, binding: Binding) -> bool:
    """A `@triton.constexpr_function`: host code that the compiler itself calls."""
    assert binding.definition is not None
    return any(
        "triton.constexpr_function" in made_by(subject.source, decorator, binding.scope)
        for decorator in binding.definition.decorator_list
    )
