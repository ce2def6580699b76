"""Who computes: Triton alone (pure), Triton beside torch (mixed), or no kernel at all.

Preparing tensors (allocating, viewing, copying, casting, asking) is pure; see `torch_names` for
the lists. A tensor computes through functions, methods, operators and index tensors alike.
`.item()`, `.tolist()` and `float(tensor)` read values on the host: noted, not computing.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.calls import REDUCING
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import MANY, Scope
from kernelbenchx.checks.tags import Dotted, dotted, has_tensor, holds_tensor
from kernelbenchx.checks.torch_names import EVIDENCE, Use, use_of, use_of_method
from kernelbenchx.core.outcome import Composition, Finding

NAME = "composition"

_ASKED = frozenset(
    {
        *("shape", "dtype", "device", "ndim", "is_cuda", "is_cpu", "layout", "itemsize", "nbytes"),
        *("requires_grad", "is_leaf", "grad_fn", "is_sparse", "is_quantized", "names"),
    }
)
_READS = {"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"}


@dataclass(frozen=True)
class Computing:
    """One place where torch computes."""

    line: int
    what: str


def composition(subject: Subject) -> Composition:
    """What a submission is made of, by its source alone."""
    if not subject.reach.launches:
        return Composition.NOT_A_KERNEL
    return Composition.MIXED if next(computing(subject), None) else Composition.PURE


def torch_work(subject: Subject) -> Iterator[Finding]:
    """Note every place where torch computes or a value is read on the host."""
    for place in sorted(set(computing(subject)), key=lambda p: (p.line, p.what)):
        yield Finding(rule=NAME, line=place.line, why=f"{place.what} computes", fatal=False)
    for node, scope in subject.reach.walk():
        if isinstance(node, ast.Call) and _reads(subject, node, scope):
            why = f"{ast.unparse(node.func)[:60]}() reads a value on the host"
            yield Finding(rule=NAME, line=node.lineno, why=why, fatal=False)


def computing(subject: Subject) -> Iterator[Computing]:
    """Every place where torch computes while the file is imported or the entry runs."""
    for node, scope in subject.reach.walk():
        what = _computes(subject, node, scope)
        if what:
            yield Computing(getattr(node, "lineno", 1), what)


def _computes(subject: Subject, node: ast.AST, scope: Scope) -> str:
    match node:
        case ast.Name(ctx=ast.Load()):
            return _named(subject, node, scope)
        case ast.Attribute(ctx=ast.Load()):
            return _named(subject, node, scope) or _attribute(subject, node, scope)
        case ast.Call():
            return _named(subject, node, scope) or _called(subject, node, scope)
        case ast.BinOp() | ast.UnaryOp() | ast.AugAssign() | ast.Compare():
            return _operator(subject, node, scope)
        case ast.Assign(targets=[ast.Name(id=name)], value=(ast.BinOp() | ast.UnaryOp()) as made):
            # The operands tell nothing, but what becomes of the result does.
            asked = scope.asked.get(name, set()) & EVIDENCE
            seen = _operator(subject, made, scope)
            return "an operator on a tensor" if asked and not seen else ""
        case ast.Subscript():
            if not has_tensor(subject.source.of(node.value, scope)):
                return ""
            index = holds_tensor(subject.source.of(node.slice, scope))
            return "indexing by a tensor" if index else ""
    return ""


def _named(subject: Subject, node: ast.expr, scope: Scope) -> str:
    for path in dotted(subject.source.of(node, scope)):
        root, _, rest = path.partition(".")
        if root == "torch" and rest and use_of(rest) is Use.COMPUTES:
            return path
    return ""


def _attribute(subject: Subject, node: ast.Attribute, scope: Scope) -> str:
    if not has_tensor(subject.source.of(node.value, scope)):
        return ""
    known = node.attr in _ASKED or node.attr in torch_names.TENSOR_ATTRIBUTES
    return "" if known or use_of_method(node.attr) is not Use.COMPUTES else f".{node.attr}"


def _called(subject: Subject, node: ast.Call, scope: Scope) -> str:
    if set(dotted(subject.source.of(node.func, scope))) & REDUCING:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(holds_tensor(subject.source.of(item, scope)) for item in given):
            return f"{ast.unparse(node.func)} of a tensor"
    if not isinstance(node.func, ast.Attribute):
        return ""
    if subject.source.of(node.func.value, scope) or subject.source.of(node.func, scope):
        return ""
    name = node.func.attr
    plain = name in torch_names.PLAIN_METHODS or use_of_method(name) is not Use.COMPUTES
    if plain or is_plain(subject, node.func.value, scope) or _is_own(subject, name):
        return ""
    return f".{name}"


def _is_own(subject: Subject, name: str) -> bool:
    return name in subject.source.names.methods


def _operator(
    subject: Subject, node: ast.BinOp | ast.UnaryOp | ast.AugAssign | ast.Compare, scope: Scope
) -> str:
    match node:
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return "the operator @"
        case ast.AugAssign():
            sides = (node.target, node.value)
            tensor = any(has_tensor(subject.source.of(side, scope)) for side in sides)
        case ast.Compare() if any(
            isinstance(c, ast.Constant) and isinstance(c.value, str | None)
            for c in (node.left, *node.comparators)
        ):
            tensor = False
        case _:
            tensor = has_tensor(subject.source.of(node, scope))
    return "an operator on a tensor" if tensor else ""


def _reads(subject: Subject, node: ast.Call, scope: Scope) -> bool:
    if isinstance(node.func, ast.Attribute) and node.func.attr in torch_names.SCALAR_READS:
        return True
    return bool(set(dotted(subject.source.of(node.func, scope))) & _READS) and any(
        has_tensor(subject.source.of(item, scope)) for item in node.args
    )


_DISPLAYS = (
    *(ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def is_plain(subject: Subject, node: ast.expr, scope: Scope, depth: int = 4) -> bool:
    """Whether an expression is no tensor: a display, a builtin's result, or a name for it."""
    if isinstance(node, _DISPLAYS):
        return True
    if isinstance(node, ast.Call):
        tags = subject.source.of(node.func, scope)
        return bool(tags) and all(
            isinstance(tag, Dotted) and not tag.path.startswith("torch.") for tag in tags
        )
    home = scope.home(node.id) if isinstance(node, ast.Name) and depth else None
    if home is None or not isinstance(node, ast.Name) or len(home.bindings[node.id]) > MANY:
        return False
    return all(
        b.held or (b.value and not b.path and is_plain(subject, b.value, b.scope, depth - 1))
        for b in home.bindings[node.id]
    )
