"""Selects the timing cases that count for a submission that is core correct and not correct."""

from typing import NamedTuple

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, LeftOut, Unmeasured
from kernelbenchx.core.scopes import Scope, find_named_dtype
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.required_scopes import needs_of
from kernelbenchx.spec.task import Task

NOT_RIGHT = (Reason.TIMED_WRONG, Reason.RUNTIME_ERROR)
"""Failures that leave a case out. All others end timing, above all late and kept answers."""
NOTHING_TO_TIME = Unmeasured(
    reason=Reason.UNSUPPORTED, detail="no timing case asks for core alone, or has room on this GPU"
)


class CoreCases(NamedTuple):
    """The timing cases of a task, by whether they ask for core alone."""

    core: tuple[Case, ...]
    others: tuple[LeftOut, ...]


def core_cases(task: Task, name: str, seed: int, device: str) -> CoreCases:
    """Draw every timing case once to see what it asks for."""
    needs = timing_needs(task, name, seed, device)
    return CoreCases(
        tuple(case for case in task.timings if not needs[case.name]),
        tuple(
            LeftOut(case=case, why=f"needs {', '.join(sorted(asked))}")
            for case, asked in needs.items()
            if asked
        ),
    )


def in_dtype(cases: CoreCases, dtype: str) -> CoreCases:
    """Only those of a dtype, if one is named; a case whose name has none is of every dtype."""
    if not dtype:
        return cases
    others = [one for one in cases.core if find_named_dtype(one.name) not in ("", dtype)]
    return CoreCases(
        tuple(one for one in cases.core if one not in others),
        (*cases.others, *(LeftOut(case=one.name, why=f"not in {dtype}") for one in others)),
    )


def failed_case(one: Failed) -> LeftOut:
    """Leave out a case whose answer is wrong at the timed size."""
    why = f"{one.reason.value}: {one.detail}"[:200]
    return LeftOut(case=one.case, why=why, process=one.process)


def timing_needs(task: Task, name: str, seed: int, device: str) -> dict[str, frozenset[Scope]]:
    """What each case asks for beyond core; drawn one after another, since they are large.

    Every timed size is a large one, so `scale` does not count. As among check cases, values that
    every case has are ordinary (`spec.required_scopes.resolve_needs`).
    """
    found: dict[str, frozenset[Scope]] = {}
    seen: set[str] = set()
    for case in task.timings:
        if case.needs is None:
            seen.add(case.name)
            call = task.draw(case, derive_seed(seed, name, case.name, "needs"), device)
            asked = needs_of(task, call)
        else:
            asked = case.needs
        found[case.name] = asked - {Scope.SCALE}
    if not all(found.values()):
        return found
    return {
        case: asked - {Scope.VALUES} if case in seen else asked for case, asked in found.items()
    }
