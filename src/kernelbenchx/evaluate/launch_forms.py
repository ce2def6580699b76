"""Selects the launches to compile: one of each form that judged cases launched.

Triton compiles a kernel for its constants, the types of its arguments, and which integers are 1.
Its front end ignores alignment. Records come from the submission's process: they are bounded, and
an additional form can only count against it.
"""

import json
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Launch = dict[str, Any]

MOST_COMBINATIONS = 128
"""Most forms by constants and types, which get machine code."""
MOST_FORMS = 256
"""Most forms including which integers are 1, which only the front end sees."""
MOST_RECORDS = 50_000
"""Most launches that are examined."""
_ALIGNMENT = 16


@dataclass(frozen=True)
class LaunchForms:
    """Launches to compile, and how many other forms there are."""

    launches: tuple[Launch, ...] = ()
    left_out: int = 0


@dataclass(frozen=True)
class FormTest:
    """Forms to compare with."""

    keys: frozenset[str]

    def __contains__(self, launch: Launch) -> bool:
        return _key(launch, ones=True) in self.keys


def pick_distinct(launches: Iterable[Launch], seed: int) -> LaunchForms:
    """One launch of each form; of too many a sample that the seed draws, combinations first."""
    chance = random.Random(seed)
    looked_at = list(launches)
    unseen = max(0, len(looked_at) - MOST_RECORDS)
    if unseen:
        looked_at = chance.sample(looked_at, MOST_RECORDS)
    combinations: dict[str, dict[str, Launch]] = {}
    for launch in looked_at:
        forms = combinations.setdefault(_key(launch, ones=False), {})
        form = _key(launch, ones=True)
        best = forms.setdefault(form, launch)
        if _rank_launch(launch) > _rank_launch(best):
            forms[form] = launch
        if launch is not best:
            forms[form] = {**forms[form], "ran": _merge_ran(best.get("ran"), launch.get("ran"))}
    return _sample(combinations, unseen, chance)


def _merge_ran(one: Any, other: Any) -> Any:
    """What ran of each function in either of two launches."""
    if one == other or not (isinstance(one, dict) and isinstance(other, dict)):
        return other or one
    return {
        name: list(
            {json.dumps(mark): mark for mark in one.get(name, []) + other.get(name, [])}.values()
        )
        for name in one | other
    }


def _sample(
    combinations: dict[str, dict[str, Launch]], unseen: int, chance: random.Random
) -> LaunchForms:
    kept = sorted(combinations)
    if len(kept) > MOST_COMBINATIONS:
        kept = sorted(chance.sample(kept, MOST_COMBINATIONS))
    first = [max(combinations[key].values(), key=_rank_launch) for key in kept]
    others = [
        launch
        for key, chosen in zip(kept, first, strict=True)
        for launch in combinations[key].values()
        if launch is not chosen
    ]
    room = MOST_FORMS - len(first)
    if len(others) > room:
        others = chance.sample(others, room)
    total = unseen + sum(map(len, combinations.values()))
    cheap = (front_end_only(launch) for launch in others)
    return LaunchForms((*first, *cheap), total - len(first) - len(others))


def make_form_test(launches: Iterable[Launch]) -> "FormTest":
    """Tells whether a launch has the form of one of these."""
    return FormTest(frozenset(_key(one, ones=True) for one in launches))


def front_end_only(launch: Launch) -> Launch:
    """A launch that needs no machine code."""
    return {**launch, "front_end_only": True}


def _key(launch: Launch, *, ones: bool) -> str:
    arguments = launch.get("args")
    forms = [_form(one, ones=ones) for one in arguments] if isinstance(arguments, list) else None
    named = [launch.get(name) for name in ("kernel", "line", "captured", "options")]
    return json.dumps([*named, forms], sort_keys=True)


def _form(argument: Any, *, ones: bool) -> Any:
    """The form of an argument, as a compiler sees it."""
    if not isinstance(argument, dict):
        return argument
    name, kind = argument.get("name"), argument.get("kind")
    if kind == "int":
        return [name, kind, argument.get("dtype"), ones and argument.get("value") == 1]
    if kind == "pointer":
        return [name, kind, argument.get("dtype")]
    if kind in ("float", "bool"):
        return [name, kind]
    if kind == "tuple" and isinstance(argument.get("items"), list):
        items = [_form(item, ones=ones) for item in argument["items"]]
        return [name, kind, argument.get("fields"), items]
    return argument


def _rank_launch(launch: Launch) -> tuple[int, int]:
    """Sort key: how much a compiler may rely on, then the grid size; the most demanding comes
    first."""
    arguments = launch.get("args")
    known = (
        [one for one in arguments if isinstance(one, dict)] if isinstance(arguments, list) else []
    )
    aligned = sum(one.get("aligned") is True or _is_multiple(one.get("value")) for one in known)
    grid = launch.get("grid")
    sides = [n for n in grid if type(n) is int] if isinstance(grid, list) else []
    return aligned, math.prod(sides)


def _is_multiple(value: Any) -> bool:
    return type(value) is int and value % _ALIGNMENT == 0
