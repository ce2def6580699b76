"""Which cases of a task's space tell an answer from a right one."""

from collections.abc import Callable, Iterator
from typing import Any

from kernelbenchx.certify.answers import is_rejected
from kernelbenchx.core.seeds import derived
from kernelbenchx.evaluate.calls import Drawn
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.task import Task


def rejecting(task: Task, answer: Callable[..., Any], seed: int) -> Iterator[str]:
    """Names of the cases that reject it."""
    for one in task.cases(seed):
        call = task.draw(one, derived(seed, one.name))
        if is_rejected(task, answer, Drawn(one, call, truth_of(task, call))):
            yield one.name


def is_caught(task: Task, answer: Callable[..., Any], seed: int = 0) -> bool:
    """Whether some case rejects it."""
    return next(rejecting(task, answer, seed), None) is not None


def living(task: Task, seed: int = 0) -> list[str]:
    """Mutants of its promises that no case rejects."""
    mutants = [promise.mutant for promise in task.promises]
    return [
        one.name
        for one in mutants
        if isinstance(one, Mutant) and not is_caught(task, one.answer, seed)
    ]


def scopes_of(task: Task) -> dict[tuple[str, str], set[str]]:
    """What each option of each axis asks about."""
    assert task.space is not None
    return {
        (axis.name, option.name): {str(need) for need in option.needs}
        for axis in task.space.axes
        for option in axis.options
    }
