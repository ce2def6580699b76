"""What the declaration of a parameter says about it."""

import ast

from kernelbenchx.checks.scopes import Function


def is_static(node: Function) -> bool:
    """Whether a function in a class body is a static method."""
    return isinstance(node, ast.Lambda) or any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
    )


def first_of(node: Function) -> ast.arg | None:
    """The first positional parameter: `self`, in a method."""
    return next(iter([*node.args.posonlyargs, *node.args.args]), None)


def is_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation says that a parameter is a tensor, or may be one."""
    if annotation is None:
        return False
    words = {getattr(n, "attr", None) or getattr(n, "id", None) for n in ast.walk(annotation)}
    texts = [n.value for n in ast.walk(annotation) if isinstance(n, ast.Constant)]
    return "Tensor" in words or any("Tensor" in t for t in texts if isinstance(t, str))
