"""Mutants of a source, in an order that is always the same."""

import ast
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernelbenchx.certify.mutation.operators import OPERATORS
from kernelbenchx.certify.mutation.source_text import Edit, SourceText

MOST = 30
"""How many mutants a witness gets."""
_TUNING = frozenset(("num_warps", "num_stages", "input_precision"))
"""Keywords whose values change speed, or what the interpreter does not model."""


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
    original = ast.dump(tree)
    seen = {original}
    candidates = []
    for edit in _edits(text, tree):
        changed = text.apply(edit)
        try:
            dumped = ast.dump(ast.parse(changed))
        except SyntaxError:
            continue
        if dumped not in seen:
            seen.add(dumped)
            candidates.append((edit, SourceMutant(edit.operator, text.describe(edit), changed)))
    return _spread(candidates, most, source)


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
    while waiting:
        node = waiting.pop(0)
        yield node
        skipped = set(map(id, _skipped(node)))
        waiting[:0] = [one for one in ast.iter_child_nodes(node) if id(one) not in skipped]


def _skipped(node: ast.AST) -> Iterator[ast.AST]:
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


def _spread(
    candidates: Sequence[tuple[Edit, SourceMutant]], most: int, source: str
) -> tuple[SourceMutant, ...]:
    """In turns from each operator, from the line that has fewest so far; then in source order."""
    chance = random.Random(hashlib.sha256(source.encode()).digest())
    by_operator: dict[str, list[tuple[Edit, SourceMutant]]] = defaultdict(list)
    for one in candidates:
        by_operator[one[0].operator].append(one)
    for some in by_operator.values():
        chance.shuffle(some)
    lines: Counter[int] = Counter()
    chosen: list[tuple[Edit, SourceMutant]] = []
    while len(chosen) < most and any(by_operator.values()):
        for operator in sorted(by_operator):
            left = by_operator[operator]
            if left and len(chosen) < most:
                best = min(left, key=lambda one: lines[one[0].line])
                left.remove(best)
                lines[best[0].line] += 1
                chosen.append(best)
    chosen.sort(key=lambda one: (one[0].start, one[1].description))
    return tuple(mutant for _, mutant in chosen)
