"""The main operators of a task: which worked example would give it away.

Those of a module are read from its source. Of a function no model sees the source, so they are
read from the words of its statement.
"""

import ast
import re
from collections.abc import Iterator

from kernelbenchx.catalog.statement import Statement

HEAVY = ("attention", "convolution", "recurrence", "matmul")
"""Where most of the work is, wherever they stand in a module."""
LIGHT = ("normalization", "pooling", "softmax", "loss", "scan", "reduction")
"""The first that a module has is its main operator, unless it has a heavy one."""
ELEMENTWISE = "elementwise"

_CALLS = {
    "attention": r"scaled_dot_product_attention|MultiheadAttention|Transformer\w*",
    "convolution": r"conv(_transpose)?\d?d|Conv(Transpose)?\dd|(un)?fold|(Unf|F)old",
    "recurrence": r"(RNN|LSTM|GRU)(Cell)?",
    "matmul": r"linear|Linear|Bilinear|bilinear|matmul|b?mm|addmm|baddbmm|einsum|tensordot|mv|dot",
    "normalization": r"\w*(_norm|Norm(\dd)?)|normalize",
    "pooling": r"\w*_pool\dd|\w*Pool\dd",
    "softmax": r"(log_)?softmax|Softmax|LogSoftmax|softmin",
    "loss": r"\w*_loss|\w*Loss|cross_entropy|kl_div|cosine_similarity",
    "scan": r"cumsum|cumprod|logcumsumexp|cummax|cummin",
    "reduction": r"sum|mean|prod|a?max|a?min|argmax|argmin|var|std|norm|logsumexp|any|all",
}
_NAMED = {
    "attention": r"attention",
    "convolution": r"conv\w*",
    "matmul": r"\w*matmul|b?mm|addmm|linear|matrix (?:multiply|vector)|attention",
    "normalization": r"norm\w*",
    "pooling": r"pool\w*",
    "softmax": r"softmax",
    "loss": r"loss",
    "scan": r"cumsum|cumprod|scan",
    "reduction": r"reduce",
}
"""Words in the category and the name of a function's task."""
_PRODUCT = re.compile(r"\bmatrix product|\bproducts? of matrices| @ ")
"""In the first sentence about a function that multiplies matrices without saying so in its name."""


def operators_of(statement: Statement) -> frozenset[str]:
    """The main ones of a module; all that the words about a function name."""
    if statement.source:
        return main_operators(statement.source)
    words = f"{statement.category} {statement.task}".lower().replace("_", " ")
    words = words.replace("linear algebra", "")  # a category, of which few tasks multiply
    found = {
        operator for operator, pattern in _NAMED.items() if re.search(rf"\b({pattern})\b", words)
    }
    first = statement.description.strip().partition("\n\n")[0]
    if _PRODUCT.search(first):
        found.add("matmul")
    return frozenset(found or {ELEMENTWISE})


def main_operators(source: str) -> frozenset[str]:
    """All heavy ones; else the one light one that comes first; else `elementwise`."""
    found = set(_operators(ast.parse(source)))
    heavy = found.intersection(HEAVY)
    if heavy:
        return frozenset(heavy)
    return frozenset([next((one for one in LIGHT if one in found), ELEMENTWISE)])


def _operators(tree: ast.Module) -> Iterator[str]:
    names = [_find_function_name(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    products = sum(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) for node in ast.walk(tree)
    )
    for operator, pattern in _CALLS.items():
        if any(re.fullmatch(pattern, name) for name in names):
            yield operator
    if products:
        yield "matmul"
    # Written out, attention is a softmax between two products.
    products += sum(name in ("matmul", "bmm", "einsum") for name in names)
    if products >= 2 and any(re.fullmatch(_CALLS["softmax"], name) for name in names):
        yield "attention"


def _find_function_name(node: ast.Call) -> str:
    """The last part of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
