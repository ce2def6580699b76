"""Jobs that are lost go to other nodes, three times; what comes too late is dropped."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fake_cluster import PATIENCE_S, FakeActor, echo, node, until
from kernelbenchx.cluster.actor_pool import MOST_RETRIES, ActorJob, ActorPool, NodesLost
from kernelbenchx.cluster.pool_actor import PoolActor
from kernelbenchx.core.errors import EvaluatorFault


class Rig:
    """A pool with actors that die in the middle of jobs."""

    def __init__(self) -> None:
        self.pool = ActorPool()
        self.handles: dict[str, FakeActor] = {}
        self.order: list[str] = []
        """Names of the nodes in which jobs began."""
        self.lost: list[str] = []
        self.pool.on_loss = lambda actor, _why: self.lost.append(actor.node.ident)

    def add(self, ident: str, *, deadly: bool = False, slots: int = 1) -> PoolActor:
        handle = FakeActor()

        def answer(job: str, operation: str, request: bytes) -> bytes:
            self.order.append(ident)
            if deadly:
                handle.die()
            return echo(job, operation, request)

        handle.answer = answer
        self.handles[ident] = handle
        actor = PoolActor(handle, node(ident), slots)
        self.pool.add(actor)
        return actor


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_an_answer_names_its_node_and_attempt(rig: Rig) -> None:
    rig.add("one")
    answer = rig.pool.run(ActorJob("j", "op", b"request"))
    assert answer.data.endswith(b"request")
    assert (answer.placement.node, answer.placement.attempt) == ("host/one", 1)


def test_a_job_of_a_lost_actor_goes_to_another_node(rig: Rig) -> None:
    rig.add("bad", deadly=True, slots=2)  # most are free there, so it is first
    rig.add("good")
    answer = rig.pool.run(ActorJob("j", "op", b""))
    assert rig.order == ["bad", "good"] and rig.lost == ["bad"]
    assert (answer.placement.node, answer.placement.attempt) == ("host/good", 2)
    assert rig.handles["bad"].killed, "it may live on, cut off from the rest"


def test_where_there_is_no_other_node_it_comes_back_to_the_same(rig: Rig) -> None:
    rig.add("only", deadly=True)
    rig.pool.on_loss = lambda _actor, _why: rig.add("only")
    assert rig.pool.run(ActorJob("j", "op", b"")).attempt == 2


def test_after_three_retries_it_is_given_up(rig: Rig) -> None:
    rig.add("n0", deadly=True)
    rig.pool.on_loss = lambda actor, _why: rig.add(f"{actor.node.ident}+", deadly=True)
    with pytest.raises(NodesLost, match=r"4 nodes or actors: host/n0 \(died\), .*host/n0\+\+\+"):
        rig.pool.run(ActorJob("j", "op", b""))
    assert len(rig.order) == 1 + MOST_RETRIES


def test_the_last_try_is_alone_in_its_actor() -> None:
    pool, together = ActorPool(), []
    busy = threading.Event()

    def add(*, deadly: bool) -> None:
        handle = FakeActor()

        def answer(job: str, operation: str, request: bytes) -> bytes:
            together.append((job, actor.busy))
            if deadly and job == "killer":
                handle.die()
            if job == "long":
                busy.wait(PATIENCE_S)
            return echo(job, operation, request)

        handle.answer = answer
        actor = PoolActor(handle, node(f"n{len(pool.actors)}{len(together)}"), 2)
        pool.add(actor)

    add(deadly=True)
    losses: list[object] = []

    def lose(_actor: PoolActor, _why: str) -> None:
        losses.append(1)
        add(deadly=len(losses) < MOST_RETRIES)

    pool.on_loss = lose
    with ThreadPoolExecutor(2) as threads:
        killer = threads.submit(pool.run, ActorJob("killer", "op", b""))
        until(lambda: len(losses) >= MOST_RETRIES)
        killer.result(PATIENCE_S)
    assert together[-1] == ("killer", 2), "it has both slots"


def test_a_job_that_wants_to_be_alone_is_not_starved_and_lets_others_end_first() -> None:
    pool, ends = ActorPool(), threading.Event()
    handle = FakeActor(lambda *words: (ends.wait(PATIENCE_S) and echo(*words)) or b"")
    actor = PoolActor(handle, node(), 2)
    pool.add(actor)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(pool.run, ActorJob("first", "op", b""))
        until(lambda: actor.busy == 1)
        with pool._changed:
            pool._changed.notify_all()
        alone = threads.submit(_alone, pool)
        until(lambda: actor.kept_for is not None)
        assert actor.free == 0, "no other job gets the second slot"
        ends.set()
        first.result(PATIENCE_S)
        assert alone.result(PATIENCE_S) == 2
    assert actor.busy == 0 and actor.kept_for is None


def _alone(pool: ActorPool) -> int:
    with pool._slot(ActorJob("alone", "op", b""), set(), alone=True) as actor:
        return actor.busy


def test_an_answer_that_comes_after_the_loss_is_dropped(rig: Rig) -> None:
    said = threading.Event()
    slow = rig.add("slow", slots=2)
    rig.handles["slow"].answer = lambda *words: (said.wait(PATIENCE_S) and echo(*words)) or b""
    rig.add("other")
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(rig.pool.run, ActorJob("j", "op", b""))
        until(lambda: slow.busy == 1)
        # Cut off: it is given up, lives on, and answers too late.
        rig.handles["slow"].kill = lambda: None  # type: ignore[method-assign]
        assert rig.pool.lose(slow, "the node is gone")
        assert not rig.pool.lose(slow, "heard of it twice")
        found = answer.result(PATIENCE_S)
        said.set()
        until(lambda: slow.late)
    assert (found.placement.node, found.attempt) == ("host/other", 2)
    assert rig.lost == ["slow"]


def test_a_job_prefers_the_actor_where_it_left_results(rig: Rig) -> None:
    small = rig.add("small")
    rig.add("large", slots=4)
    assert rig.pool.run(ActorJob("j", "op", b"", prefer=small)).actor is small
    rig.pool.lose(small, "gone")
    assert rig.pool.run(ActorJob("j", "op", b"", prefer=small)).actor.node.ident == "large"


def test_when_a_pool_ends_all_that_wait_are_told(rig: Rig) -> None:
    ends = threading.Event()
    actor = rig.add("one")
    rig.handles["one"].answer = lambda *words: (ends.wait(PATIENCE_S) and echo(*words)) or b""
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(rig.pool.run, ActorJob(f"j{n}", "op", b"")) for n in range(2)]
        until(lambda: actor.busy == 1)
        rig.pool.end(EvaluatorFault("closed"))
        for one in waiting:
            with pytest.raises(EvaluatorFault, match="closed"):
                one.result(PATIENCE_S)
        ends.set()
    assert rig.handles["one"].killed and rig.pool.slots == 0
    assert "close" in rig.handles["one"].asked, "its workers remove their files"
    late = PoolActor(FakeActor(), node("late"), 1)
    rig.pool.add(late)
    assert rig.pool.slots == 0 and late.lost, "what comes afterwards is ended, too"
    with pytest.raises(EvaluatorFault, match="closed"):
        rig.pool.wait_for_first()
