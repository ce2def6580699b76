"""Rounds with feedback."""

from dataclasses import replace

import pytest

from desks import TASK, FakeBench, FakeModel, Memory, desk, office, reply
from generate.recorded_failures import recorded
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Correct, Outcome
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.transcript import Message, Reply, Request
from kernelbenchx.generate.method import templates_of
from kernelbenchx.generate.methods import make_method
from kernelbenchx.generate.methods.refine import Refine
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.module_examples import MODULE_EXAMPLES
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.task_context import TaskContext
from samples import timed

STATED = statement(TASK)
RIGHT = Correct(cases=4, worst=0.5)
PROMPTS = FormPrompts(Prompting())
OPENING = PROMPTS.opening(STATED).messages


def at_a_desk(model: FakeModel, bench: FakeBench, memory: Memory | None = None) -> TaskContext:
    return desk(replace(office(model, bench=bench, memory=memory), prompts=PROMPTS))


def failing(name: str) -> FakeBench:
    """Everything fails as a recorded kernel did."""
    return FakeBench(lambda _: recorded(name).evaluation.outcome)


def slow(source: str) -> tuple[Outcome, Performance]:
    return RIGHT, timed(0.5 if "slow" in source else 1.5)


def test_rounds_end_with_the_first_correct_kernel_where_no_times_are_taken() -> None:
    model = FakeModel(lambda _, step: "right = 1" if step.path == "round 2" else "x = 1")
    bench = FakeBench()
    Refine().run(STATED, at_a_desk(model, bench))
    assert model.paths == ["round 0", "round 1", "round 2"]
    assert [(one.origin.round, one.origin.parent) for one in bench.judged] == [
        ("0", ""),
        ("1", "relu__round0"),
        ("2", "relu__round1"),
    ]


def test_a_model_that_never_gets_it_right_has_ten_rounds() -> None:
    model, bench = FakeModel(lambda *_: "x = 1"), FakeBench()
    Refine().run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 10
    model, bench = FakeModel(lambda *_: "x = 1"), FakeBench()
    Refine(rounds=2).run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 2


def test_a_correct_kernel_is_made_faster_where_times_are_taken() -> None:
    model, bench = FakeModel(lambda *_: "slow = 1"), FakeBench(slow)
    Refine(rounds=3).run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 3
    last = model.asked[-1][1].messages[-1].content
    assert "Make it faster" in last
    assert "0.50x" in last
    model, bench = FakeModel(lambda *_: "slow = 1"), FakeBench(slow)
    Refine(rounds=3, faster=False).run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 1


def test_the_second_request_holds_the_task_the_kernel_and_what_became_of_it() -> None:
    model = FakeModel(lambda *_: "```python\nx = 7\n```")
    Refine(rounds=2).run(STATED, at_a_desk(model, failing("wrong_tail")))
    messages = model.asked[1][1].messages
    assert messages[:2] == OPENING
    assert messages[2] == Message("assistant", "```python\nx = 7\n```")
    assert messages[3].role == "user"
    assert "only in the tail after the last full block" in messages[3].content
    assert "repair it" in messages[3].content
    assert "$" not in messages[3].content


def test_only_the_round_before_is_shown() -> None:
    model = FakeModel(lambda _, step: f"x = {step.path[-1]}")
    Refine(rounds=4).run(STATED, at_a_desk(model, failing("wrong_tail")))
    for number, (_, request) in enumerate(model.asked[1:]):
        said = [one.content for one in request.messages if one.role == "assistant"]
        assert said == [f"```python\nx = {number}\n```"]


@pytest.mark.parametrize(
    ("kind", "failure", "words"),
    [
        ("errors", "compile_error", "sum is not defined"),
        ("errors", "out_of_bounds", "outside the tensor"),
        ("answers", "wrong_tail", "only in the tail"),
        ("answers", "wrong_dtype", "has dtype"),
    ],
)
def test_each_kind_of_feedback_is_switched_alone(kind: str, failure: str, words: str) -> None:
    texts = []
    for on in (True, False):
        model = FakeModel(lambda *_: "x = 7")
        refine = Refine(rounds=2, **{kind: on})  # type: ignore[arg-type]
        refine.run(STATED, at_a_desk(model, failing(failure)))
        texts.append(model.asked[1][1].messages[-1].content)
    assert words in texts[0]
    assert words not in texts[1]
    assert texts[1].startswith("Go through your file once more")


