"""Something that differs between the calls of a task, and the choices that it has."""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernelbenchx.core.scopes import Scope

OMITTED = object()
"""The value of an option for which `inputs` is not given the parameter."""


@dataclass(frozen=True)
class FreshValue:
    """A value that every seed draws, given the choices on the axes before."""

    draw: Callable[[random.Random, Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Option:
    """One choice of an axis."""

    name: str
    value: Any = None
    """What `inputs` is given, or `FreshValue`."""
    needs: frozenset[Scope] = frozenset()
    """The scopes that it asks about; none for core."""
    calls: int = 1
    """How often a case with it is called at least."""
    trivial: bool = False
    """Whether an answer without work may be right in a call with it."""
    after: FreshValue | None = None
    """What the calls after a run's first take: smaller sizes, where one large call is enough."""
    number: bool = False
    """Whether each seed draws a number for it that 16 bits round."""

    @property
    def rounds(self) -> bool:
        """Whether it is a number whose products are rounded in 16 bits: no power of two."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            return self.number
        return math.isfinite(self.value) and math.frexp(abs(self.value))[0] not in (0.0, 0.5)

    def draw_value(
        self, chance: random.Random, before: Mapping[str, Any], taken: bool = False
    ) -> Any:
        """The value for one call; `taken`: an earlier call of the run has this option."""
        value = self.after if taken and self.after is not None else self.value
        return value.draw(chance, before) if isinstance(value, FreshValue) else value


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

    @property
    def rounding(self) -> tuple[Option, ...]:
        """The numbers that 16 bits round, if it is an argument that takes real numbers."""
        real = any(one.number or isinstance(one.value, float) for one in self.options)
        return tuple(one for one in self.options if one.rounds and not one.needs) if real else ()

    def option(self, name: str) -> Option:
        """By its name."""
        for one in self.options:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.options)
        raise ValueError(f"axis {self.name} has no option {name!r}; it has {known}")
