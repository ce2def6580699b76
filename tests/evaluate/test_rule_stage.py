"""Which submissions are judged by KernelBench's rule, and what is believed of their call."""

import signal
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import (
    Broken,
    Correct,
    Outcome,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Performance, PublishedRule
from kernelbenchx.core.rule_call import FAILS, RuleCall, no_answer
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.gate import Gate
from kernelbenchx.evaluate.rule_stage import RuleStage, needs_rule_call
from kernelbenchx.measure.server import NO_MEMORY
from kernelbenchx.runner.endings import Ending
from timed_kernels import timed
from timing_stage import COMPILED, Answers, Children, agrees

PROBLEM = "level1/relu"
LUCKY = RuleCall(case="rows=4096", rule=PublishedRule(passes_1e_2=True, passes_1e_4=True))
WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
RAISES = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="no view")
UNLOADED = Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail="no such module")
AT_SCALE = Failed(case="c", reason=Reason.TIMED_WRONG, detail="wrong")
RIGHT = Correct(cases=4, worst=0.5)
CRASHED = no_answer(Reason.CRASH, "the submission crashed: the process ended", "rows=4096")


def _attempt(task: str = PROBLEM) -> Attempt:
    submission = Submission(name="mine", task=task, source="SOURCE")
    return Attempt(submission, facts(task), ("ModelNew",), compiled=COMPILED)


@pytest.mark.parametrize(
    ("task", "outcome", "performance", "needed"),
    [
        (PROBLEM, WRONG, None, True),
        (PROBLEM, RAISES, None, True),
        (PROBLEM, RIGHT, AT_SCALE, True),
        (PROBLEM, RIGHT, timed(), False),
        (PROBLEM, UNLOADED, None, False),
        (PROBLEM, Rejected(findings=()), None, False),
        (PROBLEM, Void(reason=Reason.EVALUATOR, detail=""), None, False),
        (PROBLEM, Reached(stage=Stage.CALL), None, False),
        ("activation/relu", WRONG, None, False),
    ],
)
def test_what_ran_and_fails_is_called_once_more(
    task: str, outcome: Outcome, performance: Performance | None, needed: bool
) -> None:
    attempt = _attempt(task)
    attempt.performance = performance
    assert needs_rule_call(attempt, outcome) is needed


class Bench:
    """Says what is planned, the last forever; notes what it is given."""

    def __init__(self, *found: RuleCall | Exception) -> None:
        self.found = list(found)
        self.given: list[tuple[Any, ...]] = []

    def judge_by_rule(self, task: str, entry: tuple[int, int], *known: Any) -> RuleCall:
        assert entry[0] >= 0
        self.given.append((task, *known))
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        if isinstance(found, Exception):
            raise found
        return found


class Alone(Crews):
    """Counts who was alone."""

    times = 0

    def alone(self) -> Any:
        self.times += 1
        return super().alone()


class Staged:
    """One submission through the stage, with pretended children and a pretended bench."""

    def __init__(self, *found: RuleCall | Exception, entry: Answers = agrees) -> None:
        self.bench, self.children, self.crews = Bench(*found), Children(entry), Alone()
        self.sound = True
        self.told: list[str] = []
        self.attempt = _attempt()

    def run(self) -> RuleCall:
        settings = Settings(device="cuda")
        workers: Any = SimpleNamespace(zygotes={"cuda": self.children}, settings=settings)
        gate = Gate(1, 1)
        slot: Any = SimpleNamespace(index=0, device="cpu", gate=gate, bench=self.bench)
        stage = RuleStage(workers, self.crews, None, lambda: self.sound)
        before = vars(self.attempt).copy()
        found = stage.run(self.attempt, slot, self.told.append)
        assert vars(self.attempt) == before, "nothing else of the record changes"
        assert all(one.pending.wait(60.0) is not None for one in self.children.all)
        with gate.owned(), self.crews.alone():  # both were left free
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
    assert (found.rule, found.detail) == (None, str(short)) and len(never.bench.given) == 2


@pytest.mark.parametrize("error", [EvaluatorFault("the bench: no such case"), KeyError("x")])
def test_a_fault_of_ours_is_not_known_and_never_raised(error: Exception) -> None:
    staged = Staged(error)
    found = staged.run()
    assert found.rule is None and found.detail == str(error) and staged.crews.times == 0


def _ends(ending: Ending) -> Answers:
    return lambda _op, _times: ending


@pytest.mark.parametrize(
    ("ending", "rule", "reason"),
    [
        (Ending(signal=signal.SIGSEGV), FAILS, Reason.CRASH),
        (Ending(signal=signal.SIGKILL, over="memory"), FAILS, Reason.MEMORY),
        (Ending(signal=signal.SIGKILL, over="wall"), None, None),
        (Ending(lost=True, fault="no memory to fork"), None, None),
    ],
)
def test_a_process_that_ends_before_its_call_fails_unless_it_is_our_fault(
    ending: Ending, rule: PublishedRule | None, reason: Reason | None
) -> None:
    staged = Staged(LUCKY, entry=_ends(ending))
    found = staged.run()
    assert (found.rule, found.reason) == (rule, reason) and found.detail
    assert not staged.bench.given


@pytest.mark.parametrize(("sound", "rule"), [(True, FAILS), (False, None)])
def test_a_crash_on_a_gpu_that_does_not_work_says_nothing(
    sound: bool, rule: PublishedRule | None
) -> None:
    staged = Staged(CRASHED)
    staged.sound = sound
    assert staged.run().rule == rule
    wrong = Staged(RuleCall(rule=FAILS))
    wrong.sound = sound
    assert wrong.run().rule == FAILS, "an answer that was compared is no sign of that"
