"""Which nodes get actors, how many, and which are refused."""

import pytest

from fake_cluster import HERE, node, other
from kernelbenchx.cluster.messages import NodeFacts
from kernelbenchx.cluster.nodes import ActorPlan, why_refused


def test_a_node_has_an_actor_for_its_processors_or_one_for_each_gpu() -> None:
    cpu, gpu = ActorPlan("interpreter"), ActorPlan("cuda", parked=3)
    eight = node(cpus=8, gpus=2)
    assert (cpu.count(eight), cpu.cpus(eight), cpu.slots(eight)) == (1, 8, 8)
    assert (gpu.count(eight), gpu.cpus(eight), gpu.slots(eight)) == (2, 4, 7)
    assert (cpu.count(node(cpus=0)), gpu.count(node(cpus=8))) == (0, 0)
    assert gpu.slots(node(cpus=0, gpus=1)) == 4, "a GPU can be used without a processor of its own"


def test_fewer_jobs_take_fewer_processors() -> None:
    plan = ActorPlan("interpreter", jobs=3)
    assert [plan.cpus(node(cpus=n)) for n in (2, 8)] == [2, 3]


def test_only_the_kind_of_gpu_that_was_asked_for_is_used() -> None:
    plan = ActorPlan("cuda", "H200")
    assert plan.explain_refused_kind(node(gpus=1, kind="H200")) == ""
    assert plan.explain_refused_kind(node(gpus=1, kind="A100")) == "its GPUs are A100, not H200"
    assert "an unknown kind" in plan.explain_refused_kind(node(gpus=1))
    assert ActorPlan("cuda").explain_refused_kind(node(gpus=1, kind="A100")) == ""
    assert ActorPlan("interpreter").explain_refused_kind(node(gpus=1, kind="A100")) == ""


def test_an_equal_node_is_accepted() -> None:
    assert why_refused(NodeFacts(environment=HERE, level="L2"), HERE) == ""


@pytest.mark.parametrize("name", ["harness", "python", "torch", "triton", "machine", "gpu"])
def test_a_node_that_differs_in_anything_is_refused(name: str) -> None:
    facts = NodeFacts(environment=other(**{name: "another"}), level="L3")
    assert "another, not" in why_refused(facts, HERE)


def test_a_name_tells_nodes_of_one_host_apart() -> None:
    assert node("0123456789ab").name == "host/01234567"
