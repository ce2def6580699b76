"""Judges torch functions on the calls that a task's space draws."""

from collections.abc import Callable
from typing import Any

from kernelbenchx.certify.wrong_answers import is_rejected
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task


def rejecting(task: Task, answer: Callable[..., Any], seed: int) -> list[Case]:
    """The cases of one seed that tell an answer from a right one."""
    found = []
    for case in task.cases(seed):
        call = task.draw(case, derive_seed(seed, task.entry, case.name))
        if is_rejected(task, answer, DrawnCase(case, call, truth_of(task, call))):
            found.append(case)
    return found
