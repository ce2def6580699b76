"""All settings of one source: their features, their neighbours, the sources they stand for."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from kernelbenchx.core.same_code import code_digest
from kernelbenchx.generate.search.choice_reader import UNWRITTEN, choices_of
from kernelbenchx.generate.search.choices import (
    ChoiceKind,
    Setting,
    TuningChoice,
    read_setting,
    size,
    write,
)

POOL = 2000
"""Settings that are weighed against each other; a larger space is drawn from."""
MOST_CHOICES = 16
"""Of one source: what no budget would come round to is left as it is."""
THREADS = 32
"""In a warp."""
WARPS = math.log2(UNWRITTEN["num_warps"])
"""Doublings of them where none are chosen."""

Point = tuple[int, ...]
"""A setting as values in the order of the choices."""


@dataclass(frozen=True, eq=False)
class SettingSpace:
    """A source and what may be changed in it."""

    text: str
    choices: tuple[TuningChoice, ...]
    family: str = ""
    """What all variants of one file share, whichever of them their numbers were read from."""

    @classmethod
    def of(cls, text: str, family: str = "") -> "SettingSpace":
        """With the choices that can be read; of very many, sizes and warps before stages."""
        every = choices_of(text)
        kept = sorted(every, key=lambda one: one.kind is ChoiceKind.STAGES)[:MOST_CHOICES]
        own = family or code_digest(text)
        return cls(text, tuple(one for one in every if one in kept), own)

    @cached_property
    def digest(self) -> str:
        """Of the code that all its sources are variants of."""
        return code_digest(self.text)

    @property
    def size(self) -> int:
        """How many settings there are."""
        return size(self.choices)

    @property
    def start(self) -> Point:
        """The text as it is."""
        return tuple(read_setting(self.choices).values())

    def setting(self, point: Point) -> Setting:
        """Values by name."""
        names = (choice.name for choice in self.choices)
        return dict(zip(names, point, strict=True))

    def source(self, point: Point) -> str:
        """The text with these values."""
        return write(self.text, self.choices, self.setting(point))

    def sizes(self, point: Point) -> dict[str, list[float]]:
        """Of every kernel the doublings of its sizes, one for each parameter."""
        found: dict[str, list[float]] = {}
        for choice, value in zip(self.choices, point, strict=True):
            for kernel in choice.kernels if choice.kind is ChoiceKind.BLOCK else ():
                found.setdefault(kernel, []).append(math.log2(value))
        return found

    def warps(self, point: Point) -> dict[str, float]:
        """Of every kernel with a choice of them, their doublings."""
        return {
            kernel: math.log2(value)
            for choice, value in zip(self.choices, point, strict=True)
            for kernel in (choice.kernels if choice.kind is ChoiceKind.WARPS else ())
        }

    @cached_property
    def _known(self) -> dict[Point, dict[str, float]]:
        return {}

    def features(self, point: Point) -> dict[str, float]:
        """What a cost model looks at: doublings of sizes, and work for each thread.

        By name, so that sources with the same choices learn from each other.
        """
        if point not in self._known:
            self._known[point] = self._features(point)
        return self._known[point]

    def _features(self, point: Point) -> dict[str, float]:
        found: dict[str, float] = {}
        for choice, value in zip(self.choices, point, strict=True):
            if choice.kind is ChoiceKind.CONFIGS:
                found[f"{choice.name}={value}"] = float(value != choice.now)
            elif choice.kind is ChoiceKind.STAGES:
                found[choice.name] = float(value)
            else:
                found[choice.name] = math.log2(value)
        warps = self.warps(point)
        for kernel, sizes in self.sizes(point).items():
            found[f"{kernel}: work of a thread"] = sum(sizes) - warps.get(kernel, WARPS)
        return found

    def pool(self, near: Sequence[Point], chance: random.Random) -> list[Point]:
        """Every setting; of a large space the neighbours of some, and others drawn at random."""
        values = [choice.values for choice in self.choices]
        if self.size <= POOL:
            return list(product(*values))
        found = dict.fromkeys(one for point in near for one in self.neighbours(point))
        for _ in range(POOL):
            found[tuple(chance.choice(own) for own in values)] = None
        return list(found)

    def neighbours(self, point: Point) -> Iterator[Point]:
        """One or two choices one step away."""
        one_step = [
            (number, value)
            for number, choice in enumerate(self.choices)
            for value in _beside(choice, point[number])
        ]
        for first in one_step:
            for second in one_step:
                if first[0] <= second[0] and (first == second or first[0] != second[0]):
                    moved = list(point)
                    for number, value in (first, second):
                        moved[number] = value
                    yield tuple(moved)

    def opens(self, point: Point) -> bool:
        """Whether the source of a point has more to choose from than this space: a configuration
        that was picked from a list has numbers of its own, and sizes at an end go on beyond it."""
        return any(
            value != choice.now
            if choice.kind is ChoiceKind.CONFIGS
            else choice.kind is ChoiceKind.BLOCK and value in (choice.values[0], choice.values[-1])
            for choice, value in zip(self.choices, point, strict=True)
        )


def _beside(choice: TuningChoice, value: int) -> list[int]:
    if choice.kind is ChoiceKind.CONFIGS:
        return [other for other in choice.values if other != value]
    at = choice.values.index(value)
    return [choice.values[to] for to in (at - 1, at + 1) if 0 <= to < len(choice.values)]
