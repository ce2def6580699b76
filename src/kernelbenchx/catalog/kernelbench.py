"""KernelBench's numbers: which task is a problem, and what its file is called there."""

import json
from functools import cache
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts

LEVELS = (1, 2, 3)


@cache
def problem_files(level: int) -> tuple[str, ...]:
    """File names of the data set in the order of their numbers; none for an unknown level."""
    text = Path(__file__).with_name("kernelbench_files.json").read_text(encoding="utf-8")
    return tuple(json.loads(text).get(str(level), ()))


def find_problem(level: int, number: int) -> str | None:
    """The task that is this problem, if the catalogue or a folder of problems has it."""
    return _tasks(catalog.names()).get((level, number))


@cache
def _tasks(names: tuple[str, ...]) -> dict[tuple[int, int], str]:
    known = ((name, facts(name).problem) for name in names if name.startswith("level"))
    return {(one.level, one.number): name for name, one in known if one is not None}
