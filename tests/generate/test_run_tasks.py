import sqlite3
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from desks import FakeBench, FakeModel, Memory, Told, office, reply
from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Exchange, Reply, Request
from kernelbenchx.generate.methods.one_shot import OneShot
from kernelbenchx.generate.methods.sample import SampleMethod
from kernelbenchx.generate.model import ENDED, MethodStep, OutOfBudget
from kernelbenchx.generate.run_tasks import (
    GRACE_S,
    End,
    GenerationNote,
    GenerationWork,
    TaskEnd,
    agree,
    generate,
)
from kernelbenchx.generate.task_context import TaskContext
from kernelbenchx.store.database import writing
from kernelbenchx.store.generation_note import NOTE
from kernelbenchx.store.layout import RunFolder

TASKS = ("activation/relu", "activation/gelu", "math/add")
BEGUN = GenerationNote(
    method="sample",
    options={"samples": 4, "temperature": 1.0},
    model="m",
    temperature=None,
    max_tokens=100,
    prompts={"form": "plain"},
    templates={"plain": "a" * 64},
    evaluation={"device": "interpreter"},
)


@dataclass
class Everything(Told):
    tasks: list[str] = field(default_factory=list)
    ends: list[TaskEnd] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def begin(self, tasks: Sequence[str]) -> None:
        self.tasks = list(tasks)

    def stage(self, submission: str, stage: str) -> None: ...

    def note_task_end(self, ended: TaskEnd) -> None:
        self.ends.append(ended)

    def stopping(self, seconds: float) -> None:
        self.waits.append(seconds)


def test_every_task_comes_to_its_end_in_order() -> None:
    bench, watcher = FakeBench(), Everything()
    made = office(FakeModel(lambda *_: "right"), bench=bench)
    found = generate(GenerationWork(TASKS, SampleMethod(samples=2), made, at_once=2), watcher)
    assert found == [TaskEnd(task, End.DONE) for task in TASKS]
    assert sorted(one.task for one in watcher.ends) == sorted(watcher.tasks)
    assert len(bench.judged) == 6
    assert watcher.waits == []


def test_what_stops_one_task_stops_no_other() -> None:
    def by_task(_: Request, step: MethodStep) -> str | Reply:
        if step.task == "activation/relu":
            raise OutOfBudget("spent")
        if step.task == "activation/gelu":
            return msgspec.structs.replace(reply("", "error"), detail="HTTP 500")
        return "right"

    made = office(FakeModel(by_task))
    found = generate(GenerationWork(TASKS, OneShot(), made, at_once=1), Everything())
    assert found == [
        TaskEnd("activation/relu", End.OUT_OF_BUDGET, "spent"),
        TaskEnd("activation/gelu", End.UNANSWERED, "HTTP 500"),
        TaskEnd("math/add", End.DONE),
    ]


def test_a_fault_of_a_method_is_said_and_stops_no_other_task() -> None:
    class Faulty(OneShot, frozen=True):
        def run(self, statement: Statement, desk: TaskContext) -> None:
            if statement.entry == "gelu":
                raise KeyError("oops")
            super().run(statement, desk)

    found = generate(
        GenerationWork(TASKS, Faulty(), office(FakeModel(lambda *_: "")), 3), Everything()
    )
    assert [one.end for one in found] == [End.DONE, End.FAULT, End.DONE]
    assert found[1].why == "KeyError: 'oops'"


def test_a_run_that_cannot_be_written_asks_for_nothing_more() -> None:
    """What nobody can keep is not worth its price."""

    class Full(Memory):
        def keep_exchange(self, exchange: Exchange, method: str) -> None:  # noqa: ARG002
            raise sqlite3.OperationalError("database or disk is full")

    model = FakeModel(lambda *_: "right")
    made = office(model, memory=Full())
    found = generate(GenerationWork(TASKS, OneShot(), made, at_once=1), Everything())
    why = "the run cannot be written: database or disk is full"
    assert found[0] == TaskEnd(TASKS[0], End.STOPPED, why)
    assert [(one.end, one.why) for one in found[1:]] == [(End.STOPPED, ENDED)] * 2
    assert len(model.asked) == 1


