from desks import TASK, FakeBench, FakeModel, Memory, desk, office, reply
from kernelbenchx.catalog.statement import statement
from kernelbenchx.generate.methods.one_shot import OneShot

STATED = statement(TASK)


def test_one_request_and_one_verdict() -> None:
    model, bench = FakeModel(lambda *_: "Sure:\n```python\nright = 1\n```\n"), FakeBench()
    OneShot().run(STATED, desk(office(model, bench=bench)))
    ((_, request),) = model.asked
    assert request.messages[0].content == STATED.text()
    assert request.temperature is None
    (judged,) = bench.judged
    assert (judged.source, judged.name, judged.origin.round) == ("right = 1\n", "relu__only", "0")


def test_a_refusal_is_judged_too_so_that_it_counts() -> None:
    model, bench = FakeModel(lambda *_: reply("", "refusal")), FakeBench()
    OneShot(temperature=0.5).run(STATED, desk(office(model, bench=bench)))
    assert model.asked[0][1].temperature == 0.5
    assert [one.source for one in bench.judged] == ["\n"]


def test_a_second_start_asks_and_judges_nothing() -> None:
    memory, bench = Memory(), FakeBench()
    for _ in range(2):
        model = FakeModel(lambda *_: "right")
        OneShot().run(STATED, desk(office(model, bench=bench, memory=memory)))
    assert model.asked == []
    assert len(bench.judged) == 1
