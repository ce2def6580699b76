"""What the way a parameter is written says about it."""

import ast

from kernelbenchx.checks.scopes import Function
from kernelbenchx.checks.tags import NOTHING, TENSOR, Tags, inside

_CONTAINERS = {"List", "Tuple", "Sequence", "Iterable", "list", "tuple", "Dict", "dict"}


def is_static(node: Function) -> bool:
    """Whether a function in a class body is a static method."""
    return isinstance(node, ast.Lambda) or any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
    )


def first_of(node: Function) -> ast.arg | None:
    """The first positional parameter: `self`, in a method."""
    return next(iter([*node.args.posonlyargs, *node.args.args]), None)


def annotated(annotation: ast.expr | None) -> Tags:
    """A tensor, or a container of tensors, if the annotation says so."""
    if annotation is None:
        return NOTHING
    words = {getattr(n, "attr", None) or getattr(n, "id", None) for n in ast.walk(annotation)}
    texts = [n.value for n in ast.walk(annotation) if isinstance(n, ast.Constant)]
    if "Tensor" not in words and not any("Tensor" in t for t in texts if isinstance(t, str)):
        return NOTHING
    return inside(TENSOR) if words & _CONTAINERS else TENSOR
