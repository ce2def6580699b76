"""Which cases of a task's space tell an answer from a right one."""

from collections.abc import Callable, Iterator
from typing import Any

from kernelbenchx.certify.valid_outputs import rounded_truth
from kernelbenchx.certify.wrong_answers import is_rejected, passes
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.task import Task


def rejecting(task: Task, answer: Callable[..., Any], seed: int) -> Iterator[str]:
    """Names of the cases that reject it."""
    for one in task.cases(seed):
        call = task.draw(one, derive_seed(seed, one.name))
        if is_rejected(task, answer, DrawnCase(one, call, truth_of(task, call))):
            yield one.name


def refused_truths(task: Task, seed: int) -> list[str]:
    """Names of the cases that reject the exact answer, rounded once.

    The reference itself is no truth in its own dtype: its last bits differ between processors.
    """
    found = []
    for one in task.cases(seed):
        call = task.draw(one, derive_seed(seed, one.name))
        drawn = DrawnCase(one, call, truth_of(task, call))
        if not passes(task, drawn, rounded_truth(task, drawn)):
            found.append(one.name)
    return found


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
