"""Named points in a task's parameter space."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kernelbenchx.core.scopes import Scope


@dataclass(frozen=True)
class Case:
    """One set of parameters for a task's `inputs`."""

    params: Mapping[str, Any]
    calls: int = 1
    """How often it is called at least; a contract may ask for more."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The choice on each axis of the task's space, by name."""
    needs: frozenset[Scope] | None = None
    """The scopes that it asks about, none for core; None: to be seen from what is drawn."""
    corner: bool = True
    """The same in every run, not drawn by its seed."""

    @property
    def name(self) -> str:
        """Readable and stable: results of different runs are paired by it."""
        return ",".join(f"{key}={_short(value)}" for key, value in self.params.items())


def case(**params: Any) -> tuple[Case, ...]:
    """A single case, as a tuple so that it adds to a grid."""
    return (Case(params),)


def grid(**axes: Sequence[Any]) -> tuple[Case, ...]:
    """Every combination of the axes, in declaration order."""
    points = itertools.product(*axes.values())
    return tuple(Case(dict(zip(axes, point, strict=True))) for point in points)


def repeat_calls(calls: int, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The same cases, each called so often when it is checked: for rates of single positions."""
    return tuple(replace(one, calls=calls) for one in cases)


def _short(value: object) -> str:
    return str(value).removeprefix("torch.").replace(" ", "")
