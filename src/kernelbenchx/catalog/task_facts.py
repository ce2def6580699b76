"""How a kernel for a task must work: declared in `task_facts.txt`, or derived from the index."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kernelbenchx.catalog.facts import Facts, facts
from kernelbenchx.catalog.precisions import split
from kernelbenchx.core.errors import BrokenTask

DECLARED = Path(__file__).parent / "task_facts.txt"
COOPERATION = {"none": "none", "tile": "within a tile", "programs": "across programs"}
"""As the file says it, and as people read it."""
MOST_PASSES = 3
"""Stands for three or more."""


@dataclass(frozen=True, kw_only=True)
class TaskFacts:
    """Of one task."""

    cooperation: str
    """`none`, `within a tile` or `across programs`."""
    operators: int
    passes: int
    """Least passes over memory; 3 stands for three or more."""
    flops_per_byte: float
    """Of the timed cases; 0 where nothing is computed."""
    contract: str
    """Its kind, in small letters."""
    dtypes: tuple[str, ...]

    def bound(self, ridge: float) -> str:
        """`memory` or `compute` on a GPU that computes so many operations in the time that it
        needs for one byte."""
        return "compute" if self.flops_per_byte > ridge else "memory"


def task_facts(name: str) -> TaskFacts | None:
    """Of `category/name`, at any precision; None for tasks that are not of this catalogue."""
    declared = _read_declarations().get(split(name)[0])
    return None if declared is None else _combine_facts(declared, facts(name))


@dataclass(frozen=True)
class _DeclaredFacts:
    cooperation: str
    operators: int
    passes: int
    flops_per_byte: float


def _combine_facts(declared: _DeclaredFacts, known: Facts) -> TaskFacts:
    return TaskFacts(
        cooperation=declared.cooperation,
        operators=declared.operators,
        passes=declared.passes,
        flops_per_byte=declared.flops_per_byte,
        contract=known.contract.kind.lower(),
        dtypes=known.dtypes,
    )


@cache
def _read_declarations() -> dict[str, _DeclaredFacts]:
    lines = DECLARED.read_text(encoding="utf-8").splitlines()
    found: dict[str, _DeclaredFacts] = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            name, one = parse_line(line, f"{DECLARED.name}, line {number}")
            if name in found:
                raise BrokenTask(f"{DECLARED.name}, line {number}: {name} is there twice")
            found[name] = one
    return found


def parse_line(line: str, place: str) -> tuple[str, _DeclaredFacts]:
    """Cooperation, operators, passes, flops per byte and name."""
    try:
        word, operators, passes, flops, name = line.split()
        one = _DeclaredFacts(COOPERATION[word], int(operators), int(passes), float(flops))
    except (KeyError, ValueError) as error:
        raise BrokenTask(f"{place}: expected five words, the first of them one of "
                         f"{', '.join(COOPERATION)}") from error  # fmt: skip
    if one.operators < 1 or not 1 <= one.passes <= MOST_PASSES or one.flops_per_byte < 0:
        raise BrokenTask(f"{place}: a number is out of range")
    return name, one
