"""Mutants of a source, in an order that is always the same."""

import ast
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kernelbenchx.certify.mutation.operators import OPERATORS
from kernelbenchx.certify.mutation.source_text import Edit, SourceText

MOST = 30
"""How many mutants a witness gets."""
_TUNING = frozenset(("num_warps", "num_stages", "input_precision"))
"""Keywords whose values change speed, or what the interpreter does not model."""

_ACROSS_LANES = frozenset(("sum", "max", "min", "reduce", "dot", "cumsum", "gather"))


@dataclass(frozen=True)
class SourceMutant:
    """A witness with one mistake."""

    operator: str
    description: str
    source: str


def mutants(source: str, most: int = MOST) -> tuple[SourceMutant, ...]:
    """At most so many, spread over operators and lines; none equals the original."""
    text = SourceText(source)
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    chosen: list[Edit] = []
    for edit in _spread(_edits(text, tree), source):
        if len(chosen) == most:
            break
        dumped = _dump_ast(text.apply(edit))
        if dumped and dumped not in seen:
            seen.add(dumped)
            chosen.append(edit)
    chosen.sort(key=lambda edit: (edit.start, text.describe(edit)))
    return tuple(
        SourceMutant(edit.operator, text.describe(edit), text.apply(edit)) for edit in chosen
    )


def _dump_ast(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return ""


def _edits(text: SourceText, tree: ast.Module) -> Iterator[Edit]:
    for node in _mutable(tree):
        for operator in OPERATORS:
            yield from (edit for edit in operator(text, node) if edit is not None)


def _mutable(tree: ast.Module) -> Iterator[ast.AST]:
    """Nodes in source order, without annotations, decorators, docstrings and tuning."""
    waiting: list[ast.AST] = [
        one
        for one in tree.body
        if isinstance(one, ast.FunctionDef)
        or (isinstance(one, ast.Assign) and isinstance(one.value, ast.Call))
    ]
    skipped: set[int] = set()
    while waiting:
        node = waiting.pop(0)
        yield node
        skipped |= set(map(id, [*_find_skipped_nodes(node), *_unseen_values(node)]))
        waiting[:0] = [one for one in ast.iter_child_nodes(node) if id(one) not in skipped]


def _find_skipped_nodes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        yield from node.decorator_list
        if node.returns is not None:
            yield node.returns
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
        yield node.annotation
    if isinstance(node, ast.keyword) and node.arg in _TUNING:
        yield node.value
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value in _TUNING:
                yield value


def _unseen_values(node: ast.AST) -> Iterator[ast.AST]:
    """`other` of loads whose masked lanes are stored nowhere: an elementwise kernel's."""
    if not isinstance(node, ast.FunctionDef):
        return
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    named = [(one, one.func.attr) for one in calls if isinstance(one.func, ast.Attribute)]
    if {name for _, name in named} & _ACROSS_LANES:
        return
    stored = {ast.dump(mask) for one, name in named if name == "store" for mask in _masks(one)}
    for one, name in named:
        if name == "load" and any(ast.dump(mask) in stored for mask in _masks(one)):
            yield from (keyword for keyword in one.keywords if keyword.arg == "other")


def _masks(call: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in call.keywords if keyword.arg == "mask"]


def _spread(edits: Iterable[Edit], source: str) -> Iterator[Edit]:
    """In turns from each operator, from the line that has fewest so far."""
    chance = random.Random(hashlib.sha256(source.encode()).digest())
    by_operator: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_operator[edit.operator].append(edit)
    for some in by_operator.values():
        chance.shuffle(some)
    lines: Counter[int] = Counter()
    while any(by_operator.values()):
        for operator in sorted(by_operator):
            if left := by_operator[operator]:
                best = min(left, key=lambda edit: lines[edit.line])
                left.remove(best)
                lines[best.line] += 1
                yield best
