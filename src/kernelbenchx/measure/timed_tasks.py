"""Tasks with the timing cases of one set of sizes: those of their files, or the published ones.

KernelBench's published sizes are those of its files. If the GPU cannot time one, its first size is
halved until it can: rows, images or sequences, which calls seldom mix. If weights alone are too
large, the sizes that runs vary are halved, the largest first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.core.performance import LeftOut
from kernelbenchx.core.settings import OURS
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.input_layout import NoRoom, TimingDevice, TooLong, require_room
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.imported_problem import BadProblem, ImportedProblem
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.task import Task

_ENOUGH_BYTES = 512 << 20
"""A published size that has to be smaller need not exceed this: no cache holds it, and judging its
results takes less time."""


@dataclass
class TimedTasks:
    """Loads tasks; published sizes that the GPU cannot time are left out, each with its reason."""

    sizes: str = OURS
    published: Callable[[ImportedProblem], Task] | None = None
    """Turns a problem in an untrusted file into a task that can be timed."""
    _known: dict[str, tuple[Task, tuple[LeftOut, ...]]] = field(default_factory=dict)

    def load(self, name: str, seed: int, where: TimingDevice) -> Task:
        """Load the task; each published size is drawn once to see whether it can be timed."""
        task = catalog.load(name)
        if self.sizes == OURS and not isinstance(task, Problem):
            return task
        if name not in self._known:
            if isinstance(task, ImportedProblem):
                self._known[name] = self._load_imported(task), ()
            elif isinstance(task, Problem):
                self._known[name] = _fewer_rows(task, name, seed, where)
            else:
                self._known[name] = _timeable(name, seed, where)
        return self._known[name][0]

    def _load_imported(self, task: ImportedProblem) -> Task:
        if self.published is None:
            raise BadProblem("a published problem is timed beside a bench alone")
        return self.published(task)

    def list_left_out(self, name: str) -> tuple[LeftOut, ...]:
        """What was left out of a loaded task."""
        return self._known[name][1] if name in self._known else ()


def published_cases(name: str) -> tuple[Case, ...]:
    """Every published size of `category/name`, in the published order."""
    return tuple(Case(_params(one)) for one in SIZES[name])


def _params(given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with dtypes by name turned into torch's."""
    return {
        key: getattr(torch, value) if key.endswith("dtype") else value
        for key, value in given.items()
    }


def _timeable(name: str, seed: int, where: TimingDevice) -> tuple[Task, tuple[LeftOut, ...]]:
    task = replace(catalog.load(name), timings=published_cases(name))
    reasons = {case.name: _find_obstacle(task, name, case, seed, where) for case in task.timings}
    fits = tuple(case for case in task.timings if not reasons[case.name])
    left_out = tuple(LeftOut(case=case, why=why) for case, why in reasons.items() if why)
    return replace(task, timings=fits), left_out


def _fewer_rows(
    task: Problem, name: str, seed: int, where: TimingDevice
) -> tuple[Task, tuple[LeftOut, ...]]:
    """Halve the rows. Weights do not shrink with them: if this does not help, other sizes are
    halved."""
    (published,) = task.timings
    why = _find_obstacle(task, name, published, seed, where)
    if not why:
        return task, ()
    for sizes in ((next(iter(published.params)),), tuple(task.ranges)):
        case = _halve_largest(published, sizes)
        while case is not None:
            small = task.cost(**case.params).bytes <= _ENOUGH_BYTES
            if small and not _find_obstacle(task, name, case, seed, where):
                changed = dict(case.params.items() - published.params.items())
                shown = ", ".join(f"{size}={changed[size]}" for size in sizes if size in changed)
                left_out = LeftOut(case=published.name, why=f"{why}; timed with {shown}")
                return replace(task, timings=(case,)), (left_out,)
            case = _halve_largest(case, sizes)
    raise NoRoom(f"{name}, {published.name}: {why}")


def _halve_largest(case: Case, sizes: Sequence[str]) -> Case | None:
    """Halve the largest of these sizes; None if it cannot be halved."""
    largest = max(sizes, key=lambda size: case.params[size], default="")
    half = case.params[largest] // 2 if largest else 0
    return replace(case, params={**case.params, largest: half}) if half else None


def _find_obstacle(task: Task, name: str, case: Case, seed: int, where: TimingDevice) -> str:
    """Why the GPU cannot time a case. One that is too large by its cost alone is not even drawn."""
    place = f"{name}, {case.name}"
    try:
        require_room(place, task.cost(**case.params).bytes, where, task.contract.calls)
        CaseInputs.of(task, name, case, seed, where)
    except (NoRoom, TooLong) as error:
        return str(error).removeprefix(f"{place}: ")
    except torch.OutOfMemoryError:
        return "the GPU has too little memory"
    return ""
