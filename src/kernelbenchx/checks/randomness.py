"""Permits randomness only from the task's source: one `torch.randint`, or a generator.

The rule is about what the entry calls; demo code may draw what it likes.
"""

import ast
from collections.abc import Iterator

from kernelbenchx.checks.rule import Form, Randomness, Subject
from kernelbenchx.checks.scopes import COMPREHENSIONS, FUNCTIONS, NodePlace
from kernelbenchx.checks.torch_names import RANDOM_METHODS, Use, is_dropout, use_of
from kernelbenchx.core.outcome import Finding

NAME = "randomness"
SEED = "torch.randint"
_STEERING = ("seed", "rng_state", "generator", "set_state", "get_state")
_LOOPS = (ast.For, ast.AsyncFor, ast.While, *COMPREHENSIONS)


def randomness(subject: Subject) -> Iterator[Finding]:
    """Every use of randomness is one that the statement names."""
    allowed = subject.expectation.randomness != Randomness.NONE
    wanted = _WANTED[subject.expectation.randomness]
    for one in subject.reach.named:
        for path in one.paths:
            random = path.startswith("torch.") and use_of(path[6:]) is Use.RANDOM
            if random and _draws_weights(subject, one.place, path):
                continue
            if is_dropout(path) and subject.expectation.form == Form.MODULE:
                # Problems hold dropout at rate 0; with another rate the values are wrong.
                continue
            if random and not (path == SEED and allowed and _in_function(one.place)):
                yield Finding(rule=NAME, line=one.line, why=f"{path}: {wanted}")
    for place in subject.reach.places(ast.Attribute):
        node = place.node
        assert isinstance(node, ast.Attribute)
        drawn = node.attr in RANDOM_METHODS and not subject.source.of(node, place.scope)
        if drawn and _draws_weights(subject, place, node.attr):
            continue
        if drawn and not _reads_generator(subject, node):
            yield Finding(rule=NAME, line=node.lineno, why=f".{node.attr}: {wanted}")
    if allowed:
        yield from _seeds(subject)


def _draws_weights(subject: Subject, place: NodePlace, name: str) -> bool:
    """A constructor draws the weights of a module; which seed it is built under is not its own."""
    steers = any(word in name.lower() for word in _STEERING)
    return not steers and subject.constructors.runs(place.scope)


def _in_function(place: NodePlace) -> bool:
    return isinstance(place.scope.function().owner, FUNCTIONS)


_WANTED = {
    Randomness.NONE: "the task has no randomness",
    Randomness.RANDINT: "the seed comes from exactly one torch.randint inside the call",
    Randomness.GENERATOR: "the seed comes from torch.randint or from `generator`",
}


def _reads_generator(subject: Subject, node: ast.Attribute) -> bool:
    """`generator.initial_seed()`, where the signature has a generator."""
    return (
        subject.expectation.randomness == Randomness.GENERATOR
        and node.attr == "initial_seed"
        and isinstance(node.value, ast.Name)
        and node.value.id in ("generator", _own_name_of_generator(subject))
    )


def _own_name_of_generator(subject: Subject) -> str:
    call = subject.bound.binding.call
    return "" if call is None else call.keyword_of("generator")


def _seeds(subject: Subject) -> Iterator[Finding]:
    drawn: dict[bool, list[int]] = {True: [], False: []}
    for place in subject.reach.places(ast.Call):
        node = place.node
        assert isinstance(node, ast.Call)
        if SEED not in subject.source.of(node.func, place.scope) or not _in_function(place):
            continue
        given = any(keyword.arg == "generator" for keyword in node.keywords)
        drawn[given].append(node.lineno)
        if _is_repeated(subject, node):
            why = "torch.randint inside a loop; the seed is drawn once a call"
            yield Finding(rule=NAME, line=node.lineno, why=why)
    if subject.expectation.randomness == Randomness.RANDINT:
        drawn = {True: [], False: drawn[True] + drawn[False]}
    for lines in drawn.values():
        for line in sorted(lines)[1:]:
            yield Finding(rule=NAME, line=line, why="a second torch.randint; one gives the seed")


def _is_repeated(subject: Subject, node: ast.AST) -> bool:
    parents = subject.source.names.parents
    while not isinstance(node, ast.FunctionDef | ast.Module | ast.Lambda):
        node = parents[id(node)]
        if isinstance(node, _LOOPS):
            return True
    return False
