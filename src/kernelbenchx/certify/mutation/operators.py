"""The mistakes that are made on purpose, a function each: a syntax node in, edits out."""

import ast
import math
from collections.abc import Callable, Iterator
from typing import TypeGuard

from kernelbenchx.certify.mutation.source_text import Edit, SourceText

_COMPARISONS: dict[type[ast.cmpop], tuple[tuple[str, str], ...]] = {
    ast.Lt: (("<", "<="), ("<", ">=")),
    ast.LtE: (("<=", "<"),),
    ast.Gt: ((">", ">="), (">", "<=")),
    ast.GtE: ((">=", ">"),),
    ast.Eq: (("==", "!="),),
    ast.NotEq: (("!=", "=="),),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "%"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_REDUCTIONS = {
    "max": "min", "min": "max", "sum": "max", "maximum": "minimum", "minimum": "maximum",
    "cumsum": "cumprod", "floor": "ceil", "ceil": "floor",
}  # fmt: skip
_NARROWER = {"float32": "float16", "float64": "float32"}
"""Not int64: what 32 bits cannot hold is told apart only by tensors beyond 2^31 elements."""
_ANYWAY = ("int64", "element_ty")
"""Casts that no answer shows: offsets, see above, and what a store casts to by itself."""
_SMALL = 16
"""Larger integers are sizes of blocks, which change no answer or do not compile."""
_TINY = 1e-3
"""Below it a number is an epsilon."""


def comparisons(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """`<` to `<=`, and the like."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for at, operator in enumerate(node.ops):
            for symbols in _COMPARISONS.get(type(operator), ()):
                pair = operands[at], operands[at + 1]
                yield text.replace_between("comparison", *pair, symbols)


def bounds(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A mask whose bound is one too small."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt):
        bound = node.comparators[0]
        if isinstance(bound, ast.Name):
            yield text.replace("mask", bound, f"{bound.id} - 1")


def arithmetic(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """One operator for another."""
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        pair = node.left, node.right
        yield text.replace_between("arithmetic", *pair, _ARITHMETIC[type(node.op)])
    if isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        old, new = _ARITHMETIC[type(node.op)]
        pair = node.target, node.value
        yield text.replace_between("arithmetic", *pair, (f"{old}=", f"{new}="))


def constants(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A number that is off by one, doubled or zero."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool | str | None):
        return
    value = node.value
    if isinstance(value, int):
        news = {0: (1,), 1: (0, 2)}.get(value, (value - 1, value + 1))
        for new in news if abs(value) <= _SMALL else ():
            yield text.replace("constant", node, str(new))
    elif isinstance(value, float) and math.isfinite(value):
        doubled = 1.0 if value == 0 else 0.0 if value == 1 else 2 * value
        kind = "epsilon" if 0 < value < _TINY else "constant"
        yield text.replace(kind, node, repr(doubled))


def loads(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A load or store without its mask, or with another value in masked lanes."""
    if not isinstance(node, ast.Call) or _find_callee(node) not in ("load", "store"):
        return
    named = {one.arg: one for one in node.keywords}
    if "mask" in named:
        kept = [text.text(argument) for argument in node.args]
        kept += [f"{one.arg}={text.text(one.value)}" for one in node.keywords
                 if one.arg not in ("mask", "other")]  # fmt: skip
        call = f"{text.text(node.func)}({', '.join(kept)})"
        yield text.replace("mask", node, call, f"{_find_callee(node)} without its mask")
    other = named.get("other")
    if other is not None and "inf" in text.text(other.value):
        yield text.replace("other", other.value, "0.0")


def casts(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A cast left out, or to a narrower dtype."""
    called = _method(node, "to")
    if called and len(called.args) == 1 and not text.text(called.args[0]).endswith(_ANYWAY):
        note = f"`{_short(text.text(called))}` without its cast"
        yield text.replace("cast", called, f"({_base(text, called)})", note)
    if isinstance(node, ast.Attribute) and node.attr in _NARROWER:
        new = f"{text.text(node.value)}.{_NARROWER[node.attr]}"
        yield text.replace("precision", node, new)


def branches(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A condition that is negated, or always one way."""
    if isinstance(node, ast.If | ast.IfExp):
        condition = text.text(node.test)
        fixed = ("False",) if _guards_a_launch(node) else ("True", "False")
        for new in (f"not ({condition})", *fixed):
            yield text.replace("branch", node.test, new, f"`if {condition}` to `if {new}`")


def contiguity(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """Strides that are not looked at."""
    if called := _method(node, "contiguous"):
        base = _base(text, called)
        note = f"`{_short(base)}` without `.contiguous()`"
        yield text.replace("contiguous", called, f"({base})", note)


def reductions(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """The largest for the smallest, and the like."""
    called = _method(node, *_REDUCTIONS)
    if called and _base(text, called) == "tl":
        yield text.replace("reduction", called.func, f"tl.{_REDUCTIONS[_find_callee(called)]}")


def loops(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """The last step of a loop left out."""
    if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
        return
    arguments = node.iter.args
    if _find_callee(node.iter) in ("range", "static_range") and arguments:
        bound = arguments[0] if len(arguments) == 1 else arguments[1]
        step = text.text(arguments[2]) if len(arguments) == 3 else "1"
        yield text.replace("loop", bound, f"{text.text(bound)} - {step}")


def swaps(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """Two neighbouring arguments of a launch in the wrong order."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
        for one, two in zip(node.args, node.args[1:], strict=False):
            names = isinstance(one, ast.Name) and isinstance(two, ast.Name)
            if names or (isinstance(one, ast.Starred) and isinstance(two, ast.Starred)):
                start, end = text.start(one), text.end(two)
                new = f"{text.text(two)}, {text.text(one)}"
                yield Edit("swap", one.lineno, start, end, new)


def ignored_arguments(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """An argument that always has its default."""
    if not isinstance(node, ast.FunctionDef):
        return
    first = node.body[0]
    given = node.args
    positional = given.args[len(given.args) - len(given.defaults) :]
    pairs = [*zip(positional, given.defaults, strict=True)]
    pairs += [(name, default) for name, default in zip(given.kwonlyargs, given.kw_defaults,
                                                       strict=True) if default]  # fmt: skip
    for argument, default in pairs:
        line = f"{argument.arg} = {text.text(default)}"
        new = f"{line}\n{' ' * first.col_offset}"
        start = text.start(first)
        note = f"`{argument.arg}` is ignored"
        yield Edit("argument", first.lineno, start, start, new, note)


def deletions(text: SourceText, node: ast.AST) -> Iterator[Edit | None]:
    """A statement left out, where what follows can still run."""
    if not isinstance(node, ast.FunctionDef):
        return
    known = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    for one in ast.walk(node):
        gone = f"without `{_short(text.text(one))}`" if isinstance(one, ast.stmt) else ""
        if isinstance(one, ast.AugAssign) or _is_call(one):
            yield text.replace("deletion", one, "pass", gone)
        elif isinstance(one, ast.Assign):
            names = {name.id for name in ast.walk(one.targets[0]) if isinstance(name, ast.Name)}
            if names <= known:
                yield text.replace("deletion", one, "pass", gone)
            known |= names


OPERATORS: tuple[Callable[[SourceText, ast.AST], Iterator[Edit | None]], ...] = (
    comparisons, bounds, arithmetic, constants, loads, casts, branches, contiguity, reductions,
    loops, swaps, ignored_arguments, deletions,
)  # fmt: skip


def _guards_a_launch(node: ast.If | ast.IfExp) -> bool:
    """Such a condition only saves a launch of no programs."""
    return isinstance(node, ast.If) and any(
        _is_call(one)
        and isinstance(one.value, ast.Call)
        and isinstance(one.value.func, ast.Subscript)
        for one in node.body
    )


def _is_call(node: ast.AST) -> TypeGuard[ast.Expr]:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _method(node: ast.AST, *names: str) -> ast.Call | None:
    """The node, if it calls something `.name`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node if node.func.attr in names else None
    return None


def _base(text: SourceText, called: ast.Call) -> str:
    """What stands before the dot."""
    assert isinstance(called.func, ast.Attribute)
    return text.text(called.func.value)


def _find_callee(node: ast.Call) -> str:
    """The last part of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _short(statement: str) -> str:
    joined = " ".join(statement.split())
    return joined if len(joined) <= 60 else f"{joined[:57]}..."
