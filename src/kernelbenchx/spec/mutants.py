"""Wrong answers that a task must reject: they show that its cases tell wrong from right."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class MutantRefusal(Exception):
    """What a mutant raises where it does not answer, though it should."""


@dataclass(frozen=True)
class Mutant:
    """A wrong answer computed in torch: same signature as the reference."""

    name: str
    answer: Callable[..., Any]
    covers: tuple[str, ...] = ()
    """Documented arguments and audit codes that this mutant stands for."""


@dataclass(frozen=True)
class Patch:
    """A wrong kernel: the witness with one piece of its text replaced."""

    name: str
    old: str
    new: str
    covers: tuple[str, ...] = ()
