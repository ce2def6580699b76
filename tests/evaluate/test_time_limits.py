"""The limit of a call is measured when a call needs it, once for a task and a run."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from kernelbenchx.evaluate.time_limits import CallLimit, TimeLimits
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan, WorkerReport
from kernelbenchx.store.database import in_memory

TASK = "activation/relu"
PLAN = CallPlan(mode="interpret", source="mine", entries=("relu",), form="function",
            language="triton", seed=3, calls=())  # fmt: skip


QUICK = Ending(exit_code=0, slowest_call_s=0.25)


@dataclass(frozen=True)
class Machine:
    """Calls of a submission take so long, and those of the witness so long."""

    mine_s: float
    witness: Ending = QUICK
    limits: list[float] = field(default_factory=list)
    witnesses: list[str] = field(default_factory=list)
    turn: Any = None

    def run(self, plan: CallPlan, wall_s: float, call_s: float = 0.0) -> WorkerRun:
        assert wall_s == 60.0
        if plan.source != "mine":
            self.witnesses.append(plan.source)
            return WorkerRun(self.witness, WorkerReport())
        self.limits.append(call_s)
        over = "call" if self.mine_s > call_s else ""
        return WorkerRun(Ending(exit_code=0, over=over), WorkerReport())


def _run(machine: Any, limits: TimeLimits, task: str = TASK) -> WorkerRun:
    return CallLimit(limits, task, PLAN).run(machine, PLAN)


def test_calls_that_take_less_than_the_least_need_no_witness() -> None:
    machine = Machine(mine_s=2.9)
    with in_memory() as database:
        limits = TimeLimits(database)
        assert _run(machine, limits).ending.clean
        assert limits.find_limit(TASK) is None
    assert machine.limits == [3.0] and not machine.witnesses


def test_a_longer_call_has_what_the_witness_says() -> None:
    machine = Machine(mine_s=4.0)
    with in_memory() as database:
        assert _run(machine, TimeLimits(database)).ending.clean
        assert machine.limits == [3.0, 5.0] and len(machine.witnesses) == 1
        assert "def relu" in machine.witnesses[0]
        # Kept: a second start of the run and all further submissions have it.
        assert _run(machine, TimeLimits(database)).ending.clean
        assert machine.limits == [3.0, 5.0, 5.0] and len(machine.witnesses) == 1
        assert database.read_note(f"time_limit {TASK}") == "5"


def test_what_takes_longer_is_ended_and_not_tried_a_third_time() -> None:
    machine = Machine(mine_s=9.0)
    with in_memory() as database:
        assert _run(machine, TimeLimits(database)).ending.over_call
    assert machine.limits == [3.0, 5.0]


def test_where_the_least_is_the_limit_it_is_not_tried_again() -> None:
    machine = Machine(mine_s=9.0, witness=Ending(exit_code=0, slowest_call_s=0.01))
    with in_memory() as database:
        assert _run(machine, TimeLimits(database)).ending.over_call
    assert machine.limits == [3.0] and len(machine.witnesses) == 1


@pytest.mark.parametrize("witness", [Ending(signal=9, over="programs"), Ending(lost=True)])
def test_a_witness_that_does_not_finish_limits_nothing(witness: Ending) -> None:
    machine = Machine(mine_s=50.0, witness=witness)
    with in_memory() as database:
        assert _run(machine, TimeLimits(database)).ending.clean
    assert machine.limits == [3.0, 60.0]


def test_a_task_without_a_witness_has_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    from kernelbenchx import catalog

    real = catalog.witness_path
    monkeypatch.setattr(catalog, "witness_path", lambda name: real(name).with_name("none.py"))
    machine = Machine(mine_s=50.0)
    with in_memory() as database:
        assert _run(machine, TimeLimits(database)).ending.clean
    assert machine.limits == [3.0, 60.0] and not machine.witnesses
