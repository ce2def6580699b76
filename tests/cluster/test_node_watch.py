"""Nodes join and leave a run; those that may not judge are named once."""

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from fake_cluster import HERE, FakeActor, FakeCluster, node, other, until
from kernelbenchx.cluster import node_watch
from kernelbenchx.cluster.actor_pool import ActorJob, ActorPool
from kernelbenchx.cluster.messages import ActorEvent, ActorOrder, NodeFacts
from kernelbenchx.cluster.node_watch import NodeWatch
from kernelbenchx.cluster.nodes import ActorPlan, Node
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.settings import ResolvedSettings

CPU = ActorPlan("interpreter")
GPU = ActorPlan("cuda", "H200")


class Watched:
    def __init__(self, cluster: FakeCluster, plan: ActorPlan) -> None:
        self.cluster = cluster
        self.pool = ActorPool()
        self.notes: list[str] = []
        order = ActorOrder(settings=ResolvedSettings(device=plan.device), seed=7)
        self.watch = NodeWatch(cluster, plan, order, self.pool, HERE)
        self.watch.note = self.notes.append

    def names(self) -> list[str]:
        return sorted(self.pool.nodes())


@contextmanager
def watching(cluster: FakeCluster, plan: ActorPlan = CPU) -> Iterator[Watched]:
    found = Watched(cluster, plan)
    found.watch.start()
    try:
        yield found
    finally:
        found.pool.end(EvaluatorFault("over"))
        found.watch.stop()


def _saying(facts: NodeFacts) -> Callable[[Node], FakeActor]:
    return lambda one: FakeActor(facts=facts if one.ident == "other" else FakeActor().facts)


def test_a_node_that_comes_later_joins_and_one_that_goes_loses_its_actor() -> None:
    cluster = FakeCluster([node("one", cpus=2), node("head", cpus=0)])
    with watching(cluster) as run:
        until(lambda: run.names() == ["one"])
        assert run.pool.slots == 2
        cluster.there.append(node("two"))
        until(lambda: run.names() == ["one", "two"])
        cluster.there[0] = dataclasses.replace(cluster.there[0], alive=False)
        until(lambda: run.names() == ["two"])
        assert run.pool.run(ActorJob("j", "op", b"x")).placement.node == "host/two"
    assert "host/one: isolation L3, 2 at once" in run.notes
    assert "host/one: lost (the node is gone); its jobs go to other nodes" in run.notes
    assert not any("head" in words for words in run.notes), "no processor, no actor, no word"


def test_an_actor_that_dies_on_a_living_node_is_replaced() -> None:
    cluster = FakeCluster([node("one")])
    with watching(cluster) as run:
        until(lambda: run.names() == ["one"])
        cluster.made["one"][0].die()
        until(lambda: len(cluster.made["one"]) == 2 and run.names() == ["one"])
    assert len(cluster.made["one"]) == 2


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (NodeFacts(environment=HERE, level="L1", missing=("no Landlock",)), "isolation L1"),
        (NodeFacts(environment=other(torch="1.0"), level="L3"), "torch 1.0, not "),
        (NodeFacts(environment=other(machine="Linux arm"), level="L3"), "machine Linux arm, not"),
        (NodeFacts(environment=other(triton=""), level="L3"), "triton none, not"),
        (NodeFacts(environment=HERE, level="", refused="no folder /x"), "no folder /x"),
    ],
)
def test_a_node_that_may_not_judge_is_named_once_and_the_others_go_on(
    facts: NodeFacts, why: str
) -> None:
    cluster = FakeCluster([node("other"), node("fine")], make=_saying(facts))
    with watching(cluster) as run:
        until(lambda: run.names() == ["fine"] and cluster.made.get("other"))
        until(lambda: any("refused" in words for words in run.notes))
        run.watch._wake.set()
        cluster.there.append(node("more"))
        until(lambda: run.names() == ["fine", "more"])
    (said,) = (words for words in run.notes if "refused" in words)
    assert said.startswith("host/other: refused: ") and why in said
    assert len(cluster.made["other"]) == 1 and cluster.made["other"][0].killed


