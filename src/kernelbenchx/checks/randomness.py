"""Chance only from where the task says: one `torch.randint`, or the signature's generator."""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Randomness, Subject
from kernelbenchx.checks.scopes import Scope
from kernelbenchx.checks.tags import Dotted, dotted
from kernelbenchx.checks.torch_names import RANDOM_METHODS, Use, use_of
from kernelbenchx.core.outcome import Finding

NAME = "randomness"
SEED = "torch.randint"
_GENERATOR_METHODS = {"initial_seed", "manual_seed", "get_state", "set_state", "seed"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension, ast.ListComp, ast.GeneratorExp)


def randomness(subject: Subject) -> Iterator[Finding]:
    """Every use of chance is one the statement names."""
    allowed = subject.expectation.randomness != Randomness.NONE
    called = {id(scope) for scope in subject.reach.called.values()}
    for node, scope in subject.reach.walk():
        for what in _chance(subject, node, scope):
            if what == SEED and allowed and id(scope) in called:
                continue
            if _reads_generator(subject, what, node):
                continue
            why = f"{what}: {_WANTED[subject.expectation.randomness]}"
            yield Finding(rule=NAME, line=getattr(node, "lineno", 1), why=why)
    if allowed:
        yield from _seeds(subject)


_WANTED = {
    Randomness.NONE: "the task has no randomness",
    Randomness.RANDINT: "the seed comes from exactly one torch.randint inside the call",
    Randomness.GENERATOR: "the seed comes from torch.randint or from `generator`",
}


def _chance(subject: Subject, node: ast.AST, scope: Scope) -> Iterator[str]:
    if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
        return
    for path in dotted(subject.source.of(node, scope)):
        root, _, rest = path.partition(".")
        if root == "torch" and rest and use_of(rest) is Use.RANDOM:
            yield path
    if isinstance(node, ast.Attribute) and node.attr in RANDOM_METHODS:
        base = subject.source.of(node.value, scope)
        if not any(isinstance(tag, Dotted) for tag in base):
            yield f".{node.attr}"


def _reads_generator(subject: Subject, what: str, node: ast.AST) -> bool:
    """`generator.initial_seed()`, where the signature has a generator."""
    return (
        subject.expectation.randomness == Randomness.GENERATOR
        and what == ".initial_seed"
        and isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "generator"
    )


def _seeds(subject: Subject) -> Iterator[Finding]:
    drawn: dict[bool, list[int]] = {True: [], False: []}
    for scope in subject.reach.called.values():
        repeated = _repeated(scope)
        for node in subject.reach.nodes(scope):
            if not isinstance(node, ast.Call):
                continue
            if SEED not in dotted(subject.source.of(node.func, scope)):
                continue
            given = any(keyword.arg == "generator" for keyword in node.keywords)
            drawn[given].append(node.lineno)
            if id(node) in repeated:
                why = "torch.randint inside a loop; the seed is drawn once a call"
                yield Finding(rule=NAME, line=node.lineno, why=why)
    if subject.expectation.randomness == Randomness.RANDINT:
        drawn = {True: [], False: drawn[True] + drawn[False]}
    for lines in drawn.values():
        for line in sorted(lines)[1:]:
            yield Finding(rule=NAME, line=line, why="a second torch.randint; one gives the seed")


def _repeated(scope: Scope) -> set[int]:
    loops = [node for node in scope.nodes if isinstance(node, _LOOPS)]
    return {id(part) for loop in loops for part in ast.walk(loop)}
