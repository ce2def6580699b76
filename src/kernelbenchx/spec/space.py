"""The space of valid calls of a task, and the calls that one seed draws from it.

A space has axes (shape, dtype, layout, every argument), and an axis has options. Fixed *corners*
are the same in every run, so that runs can be compared. All other calls are drawn by the run's
seed, so that no list of cases can be looked up.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.axis import OMITTED, Axis, FreshValue, Option
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.tiles import spans_tiles

__all__ = [
    "OMITTED",
    "Axis",
    "Chosen",
    "FreshValue",
    "Option",
    "Pair",
    "Space",
    "find_uncovered_pairs",
    "pairs",
]

Chosen = Mapping[str, str]
"""An option by name for each axis."""
Pair = tuple[tuple[str, str], tuple[str, str]]

CALLS = 20
"""How many calls a run draws beside the corners."""
OWN_CALLS = 3
"""How many of them each scope has for itself at least."""
CORE_CALLS = 6
"""The same for core, whose rate is compared with published ones."""
BASIC_CALLS = 6
"""How many core calls in the first dtype, over several tiles and with an odd tail, each run has."""
PARTS = 5
"""Within so many seeds every possible pair is called."""
_NARROW = ("float16", "bfloat16")
"""Dtypes in which every run calls each number that they round."""
_CANDIDATES = 40
"""Of so many random calls the one with most new pairs is taken."""
_FIRST_TRIES = 8
"""Of so many random core calls in the first dtype the one with most missing options is taken."""
_SIZES = 8
"""So often sizes are drawn for a choice until its call is a new one."""
_TRIES = 400
"""So often a valid call is looked for before a pair counts as impossible."""


_SIZED = ("shape", "sizes", "image", "n", "steps")
"""Axes of sizes; a task has at most one."""


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
    spans_tiles: Callable[[Mapping[str, Any]], bool] = spans_tiles
    """Whether a call with these parameters fills several tiles and leaves an odd tail."""
    _possible: dict[Pair, bool] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes]
        if len(set(names)) < len(names):
            raise ValueError(f"two axes have one name: {names}")
        for corner in self.corners:
            if not self.valid(self._fill_options(corner)):
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
        found = {case.name: case for case in fixed}
        chance, taken = random.Random(seed + 1), {one for c in self._corners for one in c.items()}
        for chosen in self.draw(seed):
            for _ in range(_SIZES):
                case = self._case(chosen, chance, taken)
                if case.name not in found:
                    found[case.name] = case
                    taken.update(chosen.items())
                    break
        self._add_basic(found, chance)
        return tuple(found.values())

    def plain_cases(self, chance: random.Random, dtype: str) -> tuple[Case, ...]:
        """Calls in one dtype of every ordinary or large size, with the first option of all else."""
        some = {"dtype": dtype} if "dtype" in self.by_name else {}
        sized = next((name for name in _SIZED if name in self.by_name), "")
        ways = [{sized: one.name} for one in self.by_name[sized].options] if sized else [{}]
        found = [self._fill_options(some | way) for way in ways]
        asked = [one for one in found if self.valid(one) and self.needs(one) <= {Scope.SCALE}]
        return tuple(self._case(one, chance) for one in asked)

    def is_basic(self, case: Case) -> bool:
        """Whether it is a core call in the first dtype that takes work, over several tiles and with
        an odd tail."""
        if case.needs or set(case.options) != set(self.by_name):
            return False
        if any(self.by_name[name].option(one).trivial for name, one in case.options.items()):
            return False
        first = all(case.options[name] == one for name, one in self._first_dtype.items())
        return first and self.spans_tiles(case.params)

    @cached_property
    def _first_dtype(self) -> dict[str, str]:
        axis = self.by_name.get("dtype")
        return {axis.name: axis.options[0].name} if axis else {}

    def _add_basic(self, found: dict[str, Case], chance: random.Random) -> None:
        """Draw core calls in the first dtype until enough of them have tiles and a tail."""
        taken = {one for case in found.values() for one in case.options.items()}
        left = BASIC_CALLS - sum(map(self.is_basic, found.values()))
        for _ in range(_TRIES):
            if left <= 0:
                break
            chosen = self._candidate(chance, Scope.CORE, self._first_dtype)
            case = self._case(chosen, chance, taken) if chosen is not None else None
            if case is not None and case.name not in found and self.is_basic(case):
                found[case.name] = case
                left -= 1

    def draw(self, seed: int) -> list[Chosen]:
        """Choices of one run: numbers in 16 bits, its part of all pairs, each scope for itself,
        and options that are still missing."""
        chance = random.Random(seed)
        found: list[Chosen] = [*self._rounded_numbers, *self._parts[seed % PARTS]]
        found += self._in_first_dtype(chance, found)
        missing = set(self.possible_pairs()).difference(*map(pairs, [*self._corners, *found]))
        own = Counter(self._asks_about(chosen) for chosen in [*self._corners, *found])
        wanted: list[Scope | None] = []
        for scope in self.scopes:
            least = CORE_CALLS if scope is Scope.CORE else OWN_CALLS
            wanted += [scope] * max(least - own[scope], 1)
        wanted += [None] * max(self.calls - len(wanted) - len(found), 0)
        for asked in wanted:
            chosen = self._next(chance, asked, missing, [*self._corners, *found])
            if chosen is not None:
                missing -= pairs(chosen)
                found.append(chosen)
        for axis, option in itertools.chain.from_iterable(
            ((axis, option) for option in axis.options) for axis in self.axes
        ):
            called = (chosen[axis.name] for chosen in [*self._corners, *found])
            if option.name not in called:
                last = self._candidate(chance, None, {axis.name: option.name})
                found += [last] if last is not None else []
        return found

    def _in_first_dtype(self, chance: random.Random, found: Sequence[Chosen]) -> list[Chosen]:
        """Core calls in the first dtype with options that no such call has yet: what is basically
        correct under one seed is so under all."""
        first, every = self._first_dtype, self._by_scope[Scope.CORE]
        missing = {(name, one.name) for name, some in every.items() for one in some}
        for chosen in (*self._corners, *found):
            if chosen.items() >= first.items() and not self.needs(chosen):
                missing -= chosen.items()
        more: list[Chosen] = []
        for name, option in sorted(missing):
            fixed = {name: option, **first}
            if (name, option) not in missing or fixed[name] != option:
                continue
            tried = [self._candidate(chance, Scope.CORE, fixed) for _ in range(_FIRST_TRIES)]
            asked = [one for one in tried if one is not None]
            if asked:
                more.append(max(asked, key=lambda one: len(missing & one.items())))
                missing -= more[-1].items()
        return more

    @cached_property
    def _rounded_numbers(self) -> tuple[dict[str, str], ...]:
        """In each 16-bit dtype each number that it rounds, in calls that are otherwise ordinary.

        Several arguments take their numbers in one call where these go together.
        """
        if "dtype" not in self.by_name:
            return ()
        dtypes = [one.name for one in self.by_name["dtype"].options if not one.needs]
        numbers = {axis.name: [one.name for one in axis.rounding] for axis in self.axes}
        operands = [axis.name for axis in self.axes if any(one.number for one in axis.options)]
        settings = [name for name, some in numbers.items() if some and name not in operands]
        found: list[dict[str, str]] = []
        for dtype in (one for one in dtypes if one in _NARROW):
            for names in (settings, *([name] for name in operands)):
                for turn in range(max((len(numbers[name]) for name in names), default=0)):
                    some = {name: numbers[name][turn % len(numbers[name])] for name in names}
                    together = self._fill_options({"dtype": dtype, **some})
                    apart = [
                        self._fill_options({"dtype": dtype, name: one})
                        for name, one in some.items()
                    ]
                    found += [together] if self.valid(together) else filter(self.valid, apart)
        found = [one for one in found if one not in self._corners]
        return tuple(found)

    @cached_property
    def _corners(self) -> tuple[dict[str, str], ...]:
        return tuple(map(self._fill_options, self.corners))

    @cached_property
    def _parts(self) -> tuple[tuple[Chosen, ...], ...]:
        """Choices that together have every possible pair, dealt into as many parts as seeds may
        take for it. Each seed draws sizes and values of its own for them."""
        chance = random.Random(0)
        missing = set(self.possible_pairs()).difference(*map(pairs, self._corners))
        found: list[Chosen] = []
        while missing:
            chosen = self._next(chance, None, missing, ())
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
        self,
        chance: random.Random,
        scope: Scope | None,
        missing: set[Pair],
        taken: Sequence[Chosen],
    ) -> Chosen | None:
        """The choice with most missing pairs of some random ones; None where there is none.

        One that was taken before comes last: unless a size is drawn, it is the same call.
        """
        left = sorted(missing) if scope is None else []
        best: Chosen | None = None
        most = -2
        for _ in range(_CANDIDATES):
            # Built around a missing pair: by chance alone rare ones would hardly ever come.
            fixed = dict(chance.choice(left)) if left else {}
            chosen = self._candidate(chance, scope, fixed)
            if chosen is None:
                continue
            gain = len(pairs(chosen) & missing) if chosen not in taken else -1
            if gain > most:
                best, most = chosen, gain
        return best

    def _candidate(
        self, chance: random.Random, scope: Scope | None, fixed: Mapping[str, str]
    ) -> Chosen | None:
        """A valid call with these options: ordinary at first, then changed axis by axis."""
        allowed = self._by_scope[scope]
        if scope not in (None, Scope.CORE):
            asking = [(name, one) for name, some in allowed.items() for one in some if one.needs]
            if not asking:
                return None
            name, asked = chance.choice(asking)
            fixed = {**fixed, name: asked.name}
        chosen = {name: options[0].name for name, options in allowed.items()} | dict(fixed)
        if not self.valid(chosen) and not self._find_valid(chance, chosen, allowed, fixed):
            return None
        free = [name for name in chosen if name not in fixed]
        chance.shuffle(free)
        for name in free:
            other = chosen | {name: chance.choice(allowed[name]).name}
            if self.valid(other):
                chosen = other
        return chosen

    def _find_valid(
        self,
        chance: random.Random,
        chosen: dict[str, str],
        allowed: Mapping[str, Sequence[Option]],
        fixed: Mapping[str, str],
    ) -> bool:
        """Whether chance found other options that go with those that are fixed."""
        for _ in range(_TRIES):
            chosen |= {name: chance.choice(some).name for name, some in allowed.items()}
            chosen |= fixed
            if self.valid(chosen):
                return True
        return False

    @cached_property
    def _by_scope(self) -> dict[Scope | None, dict[str, Sequence[Option]]]:
        """The options of each axis for a call that asks about one scope alone, or any."""
        return {
            scope: {axis.name: self._select_options(axis, scope) for axis in self.axes}
            for scope in (None, *self.scopes)
        }

    @staticmethod
    def _select_options(axis: Axis, scope: Scope | None) -> Sequence[Option]:
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
        chosen = self._fill_options(fixed)
        for _ in range(_TRIES):
            if self.valid(chosen):
                return True
            chosen = {axis.name: chance.choice(axis.options).name for axis in self.axes} | fixed
        return False

    def _fill_options(self, some: Mapping[str, str]) -> dict[str, str]:
        unknown = set(some) - set(self.by_name)
        if unknown:
            raise ValueError(f"no axis is called {', '.join(sorted(unknown))}")
        for name, option in some.items():
            self.by_name[name].option(option)
        return {axis.name: some.get(axis.name, axis.options[0].name) for axis in self.axes}

    def _case(
        self,
        chosen: Chosen,
        chance: random.Random,
        taken: Container[tuple[str, str]] = (),
        *,
        corner: bool = False,
    ) -> Case:
        """`taken`: axes and options that earlier calls of the run have."""
        params: dict[str, Any] = {}
        for axis in self.axes:
            name = chosen[axis.name]
            value = axis.option(name).draw_value(chance, params, (axis.name, name) in taken)
            if value is not OMITTED:
                params[axis.name] = value
        calls = max(axis.option(chosen[axis.name]).calls for axis in self.axes)
        return Case(params, calls, dict(chosen), self.needs(chosen), corner)


def pairs(chosen: Chosen) -> set[Pair]:
    """Every two options of a choice, in the order of the axes."""
    return set(itertools.combinations(chosen.items(), 2))


def find_uncovered_pairs(space: Space, seeds: Iterable[int]) -> tuple[Pair, ...]:
    """Possible pairs that neither a corner nor one of the seeds calls."""
    seen: set[Pair] = set()
    for seed in seeds:
        for case in space.cases(seed):
            seen.update(pairs(case.options))
    return tuple(pair for pair in space.possible_pairs() if pair not in seen)
