from dataclasses import replace

import msgspec
import pytest

from desks import TASK, FakeBench, FakeModel, Memory, Told, desk, office, reply, right
from kernelbenchx.core.outcome import Composition
from kernelbenchx.core.transcript import Message, Request
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate.model import MethodStep, OutOfBudget, RecalledReply, Stopped, Unanswered
from kernelbenchx.generate.task_context import MAX_TOKENS, name_of

HELLO = (Message("user", "hello"),)


def test_a_reply_is_remembered_and_not_asked_for_twice() -> None:
    model, memory = FakeModel(lambda *_: "yes"), Memory()
    first = desk(office(model, memory=memory)).ask("only", HELLO, templates=["plain"])
    again = desk(office(model, memory=memory)).ask("only", HELLO, templates=["plain"])
    assert first == again and first.text == "yes"
    assert model.paths == ["only"]
    (kept,) = memory.kept.values()
    assert (kept.task, kept.step, kept.cost) == (TASK, "only", 103 / 1e6)
    assert kept.templates == {"plain": "digest of plain"}
    assert kept.request.seed is not None and 0 <= kept.request.seed < 1 << 31
    assert (kept.method, kept.recalled) == ("test", "")


def test_what_a_recording_said_is_no_models_word() -> None:
    class Recorded:
        name = "fake"

        def complete(self, _request: Request, step: MethodStep) -> RecalledReply:
            assert step == MethodStep(TASK, "only", "test")
            return RecalledReply(reply("yes"), "place")

    memory = Memory()
    made = replace(office(FakeModel(lambda *_: ""), memory=memory), model=Recorded())
    assert desk(made).ask("only", HELLO) == reply("yes")
    assert [one.recalled for one in memory.kept.values()] == ["place"]


@pytest.mark.parametrize("path", ["only", "round 1"])
def test_another_conversation_or_place_is_asked_anew(path: str) -> None:
    model, memory = FakeModel(lambda *_: "yes"), Memory()
    here = desk(office(model, memory=memory))
    here.ask("only", HELLO)
    here.ask(path, (Message("user", "hello again"),))
    assert len(model.asked) == len(memory.kept) == 2


def test_what_the_server_failed_to_say_is_asked_again_by_the_next_start() -> None:
    memory = Memory()
    down = FakeModel(lambda *_: reply("", "error"))
    with pytest.raises(Unanswered):
        desk(office(down, memory=memory)).ask("only", HELLO)
    (kept,) = memory.kept.values()
    assert kept.reply.finish == "error"
    up = FakeModel(lambda *_: "yes")
    assert desk(office(up, memory=memory)).ask("only", HELLO).text == "yes"
    assert [one.reply.finish for one in memory.kept.values()] == ["stop"]


@pytest.mark.parametrize("finish", ["refusal", "filtered", "length", "stop"])
def test_refusals_and_cut_replies_are_replies(finish: str) -> None:
    model = FakeModel(lambda *_: reply("", finish))
    assert desk(office(model)).ask("only", HELLO).finish == finish


def test_text_that_cannot_be_encoded_is_replaced() -> None:
    model = FakeModel(lambda *_: reply("a\ud800b"))
    assert desk(office(model)).ask("only", HELLO).text == "a?b"
    bench = FakeBench()
    desk(office(model, bench=bench)).judge("only", "right \udfff", round=0)
    assert bench.judged[0].source == "right ?"


def test_a_temperature_for_the_run_wins_over_the_methods() -> None:
    model = FakeModel(lambda *_: "yes")
    desk(office(model)).ask("a", HELLO, temperature=0.4)
    desk(office(model, temperature=0.0)).ask("b", HELLO, temperature=0.4)
    assert [request.temperature for _, request in model.asked] == [0.4, 0.0]


def test_a_reply_may_be_as_long_as_the_user_says_or_else_the_method() -> None:
    model = FakeModel(lambda *_: "yes")
    free, told = office(model), replace(office(model), max_tokens=500)
    desk(free).ask("a", HELLO)
    desk(free).ask("b", HELLO, max_tokens=30_000)
    desk(told).ask("c", HELLO, max_tokens=30_000)
    desk(told).ask("d", HELLO, max_tokens=10)
    desk(told).ask("e", HELLO)
    lengths = [request.max_tokens for _, request in model.asked]
    assert lengths == [MAX_TOKENS, 30_000, 500, 500, 500]


