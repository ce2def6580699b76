"""Tasks grouped by what a kernel for them must do, and by how their references are written."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.source_structure import Structure
from kernelbenchx.catalog.task_facts import MOST_PASSES, TaskFacts, task_facts
from kernelbenchx.core.errors import BadInput

BOUND = "bound"
_STEPS = ((1, "1"), (2, "2"), (4, "3 to 4"))
_MORE = "5 or more"
_FACTS: dict[str, Callable[[TaskFacts], str]] = {
    "cooperation": lambda one: one.cooperation,
    "operators": lambda one: next((word for most, word in _STEPS if one.operators <= most), _MORE),
    "passes": lambda one: f"{one.passes}{' or more' * (one.passes == MOST_PASSES)}",
    "contract": lambda one: one.contract,
    "dtypes": lambda one: ", ".join(one.dtypes),
}
FACTS = ("cooperation", "operators", "passes", BOUND, "contract", "dtypes")
PROXIES: dict[str, Callable[[Structure], int]] = {
    "complexity": lambda one: one.complexity,
    "assignments": lambda one: one.intermediates,
    "torch calls": lambda one: one.torch_calls,
}
"""Counts over the reference: what the paper takes for structure."""
ABOUT = (
    "Facts: how programs must cooperate, number of operators, least passes over memory, what "
    "bounds the task{}, its contract and its dtypes. Proxies are counts over the reference, in "
    "thirds of the tasks: largest cyclomatic complexity, assignments, torch calls. "
)


@dataclass(frozen=True)
class TaskGroups:
    """One way to group tasks: the group of each that is known."""

    name: str
    kind: str
    """`fact` or `proxy`."""
    of: Mapping[str, str]

    @property
    def levels(self) -> list[str]:
        """In order of name."""
        return sorted(set(self.of.values()))


def chosen_facts(words: Sequence[str]) -> tuple[str, ...]:
    """Names of facts, as a person types them; all where none is named."""
    named = [word.strip() for text in words for word in text.split(",") if word.strip()]
    for one in named:
        if one not in FACTS:
            raise BadInput(f"unknown fact {one!r}; choose among {', '.join(FACTS)}")
    return tuple(dict.fromkeys(named)) or FACTS


def groups_of(
    tasks: Iterable[str], by: Sequence[str] = FACTS, bounds: Mapping[str, str] | None = None
) -> list[TaskGroups]:
    """Facts that are asked for, then proxies; tasks outside the catalogue are in none."""
    named = sorted(set(tasks))
    known = {name: found for name in named if (found := task_facts(name)) is not None}
    groups = []
    for fact in by:
        if fact == BOUND:
            own = {name: one for name, one in (bounds or {}).items() if name in known}
        else:
            own = {name: _FACTS[fact](one) for name, one in known.items()}
        groups.append(TaskGroups(fact, "fact", own))
    built = {name: facts(name).structure for name in named if catalog.path_of(name).is_file()}
    for proxy, count in PROXIES.items():
        counts = {name: count(one) for name, one in built.items()}
        groups.append(TaskGroups(proxy, "proxy", _thirds(counts)))
    return groups


def _thirds(counts: Mapping[str, int]) -> dict[str, str]:
    """By numbers that occur: equal counts stay together, so thirds are rarely equal."""
    if not counts:
        return {}
    values = np.asarray(sorted(counts.values()))
    ends = sorted({int(np.quantile(values, share, method="lower")) for share in (1 / 3, 2 / 3, 1)})
    return {name: _between(value, ends) for name, value in counts.items()}


def _between(value: int, ends: Sequence[int]) -> str:
    place = next(at for at, end in enumerate(ends) if value <= end)
    if place == 0:
        return f"up to {ends[0]}"
    return f"above {ends[place - 1]}" + ("" if place + 1 == len(ends) else f", up to {ends[place]}")
