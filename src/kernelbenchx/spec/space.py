"""The space of valid calls of a task, and the calls that one seed draws from it.

A space has axes (shape, dtype, layout, every argument), and an axis has options. Fixed *corners*
are the same in every run, so that runs can be compared. All other calls are drawn by the run's
seed, so that no list of cases can be looked up.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.cases import Case

Chosen = Mapping[str, str]
"""An option by name for each axis."""
Pair = tuple[tuple[str, str], tuple[str, str]]

CALLS = 26
"""How many calls a run draws beside the corners."""
OWN_CALLS = 3
"""How many of them each scope has for itself at least."""
CORE_CALLS = 6
"""The same for core, whose rate is compared with published ones."""
PARTS = 5
"""Within so many seeds every possible pair is called."""
_CANDIDATES = 40
"""Of so many random calls the one with most new pairs is taken."""
_TRIES = 400
"""So often a valid call is looked for before a pair counts as impossible."""


@dataclass(frozen=True)
class Fresh:
    """A value that every seed draws anew, from what was chosen on the axes before."""

    draw: Callable[[random.Random, Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Option:
    """One choice of an axis."""

    name: str
    value: Any = None
    """What `inputs` is given, or `Fresh`."""
    needs: frozenset[Scope] = frozenset()
    """The scopes that it asks about; none for core."""
    calls: int = 1
    """How often a case with it is called at least."""

    def settled(self, chance: random.Random, before: Mapping[str, Any]) -> Any:
        """The value for one call."""
        return self.value.draw(chance, before) if isinstance(self.value, Fresh) else self.value


@dataclass(frozen=True)
class Axis:
    """Something that differs between calls; the first option is the ordinary one."""

    name: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        names = [option.name for option in self.options]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"axis {self.name}: options need names of their own, got {names}")
        if self.options[0].needs:
            raise ValueError(f"axis {self.name}: the first option must be an ordinary one")

    def option(self, name: str) -> Option:
        """By its name."""
        for one in self.options:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.options)
        raise ValueError(f"axis {self.name} has no option {name!r}; it has {known}")


def _anything(_chosen: Chosen) -> bool:
    return True


@dataclass(frozen=True)
class Space:
    """Axes, which choices go together, and the corners."""

    axes: tuple[Axis, ...]
    valid: Callable[[Chosen], bool] = _anything
    """Whether these options may stand in one call."""
    corners: tuple[Mapping[str, str], ...] = ()
    """Options by axis; an axis that is not named takes its first one."""
    calls: int = CALLS
    _possible: dict[Pair, bool] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes]
        if len(set(names)) < len(names):
            raise ValueError(f"two axes have one name: {names}")
        for corner in self.corners:
            if not self.valid(self._filled(corner)):
                raise ValueError(f"corner {dict(corner)} is not a valid call")

    @cached_property
    def by_name(self) -> dict[str, Axis]:
        """The axes."""
        return {axis.name: axis for axis in self.axes}

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Those that some option asks about, core first."""
        asked = {need for axis in self.axes for option in axis.options for need in option.needs}
        return tuple(scope for scope in Scope if scope is Scope.CORE or scope in asked)

    def cases(self, seed: int) -> tuple[Case, ...]:
        """The corners, then what the seed draws; no two alike."""
        fixed = [self._case(corner, random.Random(0), corner=True) for corner in self._corners]
        chance = random.Random(seed + 1)
        drawn = [self._case(chosen, chance, corner=False) for chosen in self.draw(seed)]
        found: dict[str, Case] = {}
        for case in fixed + drawn:
            found.setdefault(case.name, case)
        return tuple(found.values())

    def draw(self, seed: int) -> list[Chosen]:
        """Choices of one run: its part of all pairs, then each scope for itself."""
        chance = random.Random(seed)
        found = list(self._parts[seed % PARTS])
        missing = set(self.possible_pairs()).difference(*map(pairs, [*self._corners, *found]))
        own = Counter(self._asks_about(chosen) for chosen in [*self._corners, *found])
        wanted: list[Scope | None] = []
        for scope in self.scopes:
            least = CORE_CALLS if scope is Scope.CORE else OWN_CALLS
            wanted += [scope] * max(least - own[scope], 1)
        wanted += [None] * max(self.calls - len(wanted) - len(found), 0)
        for asked in wanted:
            chosen = self._next(chance, asked, missing)
            if chosen is not None:
                missing -= pairs(chosen)
                found.append(chosen)
        return found

    @cached_property
    def _corners(self) -> tuple[dict[str, str], ...]:
        return tuple(map(self._filled, self.corners))

    @cached_property
    def _parts(self) -> tuple[tuple[Chosen, ...], ...]:
        """Choices that together have every possible pair, dealt into as many parts as seeds may
        take for it. Each seed draws sizes and values of its own for them."""
        chance = random.Random(0)
        missing = set(self.possible_pairs()).difference(*map(pairs, self._corners))
        found: list[Chosen] = []
        while missing:
            chosen = self._next(chance, None, missing)
            if chosen is None:
                break
            missing -= pairs(chosen)
            found.append(chosen)
        return tuple(tuple(found[part::PARTS]) for part in range(PARTS))

    def _asks_about(self, chosen: Chosen) -> Scope | None:
        """The one scope, or None for several."""
        needs = self.needs(chosen) or {Scope.CORE}
        return next(iter(needs)) if len(needs) == 1 else None

    def possible_pairs(self) -> tuple[Pair, ...]:
        """Every pair of options that some valid call has."""
        found = []
        for one, two in itertools.combinations(self.axes, 2):
            for a, b in itertools.product(one.options, two.options):
                pair = ((one.name, a.name), (two.name, b.name))
                if self._is_possible(pair):
                    found.append(pair)
        return tuple(found)

    def needs(self, chosen: Chosen) -> frozenset[Scope]:
        """The scopes that a choice asks about; none for core."""
        return frozenset().union(*(axis.option(chosen[axis.name]).needs for axis in self.axes))

    def _next(
        self, chance: random.Random, scope: Scope | None, missing: set[Pair]
    ) -> Chosen | None:
        """The choice with most missing pairs of some random ones; None where there is none."""
        left = sorted(missing) if scope is None else []
        best: Chosen | None = None
        most = -1
        for _ in range(_CANDIDATES):
            # Built around a missing pair: by chance alone rare ones would hardly ever come.
            fixed = dict(chance.choice(left)) if left else {}
            chosen = self._candidate(chance, scope, fixed)
            if chosen is None:
                continue
            gain = len(pairs(chosen) & missing)
            if gain > most:
                best, most = chosen, gain
        return best

    def _candidate(
        self, chance: random.Random, scope: Scope | None, fixed: Mapping[str, str]
    ) -> Chosen | None:
        allowed = {axis.name: self._allowed(axis, scope) for axis in self.axes}
        asking = [
            (name, one.name) for name, options in allowed.items() for one in options if one.needs
        ]
        for _ in range(_TRIES):
            chosen = {name: chance.choice(options).name for name, options in allowed.items()}
            if scope not in (None, Scope.CORE) and asking and not self.needs(chosen):
                name, option = chance.choice(asking)
                chosen[name] = option
            chosen |= fixed
            if self.valid(chosen):
                return chosen
        return None

    @staticmethod
    def _allowed(axis: Axis, scope: Scope | None) -> Sequence[Option]:
        """The options for a call that asks about one scope alone; all where none is given."""
        if scope is None:
            return axis.options
        return [one for one in axis.options if one.needs <= {scope}]

    def _is_possible(self, pair: Pair) -> bool:
        if pair not in self._possible:
            self._possible[pair] = self._find(dict(pair))
        return self._possible[pair]

    def _find(self, fixed: dict[str, str]) -> bool:
        """Whether some valid call has these options: the ordinary rest first, then by chance."""
        chance = random.Random(0)
        chosen = self._filled(fixed)
        for _ in range(_TRIES):
            if self.valid(chosen):
                return True
            chosen = {axis.name: chance.choice(axis.options).name for axis in self.axes} | fixed
        return False

    def _filled(self, some: Mapping[str, str]) -> dict[str, str]:
        unknown = set(some) - set(self.by_name)
        if unknown:
            raise ValueError(f"no axis is called {', '.join(sorted(unknown))}")
        for name, option in some.items():
            self.by_name[name].option(option)
        return {axis.name: some.get(axis.name, axis.options[0].name) for axis in self.axes}

    def _case(self, chosen: Chosen, chance: random.Random, *, corner: bool) -> Case:
        params: dict[str, Any] = {}
        for axis in self.axes:
            value = axis.option(chosen[axis.name]).settled(chance, params)
            if value is not OMITTED:
                params[axis.name] = value
        calls = max(axis.option(chosen[axis.name]).calls for axis in self.axes)
        return Case(params, calls, dict(chosen), self.needs(chosen), corner)


OMITTED = object()
"""The value of an option for which `inputs` is not given the parameter."""


def pairs(chosen: Chosen) -> set[Pair]:
    """Every two options of a choice, in the order of the axes."""
    return set(itertools.combinations(chosen.items(), 2))


def uncovered(space: Space, seeds: Iterable[int]) -> tuple[Pair, ...]:
    """Possible pairs that neither a corner nor one of the seeds calls."""
    seen: set[Pair] = set()
    for seed in seeds:
        for case in space.cases(seed):
            seen.update(pairs(case.options))
    return tuple(pair for pair in space.possible_pairs() if pair not in seen)
