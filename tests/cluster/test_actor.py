"""The process on a node: what it says of itself, and how its jobs end."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fake_cluster import HERE, PATIENCE_S, until
from kernelbenchx.cluster import actor as module
from kernelbenchx.cluster.actor import EventQueue, JudgeActor
from kernelbenchx.cluster.messages import (
    ANSWER,
    BAD_INPUT,
    FAULT,
    PUT_OFF,
    ActorEvent,
    ActorOrder,
    NodeFacts,
    unpack,
)
from kernelbenchx.cluster.operations import JobContext
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.evaluate.slot_scheduler import PutOff
from kernelbenchx.runner.isolation import detect

ORDER = ActorOrder(settings=ResolvedSettings(device="interpreter", jobs=1), seed=7)
_HERE = f"kernelbenchx.{__name__}:"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeActor]:
    """Without a pipeline; nothing watches the parent of this process."""
    monkeypatch.setattr(module, "end_with_parent", lambda: None)
    monkeypatch.setattr(module, "NEWS_S", 0.0)
    one = JudgeActor(to_json(ORDER))
    one._pipeline = Any  # type: ignore[assignment]
    yield one
    one._stack.close()


def _doing(monkeypatch: pytest.MonkeyPatch, operation: Any) -> None:
    monkeypatch.setattr("kernelbenchx.cluster.operations.find_operation", lambda _name: operation)


def test_it_says_what_the_node_is(made: JudgeActor) -> None:
    facts = from_json(made.describe(), NodeFacts)
    found = detect()
    assert facts == NodeFacts(environment=HERE, level=found.level.value, missing=found.missing)


def test_what_the_node_cannot_do_is_its_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "end_with_parent", lambda: None)
    nowhere = ActorOrder(settings=ORDER.settings, seed=7, tasks=("/nowhere",))
    facts = from_json(JudgeActor(to_json(nowhere)).describe(), NodeFacts)
    assert "/nowhere holds no tasks" in facts.refused


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (BadInput("another task"), BAD_INPUT, "another task"),
        (KeyError("oops"), FAULT, "KeyError: 'oops'"),
    ],
)
def test_errors_are_told_and_not_raised(
    made: JudgeActor, monkeypatch: pytest.MonkeyPatch, error: Exception, kind: str, said: str
) -> None:
    def fail(_context: JobContext, _request: bytes) -> bytes:
        raise error

    _doing(monkeypatch, fail)
    assert unpack(made.run("job", "op", b"")) == (kind, said.encode())
    _doing(monkeypatch, lambda _context, request: request + b"!")
    assert unpack(made.run("job", "op", b"x")) == (ANSWER, b"x!")


def test_a_job_that_gives_way_keeps_its_turn_for_the_next_try(
    made: JudgeActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[Any] = []
    ended = threading.Event()

    def wait(context: JobContext, _request: bytes) -> bytes:
        turns.append(context.turn)
        if len(turns) > 1:
            return b"done"
        context.turn.note_long()
        with context.turn.preempt_by(ended.set):
            ended.wait(PATIENCE_S)
        context.turn.seconds = 2.5
        raise PutOff

    _doing(monkeypatch, wait)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(made.run, "job", "op", b"")
        until(lambda: turns)
        assert ActorEvent(kind="long", name="job") in from_json(
            made.news(others_wait=True), list[ActorEvent]
        )
        assert turns[0].others_wait
        made.end("another job")
        assert not ended.is_set()
        made.end("job")
        assert unpack(asked.result(PATIENCE_S)) == (PUT_OFF, b"2.5")
    assert unpack(made.run("job", "op", b"")) == (ANSWER, b"done")
    assert turns[0] is turns[1]
    made.run("job", "op", b"")
    assert turns[2] is not turns[0], "an answered job is over"


def test_without_a_gpu_there_is_nothing_to_look_at(made: JudgeActor) -> None:
    made._pipeline = None
    assert made.expect(b"[]") == b"" and made.list_compilations() == b"[]"


def test_it_gets_warm_and_judges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from kernelbenchx.catalog.digests import evaluation_digest
    from kernelbenchx.catalog.witness import witness_source
    from kernelbenchx.cluster.messages import EvaluationAnswer, EvaluationRequest
    from kernelbenchx.cluster.operations import EVALUATE
    from kernelbenchx.core.submission import Submission

    monkeypatch.setattr(module, "end_with_parent", lambda: None)
    name = "activation/relu"
    one = JudgeActor(to_json(ORDER))
    with one._stack:
        assert one.warm() == b""
        wanted = EvaluationRequest(
            submission=Submission(name="r", task=name, source=witness_source(name)),
            seed=7,
            task_digest=evaluation_digest(name),
        )
        kind, body = unpack(one.run("job", EVALUATE, to_json(wanted)))
        stages = [event.words for event in from_json(one.news(others_wait=False), list[ActorEvent])]
    assert kind == ANSWER
    assert from_json(body, EvaluationAnswer).evaluation.verdict == "correct"
    assert "calling" in stages and "judging" in stages


def test_events_are_told_once_in_their_order() -> None:
    queue = EventQueue()
    queue.tell("one", "calling")
    queue.note("waiting for GPU-1")
    assert queue.take(1.0) == [
        ActorEvent(kind="stage", name="one", words="calling"),
        ActorEvent(kind="note", words="waiting for GPU-1"),
    ]
    assert queue.take(0.0) == []


def test_an_event_ends_the_wait() -> None:
    queue = EventQueue()
    threading.Timer(0.1, queue.note, ["soon"]).start()
    began = time.monotonic()
    assert queue.take(30.0) == [ActorEvent(kind="note", words="soon")]
    assert time.monotonic() - began < 20
