import json
import random
import re
import time
from dataclasses import replace

import pytest

from desks import TASK, FakeBench, FakeModel, Memory, desk, office, reply, right
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.generate import templates
from kernelbenchx.generate.examples import EXAMPLES
from kernelbenchx.generate.methods.geak import CRITERIA, GENERATOR_TOKENS, Geak
from kernelbenchx.generate.model import MethodStep, Unanswered
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.task_context import MAX_TOKENS

STATED = statement(TASK)


def _answer(right: tuple[str, ...] = (), marks: dict[str, float] | None = None) -> "Script":
    """What each role says; candidates at the named places are right."""
    return Script(right, marks or {})


class Script:
    def __init__(self, right: tuple[str, ...], marks: dict[str, float]) -> None:
        self._right = right
        self._marks = marks

    def __call__(self, request: Request, step: MethodStep) -> str:  # noqa: ARG002
        place, _, role = step.path.rpartition("/")
        if role == "generator":
            word = "right" if place in self._right else "no"
            return json.dumps({"strategy": f"plan of {place}", "code": f"# {word}: {place}\n"})
        if role == "judge":
            return json.dumps(dict.fromkeys(CRITERIA, self._marks.get(place, 0.5)))
        return f"{role} on {place}"


def _run(script: Script, method: Geak | None = None) -> tuple[dict[str, str], FakeBench]:
    model, bench = FakeModel(script), FakeBench()
    (method or Geak()).run(STATED, desk(office(model, bench=bench)))
    assert {request.temperature for _, request in model.asked} == {1.0}
    return {step.path: request.messages[0].content for step, request in model.asked}, bench


def test_three_rounds_of_four_candidates_each_marked_and_judged() -> None:
    asked, bench = _run(_answer())
    places = [f"round {n}/candidate {slot}" for n in range(3) for slot in range(4)]
    assert sorted(one.origin.step for one in bench.judged) == ["answer", *places]
    assert all(f"{place}/generator" in asked and f"{place}/judge" in asked for place in places)
    assert sum(path.endswith("/reflector") for path in asked) == 8  # not after the last round
    assert not any(path.endswith("/optimizer") for path in asked)


def test_a_kernel_may_be_as_long_as_in_the_source_unless_the_user_says_otherwise() -> None:
    model = FakeModel(_answer())
    method = Geak(rounds=1, candidates=1)
    method.run(STATED, desk(office(model)))
    asked = {step.path.rpartition("/")[2]: request.max_tokens for step, request in model.asked}
    assert asked == {"generator": GENERATOR_TOKENS, "judge": MAX_TOKENS}
    assert GENERATOR_TOKENS == 30_000
    model.asked.clear()
    method.run(STATED, desk(replace(office(model), max_tokens=500)))
    assert {request.max_tokens for _, request in model.asked} == {500}


def test_a_failing_slot_is_repaired_with_its_own_history() -> None:
    asked, bench = _run(_answer())
    last = asked["round 2/candidate 1/generator"]
    assert last.startswith("geak_debug")
    for earlier in ("round 0/candidate 1", "round 1/candidate 1"):
        assert f"# no: {earlier}" in last and f"plan of {earlier}" in last
        assert f"reflector on {earlier}" in last
    assert "not right" in last  # what the evaluation said
    assert "candidate 0" not in last and "candidate 2" not in last
    assert "reflector on round 0/candidate 1" in asked["round 1/candidate 1/reflector"]
    parents = {one.origin.step: one.origin.parent for one in bench.judged}
    assert parents["round 0/candidate 1"] == ""
    assert parents["round 1/candidate 1"] == "relu__round0.candidate1"


def test_a_slot_that_passed_descends_from_the_best_of_all() -> None:
    right = ("round 0/candidate 1", "round 0/candidate 3", "round 1/candidate 0")
    asked, bench = _run(_answer(right, {"round 0/candidate 3": 1.0, "round 1/candidate 0": 0.1}))
    assert asked["round 1/candidate 0/generator"].startswith("geak_debug")
    first = asked["round 1/candidate 1/generator"]
    assert first.startswith("geak_descend")
    # Without times marks decide.
    assert first.index("# right: round 0/candidate 3") < first.index("# right: round 0/candidate 1")
    assert "optimizer on round 0/candidate 3" in first
    second = asked["round 2/candidate 0/generator"]
    assert second.startswith("geak_descend") and "# right: round 1/candidate 0" in second
    parents = {one.origin.step: one.origin.parent for one in bench.judged}
    assert parents["round 1/candidate 1"] == "relu__round0.candidate3"


def test_no_more_than_the_best_are_shown() -> None:
    right = tuple(f"round 0/candidate {slot}" for slot in range(4))
    asked, _ = _run(_answer(right), Geak(kept=2, rounds=2))
    shown = asked["round 1/candidate 0/generator"]
    assert [f"# right: {place}\n" in shown for place in right] == [True, True, False, False]


def test_after_so_many_repairs_a_slot_begins_anew() -> None:
    asked, bench = _run(_answer(), Geak(repairs=1, candidates=1, rounds=4))
    starts = [asked[f"round {n}/candidate 0/generator"].split("\n")[0] for n in range(4)]
    assert starts == ["geak_generate", "geak_debug", "geak_generate", "geak_debug"]
    assert [one.origin.parent for one in bench.judged].count("") == 2