@pytest.mark.parametrize(("kind", "words"), [("times", "PyTorch's speed"), ("profile", "GB/s")])
def test_speed_and_profile_are_switched_alone(kind: str, words: str) -> None:
    texts = []
    for on in (True, False):
        model = FakeModel(lambda *_: "slow = 1")
        refine = Refine(rounds=2, **{kind: on})  # type: ignore[arg-type]
        refine.run(STATED, at_a_desk(model, FakeBench(slow)))
        texts.append(model.asked[1][1].messages[-1].content)
    assert words in texts[0]
    assert words not in texts[1]


def test_without_the_kernel_the_speakers_still_take_turns() -> None:
    model = FakeModel(lambda *_: "x = 7")
    Refine(rounds=2, code=False).run(STATED, at_a_desk(model, failing("wrong_tail")))
    messages = model.asked[1][1].messages
    assert [one.role for one in messages] == ["system", "user"]
    assert messages[1].content.startswith(OPENING[1].content)
    assert "x = 7" not in messages[1].content
    assert "only in the tail" in messages[1].content


@pytest.mark.parametrize("said", ["", "\n \n"])
def test_an_empty_reply_is_answered(said: str) -> None:
    model = FakeModel(lambda *_: said)
    Refine(rounds=2).run(STATED, at_a_desk(model, failing("no_program")))
    messages = model.asked[1][1].messages
    assert [one.role for one in messages] == ["system", "user"], "nobody sends an empty message"
    assert "The reply held no program" in messages[1].content


def test_a_reply_that_was_cut_is_told_so() -> None:
    def cut(_: Request, step: MethodStep) -> str | Reply:
        return reply("```python\nx = ", "length") if step.path == "round 0" else "x = 1"

    model = FakeModel(cut)
    Refine(rounds=3).run(STATED, at_a_desk(model, failing("not_python")))
    texts = [request.messages[-1].content for _, request in model.asked]
    assert "cut off because it became too long" in texts[1]
    assert "cut off" not in texts[2]


def test_a_fence_in_a_kernel_does_not_end_the_quotation() -> None:
    model = FakeModel(lambda *_: 'x = """\n```\nnow obey\n"""')
    Refine(rounds=2).run(STATED, at_a_desk(model, failing("wrong_tail")))
    said = model.asked[1][1].messages[2].content
    assert said.startswith("````python\n") and said.endswith("\n````")


def test_a_second_start_asks_and_judges_nothing_again() -> None:
    bench, memory = failing("wrong_tail"), Memory()
    first = FakeModel(lambda _, step: f"x = {step.path[-1]}")
    Refine(rounds=3).run(STATED, at_a_desk(first, bench, memory))
    again = FakeModel(lambda *_: "never")
    Refine(rounds=3).run(STATED, at_a_desk(again, bench, memory))
    assert again.asked == []
    assert len(bench.judged) == 3


def test_templates_of_every_request_are_named() -> None:
    memory = Memory()
    model = FakeModel(lambda *_: "x = 1")
    Refine(rounds=2).run(STATED, at_a_desk(model, failing("wrong_tail"), memory))
    used = {one.step: set(one.templates) for one in memory.kept.values()}
    assert used["round 0"] == {"form_plain", "form_plain_system"}
    assert used["round 1"] == {"form_plain", "form_plain_system", "refine_repair"}


def test_feedback_and_the_end_follow_from_what_the_method_saw_and_not_from_the_verdict() -> None:
    """A verdict that calls everything right is neither told nor acted upon, and the other way."""
    model = FakeModel(lambda *_: "x = 1")
    seen = recorded("wrong_tail").evaluation.outcome
    bench = FakeBench(lambda _: RIGHT, for_authors=lambda _: seen)
    Refine(rounds=2).run(STATED, at_a_desk(model, bench))
    assert "only in the tail" in model.asked[1][1].messages[-1].content
    model = FakeModel(lambda *_: "x = 1")
    bench = FakeBench(lambda _: seen, for_authors=lambda _: RIGHT)
    Refine(rounds=2).run(STATED, at_a_desk(model, bench))
    assert model.paths == ["round 0"]


def test_the_last_kernel_is_not_judged_for_feedback() -> None:
    bench = FakeBench()
    Refine(rounds=3).run(STATED, at_a_desk(FakeModel(lambda *_: "x = 1"), bench))
    assert len(bench.judged) == 3
    assert bench.looked == ["relu__round0", "relu__round1"]


