"""Describes in one sentence what the failing cases share and the passing ones do not."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import torch

from kernelbenchx.core.outcome import Broken, CaseResult, CaseState, MainCause, Void, Wrong
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.main_cause import describe_cause
from kernelbenchx.spec.cases import Case

_FAILED = (CaseState.WRONG, CaseState.BROKEN)
_MOST_VALUES = 3
_LEAST_TELLING = 0.5
"""A trait is named if it is more frequent by this much among failing than among passing cases."""
_VALUE, _NEED, _SHAPE = range(3)
"""Kinds of traits, in order of how easy they are to understand."""
_MEMORY = "~"
"""Stands for a parameter, and ranks last: the name of a layout says more."""
_NEEDS = {
    Scope.LAYOUT: "a strided, offset or written argument",
    Scope.DTYPE: "a dtype other than the main ones",
    Scope.VALUES: "NaN, infinite or very large values",
    Scope.DEGENERATE: "an empty or one-element input",
    Scope.SCALE: "a very large input",
}


class Trait(NamedTuple):
    """Something that is true of a case."""

    kind: int
    parameter: str
    words: str


def describe_failures(
    judged: Sequence[tuple[Case, CaseResult]],
    outcome: Wrong | Broken | Void,
    strided: Mapping[str, Collection[str]] = MappingProxyType({}),
    main: MainCause | None = None,
) -> str:
    """`19 of 24 cases pass; 5 fail, all with a transposed input: RuntimeError: …`.

    `strided`: for each case the arguments that are not contiguous. If the main cause does not
    explain all failures, the sentence is about those that it does.
    """
    failed = [(case, one) for case, one in judged if one.state in _FAILED]
    passed = [(case, one) for case, one in judged if one.state is CaseState.PASSED]
    if isinstance(outcome, Void) or not failed:
        return ""
    lost = len(judged) - len(failed) - len(passed)
    fail = "fails" if len(failed) == 1 else "fail"
    count = f"{len(passed)} of {len(judged)} cases pass; {len(failed)} {fail}"
    if len(failed) == len(judged):
        count = f"all {len(judged)} cases fail"
    alike = [(case, one) for case, one in failed if main is None or one.case in main.cases]
    shared = find_shared(
        *(
            [set(traits_of(case, one, strided.get(one.case, ()))) for case, one in group]
            for group in (alike, passed)
        )
    )
    if len(alike) < len(failed):
        count += f"; {len(alike)} of them"
    cause = describe_cause(outcome) if main is None else main.words
    words = count + (f", {shared}" if shared else "") + ": " + cause
    return f"{words}; {lost} not reached" if lost else words


def find_shared(failing: Sequence[set[Trait]], passing: Sequence[set[Trait]]) -> str:
    """The trait that all failing cases have and no passing one; else the most telling trait with
    its count; empty if nothing tells them apart."""
    if not passing:
        return ""
    share = "with" if len(failing) == 1 else "both with" if len(failing) == 2 else "all with"
    common = sorted(set.intersection(*failing))
    alone = [one for one in common if not any(one in each for each in passing)]
    if alone and alone[0].kind == _VALUE:
        return f"{share} {alone[0].words}"
    for choice in _choices(failing, passing):
        return f"{share} {choice}"
    if alone:
        return f"{share} {alone[0].words}"
    for one, other in combinations(common, 2):
        if not any({one, other} <= each for each in passing):
            return f"{share} {one.words} and {other.words}"
    return _find_most_telling(failing, passing)


def _choices(failing: Sequence[set[Trait]], passing: Sequence[set[Trait]]) -> Iterator[str]:
    """A parameter that takes a few values in all failing cases, and others in all passing ones."""
    known = dict.fromkeys(one.parameter for one in sorted(failing[0]) if one.kind == _VALUE)
    for name in known.keys() - {_MEMORY}:
        values = [_values(name, each) for each in failing]
        found = sorted(set.union(*values))
        elsewhere = set[str]().union(*(_values(name, each) for each in passing))
        if all(values) and not elsewhere & set(found) and len(found) <= _MOST_VALUES < len(failing):
            yield " or ".join(found)


def _values(name: str, traits: set[Trait]) -> set[str]:
    return {one.words for one in traits if one.kind == _VALUE and one.parameter == name}


def _find_most_telling(failing: Sequence[set[Trait]], passing: Sequence[set[Trait]]) -> str:
    def excess(trait: Trait) -> float:
        among = sum(trait in one for one in failing) / len(failing)
        return among - sum(trait in one for one in passing) / len(passing)

    best = max(sorted(set.union(*failing)), key=excess, default=None)
    if best is None or excess(best) < _LEAST_TELLING:
        return ""
    have, others = (sum(best in one for one in group) for group in (failing, passing))
    named = f"{'all' if have == len(failing) else have} with {best.words}"
    return f"{named}, as {others} that pass" if others else named


def traits_of(case: Case, result: CaseResult, strided: Collection[str] = ()) -> Iterator[Trait]:
    """Parameters with their values, scopes of the case, and some properties of shapes."""
    for name in strided:
        yield Trait(_VALUE, _MEMORY, f"{name} not contiguous")
    for name, value in case.params.items():
        if isinstance(value, tuple) and all(type(one) is int for one in value):
            for words in _describe_shape(name, value):
                yield Trait(_SHAPE, name, words)
        elif value is not None:
            yield Trait(_VALUE, name, _describe_value(name, value))
    for scope in result.needs:
        if scope in _NEEDS:
            yield Trait(_NEED, "", _NEEDS[scope])


def _describe_shape(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    count = math.prod(shape)
    yield f"a {len(shape)}-d {name}"
    if not count:
        yield f"an empty {name}"
    elif 1 in shape:
        yield f"a dimension of 1 in {name}"
    if any(side & (side - 1) for side in shape):
        yield f"sizes in {name} that are no powers of two"
    for border in (256, 1024, 4096):
        yield f"{'more than' if count > border else 'at most'} {border} elements in {name}"


def _describe_value(name: str, value: object) -> str:
    if isinstance(value, torch.dtype):
        return f"{name} {str(value).removeprefix('torch.')}"
    if name == "layout":
        return f"{'an' if str(value)[:1] in 'aeiou' else 'a'} {value} input"
    return f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