def test_one_kernel_is_left_of_a_task_and_judged_in_a_round_of_its_own() -> None:
    right = ("round 0/candidate 2", "round 1/candidate 1")
    for script, wanted in (
        (_answer(right), "round 0/candidate 2"),
        (_answer(right, {right[1]: 0.9}), "round 1/candidate 1"),
        (_answer(), "round 0/candidate 0"),
    ):
        _, bench = _run(script)
        (last,) = [one for one in bench.judged if one.origin.round == "3"]
        assert last.source.endswith(f": {wanted}\n")
        assert (last.origin.step, last.origin.sample) == ("answer", 0)
        assert last.origin.parent == "relu__" + wanted.replace(" ", "").replace("/", ".")


def test_the_example_is_like_the_task_first_and_like_the_code_later() -> None:
    def answer(request: Request, step: MethodStep) -> str:
        product = next(one for one in EXAMPLES if "tl.dot" in one.code)
        return product.code if step.path.endswith("/generator") else "{}"

    model = FakeModel(answer)
    Geak(rounds=2, candidates=1).run(STATED, desk(office(model)))
    shown = [
        [one.name for one in EXAMPLES if one.statement in request.messages[0].content]
        for step, request in model.asked
        if step.path.endswith("/generator")
    ]
    assert [len(one) for one in shown] == [1, 1]
    assert shown[0] != shown[1]


def test_what_is_found_does_not_depend_on_who_is_first() -> None:
    right = ("round 0/candidate 1", "round 0/candidate 3", "round 1/candidate 2")
    plain, _ = _run(_answer(right))

    class Slow(Script):
        def __call__(self, request: Request, step: MethodStep) -> str:
            time.sleep(random.random() * 0.02)
            return super().__call__(request, step)

    assert _run(Slow(right, {}))[0] == plain


def test_a_start_after_a_stop_goes_on_to_the_same_end() -> None:
    script = _answer(("round 0/candidate 1", "round 1/candidate 0"))
    plain, whole = _run(script)
    for at in sorted(plain)[::5]:
        memory, bench = Memory(), FakeBench()

        def down(request: Request, step: MethodStep, at: str = at) -> str | Reply:
            return reply("", "error") if step.path == at else script(request, step)

        with pytest.raises(Unanswered):
            Geak().run(STATED, desk(office(FakeModel(down), bench=bench, memory=memory)))
        again = FakeModel(script)
        Geak().run(STATED, desk(office(again, bench=bench, memory=memory)))
        assert {one.name: one for one in bench.judged} == {one.name: one for one in whole.judged}
        assert 0 < len(again.asked) < len(plain)


def test_every_template_is_used_and_noted() -> None:
    memory, model = Memory(), FakeModel(_answer(("round 0/candidate 1",)))
    real = FormPrompts(Prompting(hardware="NVIDIA H100 PCIe"))
    made = replace(office(model, memory=memory), prompts=real)
    Geak(rounds=2, candidates=2).run(STATED, desk(made))
    noted = {name for kept in memory.kept.values() for name in kept.templates}
    wanted = {name for name in templates.names() if name.startswith("geak_")}
    assert wanted | {"hardware"} <= noted
    assert noted - wanted - {"hardware"} <= {one.template for one in EXAMPLES}
    told = {kept.step: kept.request.messages[0].content for kept in memory.kept.values()}
    assert not [step for step, text in told.items() if re.search(r"\$[a-z{]", text)]
    knowing = {step.rpartition("/")[2] for step, text in told.items() if "H100" in text}
    assert knowing == {"generator", "optimizer"}


def test_what_is_thought_aloud_is_no_kernel_no_mark_and_no_note() -> None:
    class Thinking(Script):
        def __call__(self, request: Request, step: MethodStep) -> str:
            first = json.dumps({"code": "# a first idea\n", "fusion": 1, "strategy": "none"})
            return f"<think>{first}\nNo.</think>{super().__call__(request, step)}"

    right = ("round 0/candidate 1",)
    plain, bench = _run(_answer(right))
    thinking, other = _run(Thinking(right, {}))
    assert thinking == plain
    assert {one.source for one in other.judged} == {one.source for one in bench.judged}


@pytest.mark.parametrize("text", ["", "\0", "I refuse.", "{" * 10_000, '{"code": "\\ud800"}'])
def test_hostile_replies_are_candidates_like_others(text: str) -> None:
    model, bench = FakeModel(lambda *_: text), FakeBench()
    Geak(rounds=2, candidates=2).run(STATED, desk(office(model, bench=bench)))
    assert len(bench.judged) == 5


def test_a_reply_without_end_does_not_make_a_prompt_without_end() -> None:
    model = FakeModel(lambda *_: "x" * 1_000_000)
    Geak(rounds=3, candidates=1).run(STATED, desk(office(model)))
    assert max(len(request.messages[0].content) for _, request in model.asked) < 100_000


def test_the_answer_is_chosen_by_what_the_method_saw_and_not_by_the_verdict() -> None:
    script = _answer(right=("round 0/candidate 1",))
    saw = FakeBench(for_authors=lambda source: right("right" if "candidate 2" in source else ""))
    Geak(rounds=1).run(STATED, desk(office(FakeModel(script), bench=saw)))
    handed_in = next(one for one in saw.judged if one.origin.step == "answer")
    assert "candidate 2" in handed_in.source
    _, plain = _run(script, Geak(rounds=1))
    handed_in = next(one for one in plain.judged if one.origin.step == "answer")
    assert "candidate 1" in handed_in.source