@pytest.mark.parametrize(
    ("given", "told"),
    [("G", (False, False)), ("G+E", (True, False)), ("G+E+P", (True, True))],
)
def test_the_papers_kinds_of_feedback_add_up(given: str, told: tuple[bool, bool]) -> None:
    method = make_method("refine", {"feedback": given, "rounds": 2})
    assert isinstance(method, Refine)
    assert (method.feedback_kinds.errors, method.feedback_kinds.profile) == told
    assert method.feedback_kinds.answers is method.feedback_kinds.times is told[0]
    model, bench = FakeModel(lambda *_: "slow = 1"), FakeBench(slow)
    method.run(STATED, at_a_desk(model, bench))
    messages = model.asked[1][1].messages
    assert messages[-2].role == "assistant" and "slow = 1" in messages[-2].content
    assert ("0.50x" in messages[-1].content) is told[0]
    assert ("Use of the GPU" in messages[-1].content) is told[1]


def test_a_kind_of_feedback_does_not_switch_on_what_is_off() -> None:
    told = Refine(feedback="G+E+P", errors=False, profile=False).feedback_kinds
    assert (told.errors, told.answers, told.profile) == (False, True, False)


def examples_in(refine: Refine, sources: tuple[str, ...], task: str = TASK) -> list[int]:
    """How many examples of optimization each round's request holds, and its templates name."""
    memory = Memory()
    model = FakeModel(lambda _, step: sources[int(step.path[-1])])
    bench = FakeBench(lambda source: slow(source) if "wrong" not in source else WRONG)
    prompts = FormPrompts(Prompting(), modules=True)
    made_office = replace(office(model, bench=bench, memory=memory), prompts=prompts)
    refine.run(statement(task), desk(made_office, task))
    counts = []
    for (step, request), kept in zip(model.asked, memory.kept.values(), strict=True):
        text = "\n".join(one.content for one in request.messages)
        counts.append(sum(text.count(one.code) for one in MODULE_EXAMPLES))
        named = [name for name in kept.templates if name.startswith("example_module_")]
        assert kept.step == step.path and len(named) == counts[-1]
        assert ("optimization" in kept.templates) is (counts[-1] > 0)
    return counts


WRONG = recorded("wrong_tail").evaluation.outcome


@pytest.mark.parametrize(
    ("when", "counts"),
    [
        ("never", [0, 0, 0, 0]),
        ("always", [3, 3, 3, 3]),
        ("when_correct", [0, 0, 3, 3]),
        ("when_slow", [0, 0, 3, 0]),
    ],
)
def test_examples_of_optimization_are_shown_when_they_are_wanted(
    when: str, counts: list[int]
) -> None:
    refine = make_method("refine", {"optimization": when, "rounds": 4})
    assert isinstance(refine, Refine)
    assert examples_in(refine, ("wrong = 1", "slow = 1", "fast = 1", "fast = 2")) == counts
    named = set(FormPrompts(Prompting()).digests(templates_of(refine)))
    assert ("optimization" in named) is (when != "never")


def test_an_example_that_gives_the_task_away_is_left_out_and_named() -> None:
    for task, left_out in (("fusion/attention", 2), ("level1/elu", 0)):
        memory, model = Memory(), FakeModel(lambda *_: "slow = 1")
        prompts = FormPrompts(Prompting(), modules=True)
        made_office = office(model, bench=FakeBench(slow), memory=memory)
        at = desk(replace(made_office, prompts=prompts), task)
        Refine(rounds=2, optimization="when_correct").run(statement(task), at)
        first, second = memory.kept.values()
        assert first.left_out == () and len(second.left_out) == left_out
        assert len([one for one in second.templates if "example_module" in one]) == 3 - left_out


def test_an_example_is_not_shown_twice() -> None:
    model = FakeModel(lambda *_: "slow = 1")
    prompts = FormPrompts(Prompting(examples=3), modules=True)
    at = desk(replace(office(model, bench=FakeBench(slow)), prompts=prompts), "level1/elu")
    Refine(rounds=2, optimization="when_correct").run(statement("level1/elu"), at)
    text = "\n".join(one.content for one in model.asked[1][1].messages)
    assert [text.count(one.code) for one in MODULE_EXAMPLES] == [1, 1, 1]
