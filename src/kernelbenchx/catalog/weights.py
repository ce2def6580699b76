"""Shapes of a problem's weights, said in terms of its constructor's arguments."""

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from kernelbenchx.catalog.facts import WeightFacts

if TYPE_CHECKING:
    from kernelbenchx.spec.problem import Problem

Shapes = dict[str, tuple[int, ...]]


class WeightProbe(NamedTuple):
    """A module that was made."""

    init: tuple[Any, ...]
    numbers: dict[str, int]
    """The integers that it was made from, by name."""
    shapes: Shapes
    """Of its weights."""


SEEDS = 3
"""So many runs' sizes are looked at."""
FACTORS = range(2, 9)


def describe_weights(task: "Problem") -> tuple[WeightFacts, ...]:
    """Each weight by name, with its shape as an expression, or its shape for one constructor."""
    calls = [task.draw(case, 0) for seed in range(SEEDS) for case in task.cases(seed)]
    probes = list(_probes(task, [(call.init, _shapes(call.state)) for call in calls]))
    names = dict.fromkeys(name for one in probes for name in one.shapes)
    return tuple(WeightFacts(name=name, shape=_shape(task, name, probes)) for name in names)


def _probes(
    task: "Problem", drawn: Sequence[tuple[tuple[Any, ...], Shapes]]
) -> Iterator[WeightProbe]:
    """The drawn ones, then the first with each of its numbers changed: what follows shows."""
    for init, shapes in drawn:
        yield WeightProbe(init, _numbers(task, init), shapes)
    init, shapes = drawn[0]
    for name, value in _numbers(task, init).items():
        for other in (value + 1, 2 * value, 3 * value):
            changed = _replace_argument(task, init, name, other)
            found = _built_shapes(task, changed)
            if found is not None and found.keys() == shapes.keys():
                yield WeightProbe(changed, _numbers(task, changed), found)


def _numbers(task: "Problem", init: tuple[Any, ...]) -> dict[str, int]:
    """Integers among the arguments; one in a tuple is named by its place."""
    found = {}
    for name, value in task.making.bind(*init).arguments.items():
        each = value if isinstance(value, tuple | list) else None
        for place, one in enumerate(each if each is not None else (value,)):
            if isinstance(one, int) and not isinstance(one, bool):
                found[name if each is None else f"{name}[{place}]"] = one
    return found


def _replace_argument(
    task: "Problem", init: tuple[Any, ...], name: str, other: int
) -> tuple[Any, ...]:
    bound = task.making.bind(*init).arguments
    bare, _, rest = name.partition("[")
    if not rest:
        return tuple((bound | {bare: other}).values())
    value = list(bound[bare])
    value[int(rest.removesuffix("]"))] = other
    return tuple((bound | {bare: type(bound[bare])(value)}).values())


def _built_shapes(task: "Problem", init: tuple[Any, ...]) -> Shapes | None:
    """None where the constructor takes no such arguments."""
    try:
        with torch.device("meta"):
            return _shapes(task.reference(*init).state_dict())
    except Exception:  # noqa: BLE001 - whatever it raises, these numbers do not go together
        return None


def _shapes(state: Any) -> Shapes:
    return {name: tuple(value.shape) for name, value in state.items()}


def _shape(task: "Problem", name: str, probes: Sequence[WeightProbe]) -> str:
    having = [one for one in probes if name in one.shapes]
    first = having[0].shapes[name]
    words: list[str | None] = [None]
    if len({len(one.shapes[name]) for one in having}) == 1:
        words = [
            _expression([(one.numbers, one.shapes[name][at]) for one in having])
            for at in range(len(first))
        ]
    if None in words:
        made = ", ".join(map(repr, having[0].init))
        return f"{_format_tuple([str(size) for size in first])} for `{task.entry}({made})`"
    some = "" if len(having) == len(probes) else ", for some arguments only"
    return _format_tuple([word for word in words if word is not None]) + some


def _format_tuple(words: Sequence[str]) -> str:
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def _expression(known: Sequence[tuple[dict[str, int], int]]) -> str | None:
    """The simplest that gives this size in all of them."""
    names = [name for name in known[0][0] if all(name in numbers for numbers, _ in known)]
    for words, values in _candidates(names, [numbers for numbers, _ in known]):
        if all(value == size for value, (_, size) in zip(values, known, strict=True)):
            return words
    sizes = {size for _, size in known}
    return str(sizes.pop()) if len(sizes) == 1 else None


def _candidates(
    names: Sequence[str], given: Sequence[dict[str, int]]
) -> Iterator[tuple[str, list[int]]]:
    for one in names:
        yield one, [numbers[one] for numbers in given]
    sizes = {name: {numbers[name] for numbers in given} for name in names}
    varying = [name for name in names if len(sizes[name]) > 1]
    for one, factor in itertools.product(varying, FACTORS):
        yield f"{factor} * {one}", [factor * numbers[one] for numbers in given]
        yield f"{one} // {factor}", [numbers[one] // factor for numbers in given]
    for one, two in itertools.permutations(varying, 2):
        yield f"{one} * {two}", [numbers[one] * numbers[two] for numbers in given]
        yield f"{one} // {two}", [numbers[one] // max(1, numbers[two]) for numbers in given]
        yield f"{one} + {two}", [numbers[one] + numbers[two] for numbers in given]