def test_a_verdict_carries_where_the_source_came_from() -> None:
    bench = FakeBench()
    here = desk(office(FakeModel(lambda *_: ""), bench=bench))
    good = here.judge("round 1/candidate 2", "right", round=1, sample=2, parent="p")
    bad = here.judge("round 2", "nothing", round=2)
    assert good.correct and not bad.correct and good.speedup is None
    assert good.solved and not bad.solved
    beside = msgspec.structs.replace(good.evaluation, composition=Composition.MIXED)
    assert not replace(good, look=lambda: beside).solved
    origin = bench.judged[0].origin
    assert (origin.method, origin.model, origin.round) == ("test", "fake", "1")
    assert (origin.sample, origin.parent, origin.step) == (2, "p", "round 1/candidate 2")
    assert good.name == name_of(TASK, "round 1/candidate 2") == "relu__round1.candidate2"


def test_a_method_knows_its_kernel_by_other_calls_than_those_of_the_verdict() -> None:
    bench = FakeBench(for_authors=lambda _: right("nothing"))
    made = office(FakeModel(lambda *_: ""), bench=bench)
    found = desk(made).judge("round 0", "right", round=0)
    assert bench.looked == [], "only where the method asks"
    assert bench.kept[found.name].solved and not found.correct
    assert not found.with_evaluation().solved
    assert bench.looked == [found.name], "once"


def test_a_run_that_ends_judges_nothing_for_feedback() -> None:
    bench = FakeBench()
    made = office(FakeModel(lambda *_: ""), bench=bench)
    found = desk(made).judge("round 0", "right", round=0)
    made.stop.set()
    with pytest.raises(Stopped):
        _ = found.evaluation
    assert bench.looked == []


def test_a_trial_is_made_once_for_the_same_texts() -> None:
    memory, bench = Memory(), FakeBench(trial=lambda _, test: Trial(passed=test == "good"))
    for _ in range(2):
        here = desk(office(FakeModel(lambda *_: ""), bench=bench, memory=memory))
        assert here.try_out("worker 0", "source", "good").passed
        assert not here.try_out("worker 0", "source", "bad").passed
    assert bench.tried == [("source", "good"), ("source", "bad")]


def test_an_error_in_one_call_is_raised_when_all_have_ended() -> None:
    ended = []

    def stops() -> None:
        raise OutOfBudget("spent")

    def goes_on() -> None:
        ended.append("other")

    with pytest.raises(OutOfBudget, match="spent"):
        desk(office(FakeModel(lambda *_: ""))).together([stops, goes_on])
    assert ended == ["other"]


def test_chance_is_the_same_in_every_start_and_differs_between_tasks() -> None:
    made = office(FakeModel(lambda *_: ""))
    first, again = desk(made).chance.random(), desk(made).chance.random()
    assert first == again != desk(made, "math/add").chance.random()


def test_a_run_that_is_to_end_asks_and_judges_no_more_but_remembers() -> None:
    model, memory = FakeModel(lambda *_: "yes"), Memory()
    made = office(model, memory=memory)
    desk(made).ask("a", HELLO)
    made.stop.set()
    assert desk(made).ask("a", HELLO).text == "yes"
    with pytest.raises(Stopped):
        desk(made).ask("b", HELLO)
    with pytest.raises(Stopped):
        desk(made).judge("b", "right", round=0)


def test_the_watcher_hears_of_everything() -> None:
    memory = Memory()
    made = office(FakeModel(lambda *_: "yes"), memory=memory)
    desk(made).ask("a", HELLO)
    desk(made).ask("a", HELLO)
    desk(made).judge("a", "right", round=0)
    watcher = made.watcher
    assert isinstance(watcher, Told)
    said = [("asking", "a"), ("answered", "a"), ("answered again", "a"), ("judged", "relu__a")]
    assert watcher.said == said


def test_the_watcher_hears_why_a_request_came_to_nothing() -> None:
    lost = msgspec.structs.replace(reply("", "error"), detail="HTTP 500")
    made = office(FakeModel(lambda *_: lost))
    with pytest.raises(Unanswered, match="HTTP 500"):
        desk(made).ask("a", HELLO)
    watcher = made.watcher
    assert isinstance(watcher, Told)
    assert watcher.said == [("asking", "a"), ("failed", "a: HTTP 500")]