def test_where_no_node_may_judge_the_run_ends_in_one_line() -> None:
    facts = NodeFacts(environment=HERE, level="L1")
    with watching(FakeCluster([node("other")], make=_saying(facts))) as run:
        with pytest.raises(EvaluatorFault) as error:
            run.pool.wait_for_first()
    assert isinstance(error.value.__cause__, BadInput)
    assert str(error.value) == "no node of the cluster can be used"


def test_a_run_whose_last_node_is_gone_waits_and_then_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_watch, "PATIENCE_S", 1.0)
    cluster = FakeCluster([node("one")])
    with watching(cluster) as run:
        until(lambda: run.names() == ["one"])
        cluster.there.clear()
        cluster.made["one"][0].die()
        until(lambda: not run.pool.actors)
        cluster.there.append(node("two"))  # in time
        until(lambda: run.names() == ["two"])
        cluster.there.clear()
        cluster.made["two"][0].die()
        with pytest.raises(EvaluatorFault, match=r"no node is left, .* resume"):
            run.pool.run(ActorJob("j", "op", b""))


def test_a_node_on_which_no_actor_starts_is_given_up() -> None:
    def stillborn(_one: Node) -> FakeActor:
        actor = FakeActor()
        actor.die()
        return actor

    cluster = FakeCluster([node("one")], make=stillborn)
    with watching(cluster) as run:
        until(lambda: run.notes)
    assert run.notes[0] == "host/one: refused: no actor starts there: gone"
    assert len(cluster.made["one"]) == 3


def test_a_cluster_that_cannot_be_reached_ends_the_run() -> None:
    class Gone(FakeCluster):
        def nodes(self) -> list[Node]:
            raise RuntimeError("no head")

    with watching(Gone([])) as run:
        with pytest.raises(EvaluatorFault, match="cannot be reached: no head"):
            run.pool.wait_for_first()


def test_each_gpu_has_an_actor_and_the_first_says_which_kind() -> None:
    def made(one: Node) -> FakeActor:
        name = "NVIDIA H200" if one.ident != "slow" else "NVIDIA H200 (partitioned)"
        here = other(gpu=name, torch="2.13.0+cu128")
        return FakeActor(facts=NodeFacts(environment=here, level="L3", gpus=("uuid",)))

    four = [node("many", cpus=8, gpus=2, kind="H200"), node("cpus", cpus=64)]
    cluster = FakeCluster(four, make=made)
    with watching(cluster, GPU) as run:
        until(lambda: run.names() == ["many", "many"])
        assert run.pool.slots == 8 and "cpus" not in cluster.made
        cluster.there.append(node("slow", cpus=4, gpus=1, kind="H200"))
        cluster.there.append(node("old", cpus=4, gpus=1, kind="A100"))
        until(lambda: len([words for words in run.notes if "refused" in words]) == 2)
    assert run.pool.nodes() == []
    assert "host/old: refused: its GPUs are A100, not H200" in run.notes
    assert any("GPU NVIDIA H200 (partitioned), not NVIDIA H200" in words for words in run.notes)
    assert "old" not in cluster.made
    assert run.watch.wanted.torch == "2.13.0+cu128" and run.watch.wanted.gpu == "NVIDIA H200"


def test_what_an_actor_tells_reaches_whatever_listens_now() -> None:
    heard: list[ActorEvent] = []
    cluster = FakeCluster([node("one")])
    with watching(cluster) as run:
        until(lambda: run.names() == ["one"])
        run.watch.hear = heard.append
        cluster.made["one"][0].events.append(ActorEvent(kind="stage", name="s", words="calling"))
        until(lambda: heard)
    assert heard == [ActorEvent(kind="stage", name="s", words="calling")]
