"""The paper's tables as attempts: what `kbx analyze published` reads.

The tables count correct and compiled kernels by category and method, and name no task. Tasks of a
category are therefore exchangeable: which of them a method solved is not known, only how many.
Whatever follows from counts alone (rates, deviances, drops) is the paper's; whatever depends on
which tasks (paired comparisons, intervals and tests by task) holds for an arrangement of them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.published_data import (
    METHODS,
    MODELS,
    NEAR_ZERO,
    TABLE_3,
    TABLE_4,
    TASKS,
)
from kernelbenchx.analysis.success_counts import Counts, count_successes
from kernelbenchx.core.grades import Grade

RUN = "published"


class TaskArrangement(StrEnum):
    """Which tasks of a category a method solved, where only their number is known."""

    ALIKE = "alike"
    """All methods solve the same tasks, as far as their numbers allow: tasks differ most."""
    SPREAD = "spread"
    """Each method solves tasks that others do not, as far as there are any: tasks differ least."""


def attempts(arrangement: TaskArrangement = TaskArrangement.ALIKE) -> list[Attempt]:
    """176 tasks by five methods, from Tables 3 and 4."""
    return [
        _attempt(category, place, method, outcome)
        for category in TASKS
        for method, outcomes in _outcomes(category, arrangement)
        for place, outcome in enumerate(outcomes)
    ]


def successes(
    succeeded: Callable[[Attempt], bool],
    *,
    without: Sequence[str] = (NEAR_ZERO,),
    arrangement: TaskArrangement = TaskArrangement.ALIKE,
) -> Counts:
    """Counts of an outcome; as in the paper's deviance, without the method near zero."""
    chosen = [one for one in attempts(arrangement) if one.method not in without]
    return count_successes(chosen, succeeded)


def count_of(percent: float, tasks: int) -> int:
    """The whole number of tasks that a printed percentage stands for."""
    count = round(percent * tasks / 100.0)
    # A percentage is printed with one decimal; it must come back.
    if abs(100.0 * count / tasks - percent) > 0.0501:
        raise ValueError(f"{percent} % of {tasks} tasks is no whole number of them")
    return count


def _outcomes(category: str, arrangement: TaskArrangement) -> Iterator[tuple[str, list[str]]]:
    """For each method, what became of each task of the category."""
    tasks, first = TASKS[category], 0
    for at, method in enumerate(METHODS):
        correct = count_of(TABLE_3[category][at], tasks)
        compiled = count_of(TABLE_4[category][at], tasks)
        ended = ["correct"] * correct + ["wrong"] * (compiled - correct)
        ended += ["broken"] * (tasks - compiled)
        yield method, ended[tasks - first :] + ended[: tasks - first]
        if arrangement is TaskArrangement.SPREAD:
            first = (first + correct) % tasks


def _attempt(category: str, place: int, method: str, outcome: str) -> Attempt:
    folder = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", category).lower()
    task = f"{folder}/unnamed-{place + 1:02d}"
    return Attempt(
        run=RUN,
        key=f"{task}:{method}",
        submission=f"{method}/{task}",
        task=task,
        category=category,
        method=method,
        model=MODELS.get(method, ""),
        round=0,
        sample=0,
        digest=f"{task}:{method}",
        difficulty=0,
        dtypes=(),
        device="cuda",
        gpu="",
        outcome=outcome,
        reason="",
        stage="call" if outcome == "broken" else "exe",
        composition="",
        provisional=False,
        isolation="",
        grade=Grade.IMPORTED,
    )
