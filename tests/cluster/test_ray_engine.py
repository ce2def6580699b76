"""Actors of a run stay for the next one with the same settings and seed, and for no other."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fake_cluster import HERE, PATIENCE_S, FakeActor, FakeCluster, node, other, until
from kernelbenchx.cluster.messages import ANSWER, ActorEvent, NodeFacts, pack
from kernelbenchx.cluster.ray_engine import RayEngine
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import ResolvedSettings, Settings
from kernelbenchx.evaluate.engine import EngineRun
from kernelbenchx.evaluate.run_listener import RunListener
from kernelbenchx.evaluate.session import RunSession
from kernelbenchx.store.database import Database, in_memory

SETTINGS = ResolvedSettings(device="interpreter", jobs=2)


class Told:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def stage(self, submission: str, stage: str) -> None:
        self.heard.append((submission, stage))

    def note(self, words: str) -> None:
        self.heard.append(words)

    def nodes(self, nodes: int, slots: int, running: int) -> None:
        self.heard.append((nodes, slots, running))


@pytest.fixture
def database() -> Iterator[Database]:
    with in_memory() as opened:
        yield opened


def _run(database: Database, told: Told | None = None, seed: int = 7) -> EngineRun:
    listener = RunListener()
    listener.set(told)
    return EngineRun(SETTINGS, seed, database, listener)


def test_the_device_is_what_the_nodes_have() -> None:
    without = RayEngine(FakeCluster([node(cpus=4)]))
    assert without.resolve(Settings()).device == "interpreter"
    for wanted in (Settings(device="cuda"), Settings(stage=Stage.PERF)):
        with pytest.raises(BadInput, match="no node of the cluster has a GPU"):
            without.resolve(wanted)
    engine = RayEngine(FakeCluster([node(cpus=4), node("b", gpus=1)]))
    assert engine.resolve(Settings(stage=Stage.PERF)).device == "cuda"
    assert engine.resolve(Settings(device="interpreter")).device == "interpreter"


def test_a_run_has_the_environment_of_its_nodes_and_hears_of_them(database: Database) -> None:
    told, cluster = Told(), FakeCluster([node("one", cpus=2)])
    engine = RayEngine(cluster)
    judge = engine.open(_run(database, told))
    assert judge.provenance.environment == HERE and judge.provenance.isolation.level.value == "L3"
    assert (judge.slots, judge.provenance.seed) == (2, 7)
    cluster.made["one"][0].events.append(ActorEvent(kind="stage", name="s", words="calling"))
    cluster.made["one"][0].events.append(ActorEvent(kind="note", words="waiting for GPU-1"))
    until(lambda: ("s", "calling") in told.heard and "waiting for GPU-1" in told.heard)
    judge.call("op", b"x")
    assert (1, 2, 1) in told.heard and told.heard.count((1, 2, 0)) > 0
    engine.close()
    assert cluster.made["one"][0].killed


def test_actors_stay_for_an_equal_run_and_end_for_another(database: Database) -> None:
    cluster = FakeCluster([node("one")])
    engine = RayEngine(cluster)
    first = engine.open(_run(database))
    first.close()
    engine.open(_run(database)).close()
    assert len(cluster.made["one"]) == 1 and not cluster.made["one"][0].killed
    engine.open(_run(database, seed=8)).close()
    assert len(cluster.made["one"]) == 2 and cluster.made["one"][0].killed
    engine.close()


def test_a_run_that_ends_in_the_middle_of_jobs_ends_their_actors(database: Database) -> None:
    over = threading.Event()
    answer = lambda *_words: (over.wait(PATIENCE_S) and pack(ANSWER)) or b""  # noqa: E731
    cluster = FakeCluster([node("one")], make=lambda _node: FakeActor(answer))
    engine = RayEngine(cluster)
    judge = engine.open(_run(database))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(judge.call, "op", b"")
        until(lambda: judge.slots and cluster.made["one"][0]._pending)
        judge.close()
        with pytest.raises(EvaluatorFault, match="closed"):
            asked.result(PATIENCE_S)
        over.set()
    assert cluster.made["one"][0].killed


def test_a_cluster_without_a_node_that_may_judge_is_bad_input(database: Database) -> None:
    facts = NodeFacts(environment=other(torch="1.0"), level="L3")
    told = Told()
    engine = RayEngine(FakeCluster([node("old")], make=lambda _node: FakeActor(facts=facts)))
    with pytest.raises(BadInput, match="no node of the cluster can be used"):
        engine.open(_run(database, told))
    assert told.heard == [f"host/old: refused: torch 1.0, not {HERE.torch}"]
    engine.close()


def test_a_run_that_is_stopped_while_it_waits_for_a_node_ends(
    database: Database, tmp_path: Path
) -> None:
    engine = RayEngine(FakeCluster([]))
    with RunSession(SETTINGS, tmp_path, engine) as session, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: session.remote)
        until(lambda: engine._open)
        session.stop()
        with pytest.raises(EvaluatorFault, match="closed"):
            waiting.result(PATIENCE_S)


def test_actors_get_the_settings_of_the_run_and_their_own_slots(database: Database) -> None:
    from kernelbenchx.cluster.messages import ActorOrder
    from kernelbenchx.cluster.nodes import ActorPlan, Node
    from kernelbenchx.core.record import from_json

    orders: list[ActorOrder] = []

    class Noting(FakeCluster):
        def start(self, node: Node, plan: ActorPlan, order: bytes) -> FakeActor:
            orders.append(from_json(order, ActorOrder))
            return super().start(node, plan, order)

    cluster = Noting([node("one", cpus=5)])
    engine = RayEngine(cluster, jobs=3)
    engine.open(_run(database)).close()
    engine.close()
    (order,) = orders
    assert order.settings == msgspec.structs.replace(SETTINGS, jobs=3) and order.seed == 7
