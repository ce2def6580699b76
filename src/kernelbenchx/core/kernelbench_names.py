"""Parses names of KernelBench's files: the problem, the level and the sample."""

import re
from typing import NamedTuple

_PROBLEM = re.compile(r"level([1-3])/(\d{1,6})_[^:]+")
_KERNEL = re.compile(r"level_(\d{1,4})_problem_(\d{1,6})_sample_(\d{1,6})_kernel")


class KernelName(NamedTuple):
    """What `level_1_problem_23_sample_0_kernel` says."""

    level: int
    problem: int
    sample: int

    def __str__(self) -> str:
        """The problem, for a message."""
        return f"KernelBench level {self.level}, problem {self.problem}"


def read_kernel_name(name: str) -> KernelName | None:
    """Parse a name; None for any other. A mark that keeps equal names distinct is ignored."""
    found = _KERNEL.fullmatch(name.partition("#")[0])
    return KernelName(*map(int, found.groups())) if found else None


def read_problem_name(task: str) -> tuple[int, int] | None:
    """Level and number of `level1/19_ReLU`, in whatever precision; None for any other name."""
    found = _PROBLEM.fullmatch(task.partition(":")[0])
    return (int(found[1]), int(found[2])) if found else None
