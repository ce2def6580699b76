"""Names runs of one method with different choices by the choices that differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Choices = Mapping[str, str]
"""What was chosen for a run, by name."""


@dataclass(frozen=True)
class RunVariant:
    """The settings of a run that asked a model."""

    run: str
    method: str
    model: str
    choices: Choices


def variants(begun: Iterable[RunVariant]) -> dict[str, dict[str, str]]:
    """By run and method: the name in every table, such as `refine profile=false`.

    Only where a method was run with one model in more than one way; else it keeps its name.
    """
    groups: dict[tuple[str, str], list[RunVariant]] = {}
    for one in begun:
        groups.setdefault((one.method, one.model), []).append(one)
    return {
        one.run: {one.method: " ".join([one.method, *_describe_choices(one.choices, differing)])}
        for group in groups.values()
        if (differing := _differing([one.choices for one in group]))
        for one in group
    }


def _differing(every: Sequence[Choices]) -> list[str]:
    """Names of the choices that are not alike in all, in the order of the first that has them."""
    names = dict.fromkeys(name for one in every for name in one)
    return [name for name in names if len({one.get(name) for one in every}) > 1]


def _describe_choices(choices: Choices, differing: Sequence[str]) -> list[str]:
    return [f"{name}={choices[name]}" for name in differing if name in choices]
