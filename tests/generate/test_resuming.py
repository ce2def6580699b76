"""Every method, ended at every single thing it keeps, before and after: the end is the same."""

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from desks import TASK, FakeBench, FakeModel, Memory, Told
from kernelbenchx.catalog.statement import Statement, statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import Record
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.transcript import Exchange, Message, Request
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate import methods
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.task_context import RunContext, TaskContext
from kernelbenchx.store.trials import KeptTrial

SMALL = {
    "sample": {"samples": 3},
    "refine": {"rounds": 3},
    "geak": {"rounds": 2, "candidates": 2},
    "kernel_agent": {"workers": 2, "rounds": 1},
    "search": {"requests": 3, "evaluations": 4},
}
"""Options that keep a method short."""


class Killed(BaseException):
    """Nothing catches it and goes on."""


@dataclass
class Life:
    """So many things are kept; then the process is gone, and whoever goes on is gone too."""

    left: int
    late: bool
    """Whether the last thing is still kept."""
    kept: int = 0

    def may_keep(self) -> bool:
        self.kept += 1
        if self.kept < self.left:
            return True
        if self.kept == self.left and self.late:
            return True
        raise Killed

    def goes_on(self) -> None:
        if self.kept >= self.left:
            raise Killed


@dataclass
class MortalMemory(Memory):
    life: Life = field(default_factory=lambda: Life(10**9, late=True))

    def keep_exchange(self, exchange: Exchange, method: str) -> None:
        if self.life.may_keep():
            super().keep_exchange(exchange, method)
        self.life.goes_on()

    def keep_trial(self, kept: KeptTrial) -> None:
        if self.life.may_keep():
            super().keep_trial(kept)
        self.life.goes_on()


@dataclass
class MortalBench(FakeBench):
    life: Life = field(default_factory=lambda: Life(10**9, late=True))

    def one(self, submission: Submission) -> Evaluation:
        if submission.name not in self.kept:
            self.life.may_keep()
        found = super().one(submission)
        self.life.goes_on()
        return found


def _answer(request: Request, step: MethodStep) -> str:
    """Now and then something right; a function of the conversation."""
    turn = hashlib.sha256(f"{step.path}{request.digest}".encode()).digest()[0] % 3
    said = "right" if turn == 0 else "missing"
    return f"```python\nimport triton\n\ndef relu(input):\n    return {said}  # {turn}\n```"


def _run(method: Method, memory: MortalMemory, bench: MortalBench, life: Life) -> None:
    memory.life = bench.life = life
    office = RunContext(
        method="test",
        model=FakeModel(_answer),
        journal=memory,
        bench=bench,
        prompts=FormPrompts(Prompting()),
        watcher=Told(),
        seed=5,
    )
    method.run(statement(TASK), TaskContext(TASK, office))


def _trial(source: str, test: str) -> Trial:
    assert test
    return Trial(passed="right" in source, stage="" if "right" in source else "test", detail="no")


def _lost_points(method: Method) -> list[tuple[int, bool]]:
    """Where an end and a second start lead elsewhere than one start does."""
    whole, judged, life = MortalMemory(), MortalBench(trial=_trial), Life(10**9, late=True)
    _run(method, whole, judged, life)
    assert life.kept > 1
    lost = []
    for point in range(1, life.kept + 1):
        for late in (False, True):
            memory, bench = MortalMemory(), MortalBench(trial=_trial)
            with pytest.raises(Killed):
                _run(method, memory, bench, Life(point, late=late))
            _run(method, memory, bench, Life(10**9, late=True))
            if (memory.kept, memory.trials, bench.kept) != (whole.kept, whole.trials, judged.kept):
                lost.append((point, late))
    return lost


@pytest.mark.parametrize("name", methods.names())
def test_ended_at_any_point_and_started_again_the_end_is_the_same(name: str) -> None:
    assert _lost_points(methods.make_method(name, SMALL.get(name, {}))) == []


def test_a_method_that_counts_its_starts_is_found_out() -> None:
    class Fickle(Record, frozen=True):
        uses: ClassVar[tuple[str, ...]] = ()

        starts: list[int]

        def run(self, statement: Statement, desk: TaskContext) -> None:
            self.starts.append(1)
            desk.ask("first", (Message("user", statement.task),))
            reply = desk.ask("second", (Message("user", f"start {len(self.starts) % 2}"),))
            desk.judge("second", reply.text, round=0)

    assert _lost_points(Fickle([]))