def test_a_second_start_does_only_what_is_missing() -> None:
    memory, bench = Memory(), FakeBench()
    down = FakeModel(lambda _, step: "right" if "relu" in step.task else reply("", "error"))
    generate(
        GenerationWork(TASKS, OneShot(), office(down, bench=bench, memory=memory), at_once=3),
        Everything(),
    )
    up = FakeModel(lambda *_: "right")
    made = office(up, bench=bench, memory=memory)
    found = generate(GenerationWork(TASKS, OneShot(), made, at_once=3), Everything())
    assert {one.end for one in found} == {End.DONE}
    assert sorted(step.task for step, _ in up.asked) == ["activation/gelu", "math/add"]


def test_an_interrupt_stops_who_would_ask_next(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def slow(_: Request, step: MethodStep) -> str:
        begun.set()
        time.sleep(0.05)
        return "right"

    def interrupted(thread: threading.Thread) -> None:
        assert begun.wait(60.0)
        raise KeyboardInterrupt

    model, watcher = FakeModel(slow), Everything()
    made = office(model)
    with monkeypatch.context() as patched:
        patched.setattr("kernelbenchx.generate.run_tasks._end_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            generate(GenerationWork(TASKS, OneShot(), made, at_once=1), watcher)
    assert made.stop.is_set()
    assert watcher.waits == [GRACE_S]
    assert len(model.asked) == 1


def test_a_run_goes_on_only_as_it_was_begun(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        agree(database, BEGUN, "RUN")
        assert database.read_note(NOTE)
        agree(database, BEGUN, "RUN")
        changes: list[tuple[dict[str, Any], str]] = [
            ({"method": "refine"}, "another method: sample, now refine"),
            ({"model": "n"}, "another model: m, now n"),
            ({"options": {"samples": 5, "temperature": 1.0}}, "another option: samples = 4, now 5"),
            ({"templates": {"plain": "b"}}, "another template: plain = aaa"),
            ({"templates": {"plain": "a" * 64, "x": "c"}}, "x = None, now c"),
        ]
        for changed, said in changes:
            other = msgspec.structs.replace(BEGUN, **changed)
            with pytest.raises(BadInput, match=f"RUN was started with .*{said}"):
                agree(database, other, "RUN")
        agree(database, BEGUN, "RUN")


def test_texts_that_the_method_does_not_use_may_change(tmp_path: Path) -> None:
    """Also in runs that noted down every text there was."""
    with writing(RunFolder(tmp_path)) as database:
        both = msgspec.structs.replace(BEGUN, templates={"plain": "a" * 64, "geak_judge": "b"})
        agree(database, both, "RUN")
        agree(database, BEGUN, "RUN")
        changed = msgspec.structs.replace(both, templates={"plain": "a" * 64, "geak_judge": "c"})
        with pytest.raises(BadInput, match="another template: geak_judge = b, now c"):
            agree(database, changed, "RUN")


@pytest.mark.parametrize(
    ("kept", "now", "way"),
    [
        (16384, None, "resume with --max-tokens 16384"),
        (None, 100, "resume without --max-tokens"),
    ],
)
def test_of_tokens_it_is_said_how_to_go_on(
    tmp_path: Path, kept: int | None, now: int | None, way: str
) -> None:
    with writing(RunFolder(tmp_path)) as database:
        agree(database, msgspec.structs.replace(BEGUN, max_tokens=kept), "r")
        agree(database, msgspec.structs.replace(BEGUN, max_tokens=kept), "r")
        with pytest.raises(BadInput, match=way):
            agree(database, msgspec.structs.replace(BEGUN, max_tokens=now), "r")
