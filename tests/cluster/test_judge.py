"""A submission on a cluster ends as it would here: judged, put off, void, or with an error."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from fake_cluster import HERE, FakeActor, node, until
from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.cluster.actor_pool import ActorPool
from kernelbenchx.cluster.judge import ClusterJudge
from kernelbenchx.cluster.messages import (
    ANSWER,
    BAD_INPUT,
    FAULT,
    PUT_OFF,
    ActorEvent,
    EvaluationAnswer,
    EvaluationRequest,
    TrialRequest,
    pack,
)
from kernelbenchx.cluster.operations import PAPER_RULES
from kernelbenchx.cluster.pool_actor import PoolActor
from kernelbenchx.core.environment import Placement
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import VOID, Trial
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.evaluate.own_tests import OwnTest
from kernelbenchx.evaluate.slot_scheduler import PutOff, SlotScheduler, Turn
from kernelbenchx.evaluate.time_limits import TimeLimits
from kernelbenchx.runner.levels import Level, WorkerIsolation
from kernelbenchx.store.database import in_memory
from ruled import by_kernelbenchx
from samples import evaluation

if TYPE_CHECKING:
    from collections.abc import Iterator

TASK = "activation/relu"
ONE = Submission(name="one", task=TASK, source="x")
Answering = Callable[[EvaluationRequest], bytes]


class Rig:
    """A judge over fake actors, and what they were asked."""

    def __init__(self, limits: TimeLimits) -> None:
        self.pool = ActorPool()
        settings = ResolvedSettings(device="interpreter")
        ground = EvaluationProvenance(settings, 7, HERE, WorkerIsolation(Level.L3))
        self.judge = ClusterJudge(self.pool, ground, limits)
        self.answers: dict[str, Answering] = {}
        self.asked: list[tuple[str, str, EvaluationRequest]] = []
        """Actor, job and request."""

    def add(self, answer: Answering, name: str = "n", gpu: str = "") -> FakeActor:
        self.answers[name] = answer

        def answered(job: str, _operation: str, request: bytes) -> bytes:
            wanted = from_json(request, EvaluationRequest)
            self.asked.append((name, job, wanted))
            return self.answers[name](wanted)

        handle = FakeActor(answered)
        actor = PoolActor(handle, node(name), 1, gpu)
        actor.listen(lambda _event: None, lambda why: self.pool.lose(actor, why))
        self.pool.add(actor)
        return handle


@pytest.fixture
def rig() -> "Iterator[Rig]":
    with in_memory() as database:
        made = Rig(TimeLimits(database))
        yield made
        made.judge.stop()


def _judged(wanted: EvaluationRequest, limit_s: float | None = None) -> bytes:
    found = evaluation(wanted.submission.name)
    return pack(ANSWER, to_json(EvaluationAnswer(evaluation=found, limit_s=limit_s)))


def test_a_verdict_says_where_it_was_made(rig: Rig) -> None:
    rig.add(_judged, gpu="uuid")
    found = rig.judge.evaluate(ONE)
    assert found.placement == Placement(node="host/n", gpu="uuid", attempt=1)
    assert found.submission == "one"
    ((_, _, wanted),) = rig.asked
    assert (wanted.seed, wanted.task_digest) == (7, evaluation_digest(TASK))
    rig.judge.with_seed(8).evaluate(ONE)
    assert rig.asked[1][2].seed == 8, "what its author learns from"


def test_a_time_limit_that_one_node_measured_is_told_to_all(rig: Rig) -> None:
    rig.add(lambda wanted: _judged(wanted, limit_s=4.5))
    rig.judge.evaluate(ONE)
    rig.add(lambda wanted: _judged(wanted, limit_s=9.0), "other")
    rig.judge.evaluate(ONE)
    rig.judge.evaluate(ONE)
    assert [wanted.limit_s for _, _, wanted in rig.asked] == [None, 4.5, 4.5], "the first counts"


def test_what_gives_way_is_put_off_and_goes_on_where_it_was(rig: Rig) -> None:
    turn, ended = Turn(), []

    def give_way(_wanted: EvaluationRequest) -> bytes:
        until(lambda: handle.ended)
        return pack(PUT_OFF, to_json(3.5))

    handle = rig.add(give_way)
    turns = SlotScheduler(1)
    turn.begin(turns)
    ended.append(turn.end())
    with pytest.raises(PutOff):
        rig.judge.evaluate(ONE, turn)
    rig.add(_judged, "other")
    rig.answers["n"] = _judged
    turn.was_put_off = True
    turn.begin(turns)
    rig.judge.evaluate(ONE, turn)
    assert ended == [True] and [name for name, _, _ in rig.asked] == ["n", "n"]
    assert rig.asked[0][1] == rig.asked[1][1], "one job: its results are still there"
    assert (rig.asked[1][2].was_put_off, rig.asked[1][2].seconds) == (True, 3.5)


def test_what_runs_long_in_an_actor_may_have_to_give_way(rig: Rig) -> None:
    long_ones: list[Turn] = []

    class Slots:
        def others_wait(self) -> bool:
            return True

        def note_long(self, turn: Turn) -> None:
            long_ones.append(turn)

    slots, turn = Slots(), Turn()

    def long(wanted: EvaluationRequest) -> bytes:
        until(lambda: handle.others_wait)
        handle.events.append(ActorEvent(kind="long", name="another job"))
        handle.events.append(ActorEvent(kind="long", name=rig.asked[-1][1]))
        until(lambda: long_ones)
        return _judged(wanted)

    handle = rig.add(long)
    turn.begin(slots)
    rig.judge.evaluate(ONE, turn)
    assert long_ones == [turn]


def test_a_submission_that_loses_every_node_is_void(rig: Rig) -> None:
    def add() -> None:
        handle = rig.add(_judged)

        def die(*_words: object) -> bytes:
            handle.die()
            return b""

        handle.answer = die

    add()
    rig.pool.on_loss = lambda _actor, _why: add()
    found = rig.judge.evaluate(ONE)
    assert isinstance(found.outcome, Void) and found.outcome.reason is Reason.NODE_LOST
    assert "lost with each of 4 nodes or actors" in found.outcome.detail
    assert found.placement == Placement(node="host/n", attempt=4)
    assert rig.judge.try_out(OwnTest(TASK, "x", "y"), 1.0).stage == VOID
    assert not rig.judge.paper_rules.judge(ONE).known
    rig.pool.end(EvaluatorFault("no node is left"))
    with pytest.raises(EvaluatorFault, match="no node is left"):
        rig.judge.evaluate(ONE)


def test_a_fault_in_an_actor_is_void_and_a_bad_task_is_said(rig: Rig) -> None:
    handle = rig.add(lambda _: pack(FAULT, b"KeyError: oops"))
    found = rig.judge.evaluate(ONE)
    assert found.outcome == Void(reason=Reason.EVALUATOR, detail="KeyError: oops")
    handle.answer = lambda *_words: pack(BAD_INPUT, b"the task is another one on this node")
    with pytest.raises(BadInput, match="another one"):
        rig.judge.evaluate(ONE)


def test_a_test_of_its_author_is_run_on_a_node(rig: Rig) -> None:
    asked: list[TrialRequest] = []

    def tried(_job: str, _operation: str, request: bytes) -> bytes:
        asked.append(from_json(request, TrialRequest))
        return pack(ANSWER, to_json(Trial(passed=True, output="ok")))

    rig.add(_judged).answer = tried
    assert rig.judge.try_out(OwnTest(TASK, "source", "test"), 5.0) == Trial(
        passed=True, output="ok"
    )
    assert asked == [TrialRequest(task=TASK, source="source", test="test", wall_s=5.0)]


def test_the_papers_rules_are_asked_of_a_node(rig: Rig) -> None:
    rules = by_kernelbenchx(called=True, correct=True)
    asked: list[tuple[str, Submission]] = []

    def judge(_job: str, operation: str, request: bytes) -> bytes:
        asked.append((operation, from_json(request, Submission)))
        return pack(ANSWER, to_json(rules))

    rig.add(_judged).answer = judge
    assert rig.judge.paper_rules.judge(ONE) == rules
    assert asked == [(PAPER_RULES, ONE)]


def test_slots_are_told_as_nodes_come_and_are_never_none(rig: Rig) -> None:
    told: list[int] = []
    rig.judge.watch_slots(told.append)
    rig.add(_judged)
    rig.add(_judged)
    rig.judge.tell_slots()
    assert told == [1, 2]


def test_actors_look_at_tasks_ahead_and_say_what_they_compiled(rig: Rig) -> None:
    handle = rig.add(_judged)
    rig.judge.expect([TASK])
    assert rig.judge.list_compilations() == []
    assert "expect" in handle.asked and "list_compilations" in handle.asked
