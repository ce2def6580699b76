"""Whether a submission computes with Triton alone (pure), beside torch (mixed), or not at all.

Preparing tensors (allocating, viewing, copying, casting, asking) is pure; see `torch_names` for the
lists. This is what the source suggests; what torch does in the calls is traced. `.item()`,
`.tolist()` and `float(tensor)` read values on the host: noted, not computing.
"""

import ast
from collections.abc import Iterable, Iterator

from kernelbenchx.checks import torch_names, torch_operators
from kernelbenchx.checks.rule import Subject
from kernelbenchx.checks.scopes import NodePlace
from kernelbenchx.checks.tensors import is_one
from kernelbenchx.checks.torch_names import Use, is_dropout, use_of, use_of_method
from kernelbenchx.core.outcome import Composition, Finding

NAME = "composition"

_ASKED = frozenset(
    {
        *("shape", "dtype", "device", "ndim", "is_cuda", "is_cpu", "layout", "itemsize", "nbytes"),
        *("requires_grad", "is_leaf", "grad_fn", "is_sparse", "is_quantized", "names"),
    }
)
_READS = {"builtins.float", "builtins.int", "builtins.bool", "builtins.complex"}
_REDUCING = frozenset(
    f"builtins.{n}" for n in ("sum", "max", "min", "abs", "pow", "divmod", "round")
)
"""Builtins that compute when given a tensor."""
_OF_CONTAINERS = {"add", "sort"}
_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.Compare)


_COMPUTES = " computes"


def composition(subject: Subject, findings: Iterable[Finding]) -> Composition:
    """Composition of a submission, by its source alone."""
    if not subject.reach.launches:
        return Composition.NOT_A_KERNEL
    computes = any(f.rule == NAME and f.why.endswith(_COMPUTES) for f in findings)
    return Composition.MIXED if computes else Composition.PURE


def torch_work(subject: Subject) -> Iterator[Finding]:
    """Note every place where torch computes or a value is read on the host."""
    built = subject.constructors
    for one in subject.reach.named:
        for path in one.paths if not built.runs(one.place.scope) else ():
            if _of_sizes(subject, one.place):
                continue
            if path.startswith("torch.") and (use_of(path[6:]) is Use.COMPUTES or is_dropout(path)):
                yield _note(one.place, path + _COMPUTES)
    for place in subject.reach.places(ast.Attribute, ast.Call, ast.Subscript, *_OPERATORS):
        if built.runs(place.scope):
            continue
        what = _computes(subject, place)
        if what:
            yield _note(place, what + _COMPUTES)
        elif isinstance(place.node, ast.Call) and _reads(subject, place, place.node):
            yield _note(place, f"{ast.unparse(place.node.func)[:60]}() reads a value on the host")


def _note(place: NodePlace, why: str) -> Finding:
    return Finding(rule=NAME, line=place.line, why=why, fatal=False)


def _computes(subject: Subject, place: NodePlace) -> str:
    node, scope = place.node, place.scope
    match node:
        case ast.Attribute(ctx=ast.Load()):
            return _attribute(subject, node, place)
        case ast.Call() if layer := subject.constructors.called_layer(node, scope):
            return f"the layer {layer} of torch"
        case ast.Call():
            return _reduces(subject, node, place)
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return "the operator @"
        case ast.AugAssign():
            sides = (node.target, node.value)
            return _operator(any(is_one(subject.source, side, scope) for side in sides))
        case ast.Compare() if any(
            isinstance(c, ast.Constant) and isinstance(c.value, str | None)
            for c in (node.left, *node.comparators)
        ):
            return ""
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return _operator(is_one(subject.source, node, scope))
        case ast.Subscript():
            both = is_one(subject.source, node.value, scope) and _holds(subject, node.slice, place)
            return "indexing by a tensor" if both else ""
    return ""


def _operator(computes: bool) -> str:
    return "an operator on a tensor" if computes else ""


def _holds(subject: Subject, node: ast.expr, place: NodePlace) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return any(is_one(subject.source, part, place.scope) for part in parts)


def _attribute(subject: Subject, node: ast.Attribute, place: NodePlace) -> str:
    """A method of a tensor that computes; of an unknown object, by its name alone."""
    known = node.attr in _ASKED or node.attr in torch_names.TENSOR_ATTRIBUTES
    if known or use_of_method(node.attr) is not Use.COMPUTES:
        return ""
    if subject.source.of(node, place.scope) or _of_sizes(subject, place):
        return ""
    if is_one(subject.source, node.value, place.scope):
        return f".{node.attr}"
    parent = subject.source.names.parents[id(node)]
    called = isinstance(parent, ast.Call) and parent.func is node
    plain = node.attr in torch_names.PLAIN_METHODS or node.attr in subject.source.names.methods
    function = (
        node.attr.removesuffix("_") in torch_operators.FUNCTIONS and node.attr not in _OF_CONTAINERS
    )
    return f".{node.attr}" if called and function and not plain else ""


def _of_sizes(subject: Subject, place: NodePlace) -> bool:
    """`torch.prod(torch.tensor(x.shape))`, `torch.tensor(x.shape).prod()`: no data is in it."""
    node = place.node
    parent = subject.source.names.parents[id(node)]
    if not isinstance(parent, ast.Call) or parent.func is not node:
        return False
    method = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)
    given = [node.value] if method and isinstance(node, ast.Attribute) else parent.args
    return bool(given) and all(_is_a_tensor_of_sizes(subject, one, place) for one in given)


def _is_a_tensor_of_sizes(subject: Subject, node: ast.expr, place: NodePlace) -> bool:
    match node:
        case ast.Call(func=func, args=[given]):
            made = subject.source.of(func, place.scope) & {"torch.tensor", "torch.as_tensor"}
            return bool(made) and _are_sizes(given)
    return False


def _are_sizes(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size"), args=[]):
            return True
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return _are_sizes(inner)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
            return _are_sizes(inner)
    return False


def _reduces(subject: Subject, node: ast.Call, place: NodePlace) -> str:
    if not subject.source.of(node.func, place.scope) & _REDUCING:
        return ""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return (
        f"{ast.unparse(node.func)} of a tensor"
        if any(_holds(subject, n, place) for n in given)
        else ""
    )


def _reads(subject: Subject, place: NodePlace, node: ast.Call) -> bool:
    if isinstance(node.func, ast.Attribute) and node.func.attr in torch_names.SCALAR_READS:
        return True
    return bool(subject.source.of(node.func, place.scope) & _READS) and any(
        is_one(subject.source, item, place.scope) for item in node.args
    )
