"""Which submissions are judged by KernelBench's rule, and what is believed of their call."""

import signal
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import (
    Reason,
)
from kernelbenchx.core.rules import KernelBenchRule, make_failed_rule
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.kernelbench_stage import KernelBenchStage
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.measure.bench_server import NO_MEMORY
from kernelbenchx.runner.endings import Ending
from ruled import BOTH, FAILS, UNKNOWN, Passed, kernelbench, passed
from timing_stage import COMPILED, Answers, Children, agrees

PROBLEM = "level1/relu"
LUCKY = kernelbench(BOTH, "rows=4096")
CRASHED = make_failed_rule(Reason.CRASH, "the submission crashed: the process ended", "rows=4096")


def _attempt(task: str = PROBLEM) -> EvaluationState:
    submission = Submission(name="mine", task=task, source="SOURCE")
    return EvaluationState(submission, facts(task), ("ModelNew",), compiled=COMPILED)


class Bench:
    """Says what is planned, the last forever; notes what it is given."""

    def __init__(self, *found: KernelBenchRule | Exception) -> None:
        self.found = list(found)
        self.given: list[tuple[Any, ...]] = []

    def judge_by_rule(self, task: str, entry: tuple[int, int], *known: Any) -> KernelBenchRule:
        assert entry[0] >= 0
        self.given.append((task, *known))
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        if isinstance(found, Exception):
            raise found
        return found


class Alone(ProcessSlots):
    """Counts who was alone."""

    times = 0

    def take_alone(self) -> Any:
        self.times += 1
        return super().take_alone()


class Staged:
    """One submission through the stage, with pretended children and a pretended bench."""

    def __init__(self, *found: KernelBenchRule | Exception, entry: Answers = agrees) -> None:
        self.bench, self.children, self.crews = Bench(*found), Children(entry), Alone()
        self.sound = True
        self.told: list[str] = []
        self.attempt = _attempt()

    def run(self) -> KernelBenchRule:
        settings = Settings(device="cuda")
        workers: Any = SimpleNamespace(zygotes={"cuda": self.children}, settings=settings)
        gate = GpuLock(1, 1)
        slot: Any = SimpleNamespace(index=0, device="cpu", gate=gate, bench=self.bench)
        stage = KernelBenchStage(workers, self.crews, None, lambda: self.sound)
        before = vars(self.attempt).copy()
        found = stage.run(self.attempt, slot, self.told.append)
        assert vars(self.attempt) == before, "nothing else of the record changes"
        assert all(one.pending.wait(60.0) is not None for one in self.children.all)
        with gate.acquire_exclusive(), self.crews.take_alone():  # both were left free
            self.crews.times -= 1
        return found


def test_one_process_makes_one_call_with_the_gpu_to_itself() -> None:
    staged = Staged(LUCKY)
    assert staged.run() == LUCKY
    (child,) = staged.children.all
    assert (child.header["mode"], child.header["source"]) == ("timing", "SOURCE")
    assert child.asked == ["hello"] and child.compiled == 1 and child.killed == 1
    assert staged.told == ["waiting", "waiting", "preparing", "waiting", "judging"]
    submission = staged.attempt.submission
    digest = f"{submission.digest}\0{PROBLEM}\0mine"
    assert staged.bench.given == [(PROBLEM, digest, 80.0)]
    assert staged.crews.times == 0


def test_without_memory_it_is_tried_again_alone_and_else_not_known() -> None:
    short = EvaluatorFault(f"the bench: {NO_MEMORY}: the published size needs 90 GB")
    again = Staged(short, LUCKY)
    assert again.run() == LUCKY and again.crews.times == 1
    never = Staged(short)
    found = never.run()
    assert (passed(found), found.detail) == (UNKNOWN, str(short)) and len(never.bench.given) == 2


@pytest.mark.parametrize("error", [EvaluatorFault("the bench: no such case"), KeyError("x")])
def test_a_fault_of_ours_is_not_known_and_never_raised(error: Exception) -> None:
    staged = Staged(error)
    found = staged.run()
    assert passed(found) == UNKNOWN and found.detail == str(error) and staged.crews.times == 0


def _ends(ending: Ending) -> Answers:
    return lambda _op, _times: ending


@pytest.mark.parametrize(
    ("ending", "rule", "reason"),
    [
        (Ending(signal=signal.SIGSEGV), FAILS, Reason.CRASH),
        (Ending(signal=signal.SIGKILL, over="memory"), FAILS, Reason.MEMORY),
        (Ending(signal=signal.SIGKILL, over="wall"), UNKNOWN, None),
        (Ending(lost=True, fault="no memory to fork"), UNKNOWN, None),
    ],
)
def test_a_process_that_ends_before_its_call_fails_unless_it_is_our_fault(
    ending: Ending, rule: Passed, reason: Reason | None
) -> None:
    staged = Staged(LUCKY, entry=_ends(ending))
    found = staged.run()
    assert (passed(found), found.reason) == (rule, reason) and found.detail
    assert not staged.bench.given


@pytest.mark.parametrize(("sound", "rule"), [(True, FAILS), (False, UNKNOWN)])
def test_a_crash_on_a_gpu_that_does_not_work_says_nothing(sound: bool, rule: Passed) -> None:
    staged = Staged(CRASHED)
    staged.sound = sound
    assert passed(staged.run()) == rule
    wrong = Staged(kernelbench(FAILS))
    wrong.sound = sound
    assert passed(wrong.run()) == FAILS, "an answer that was compared is no sign of that"
