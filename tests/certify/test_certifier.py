"""Certificates and catches of a cluster are those of this machine."""

import threading
from dataclasses import dataclass, field

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.catching import Catch
from kernelbenchx.certify.certifier import LocalCertifier, RemoteCertifier
from kernelbenchx.cluster.operations import ActorCache, JobContext, LimitNotes, find_operation
from kernelbenchx.cluster.remote_turn import RemoteTurn
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

NAME = "activation/relu"


@dataclass
class Loopback:
    """Does each job in this process, as an actor would."""

    pipeline: Pipeline
    slots: int = 1
    kept: ActorCache = field(default_factory=ActorCache)
    asked: list[str] = field(default_factory=list)

    def call(self, operation: str, request: bytes) -> bytes:
        self.asked.append(operation.partition(":")[2])
        context = JobContext(self.pipeline, RemoteTurn("job"), LimitNotes(), self.kept)
        return find_operation(operation)(context, request)


@pytest.mark.slow
def test_a_certificate_of_a_node_is_the_one_of_this_machine(pipeline: Pipeline) -> None:
    nodes = Loopback(pipeline)
    assert RemoteCertifier(nodes).certify(NAME) == LocalCertifier(pipeline).certify(NAME)
    assert nodes.asked == ["certify_there"]


def test_a_mutant_is_caught_by_a_node_and_an_equal_kernel_is_not(pipeline: Pipeline) -> None:
    nodes = Loopback(pipeline)
    catch = RemoteCertifier(nodes).catch_with(3)
    source = witness_source(NAME)
    wrong = Submission(name="m", task=NAME, source=source.replace("v < 0.0", "v > 0.0"))
    equal = Submission(name="m", task=NAME, source=source.replace("v < 0.0", "v <= 0.0"))
    caught = catch(wrong)
    assert isinstance(caught, Catch) and caught.by
    assert catch(equal) is None
    assert caught == LocalCertifier(pipeline).catch_with(3)(wrong)
    assert nodes.asked == ["catch_there"] * 2


def test_as_many_tasks_at_once_as_there_are_slots(pipeline: Pipeline) -> None:
    assert RemoteCertifier(Loopback(pipeline, slots=12)).at_once == 12
    assert LocalCertifier(pipeline).at_once == pipeline.settings.jobs


@pytest.mark.slow
def test_problems_are_certified_one_after_another_on_each_machine(pipeline: Pipeline) -> None:
    from kernelbenchx import catalog
    from kernelbenchx.certify import certifier

    name = next(one for one in catalog.select() if one.startswith("level1/"))
    nodes = Loopback(pipeline)
    with certifier._one_problem:
        waiting = threading.Thread(target=RemoteCertifier(nodes).certify_problem, args=(name,))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive(), "another one is certified now"
    waiting.join(300)
    assert nodes.asked == ["certify_problem_there"]
