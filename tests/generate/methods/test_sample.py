import pytest

from desks import TASK, FakeBench, FakeModel, Memory, desk, office, reply
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.generate.methods.sample import SampleMethod
from kernelbenchx.generate.model import MethodStep, Unanswered

STATED = statement(TASK)


def test_every_sample_is_asked_for_alone_and_judged() -> None:
    model = FakeModel(lambda _, step: f"right = {step.path[-1]}")
    bench = FakeBench()
    SampleMethod(samples=3).run(STATED, desk(office(model, bench=bench)))
    assert model.paths == ["sample 0", "sample 1", "sample 2"]
    assert {request.messages for _, request in model.asked} == {model.asked[0][1].messages}
    assert {request.temperature for _, request in model.asked} == {1.0}
    assert len({request.seed for _, request in model.asked}) == 3
    judged = {one.origin.sample: one.source for one in bench.judged}
    assert judged == {n: f"right = {n}\n" for n in range(3)}


def test_a_sample_that_the_server_lost_stops_no_other_and_is_asked_for_again() -> None:
    def second_lost(_: Request, step: MethodStep) -> str | Reply:
        return reply("", "error") if step.path == "sample 1" else "right"

    memory, bench = Memory(), FakeBench()
    with pytest.raises(Unanswered):
        made = office(FakeModel(second_lost), bench=bench, memory=memory)
        SampleMethod(samples=3).run(STATED, desk(made))
    assert sorted(one.origin.sample for one in bench.judged) == [0, 2]
    again = FakeModel(lambda *_: "right")
    SampleMethod(samples=3).run(STATED, desk(office(again, bench=bench, memory=memory)))
    assert again.paths == ["sample 1"]
    assert len(bench.judged) == 3
