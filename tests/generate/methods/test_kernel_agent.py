import re
from dataclasses import replace

import pytest

from desks import TASK, FakeBench, FakeModel, Memory, desk, office, reply
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Stage
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate import templates
from kernelbenchx.generate.methods.kernel_agent import KernelAgent
from kernelbenchx.generate.model import MethodStep, Unanswered
from kernelbenchx.generate.prompts import FormPrompts, Prompting

STATED = statement(TASK)
RELU = witness_source(TASK)
TEST = "from submission import relu\n\ndef test():\n    ...\n"


def _answer(request: Request, step: MethodStep) -> str:
    """Everybody writes a kernel that says where it came from."""
    if step.path == "test":
        return f"```python\n{TEST}```"
    return f"```python\n{RELU}# {step.path}\n```"


def _passes(*paths: str) -> FakeBench:
    """Its own test is passed by what was written at these steps."""

    def trial(source: str, test: str) -> Trial:
        assert test == TEST
        if any(f"# {path}\n" in source for path in paths):
            return Trial(passed=True)
        return Trial(
            passed=False, stage="test", detail="AssertionError: off", output="say " + source
        )

    return FakeBench(trial=trial, verdict=lambda _: Correct(cases=1, worst=0.1))


def _judged(bench: FakeBench) -> list[str]:
    return sorted(one.origin.step for one in bench.judged)


def test_the_test_comes_first_and_one_success_stops_the_rest() -> None:
    model, bench = FakeModel(_answer), _passes("round 1/worker 1", "round 1/worker 2")
    KernelAgent().run(STATED, desk(office(model, bench=bench)))
    assert model.asked[0][0].path == "test"
    assert {request.temperature for _, request in model.asked} == {0.4}
    rounds = [f"round {n}/worker {w}" for n in (0, 1) for w in (0, 1, 2)]
    assert model.paths == [*rounds, "test"]
    # Of the last round only the answer counts, and the lowest number has won.
    assert _judged(bench) == [*rounds[:3], "round 1/worker 1"]
    (won,) = [one for one in bench.judged if one.origin.round == "1"]
    assert (won.origin.sample, won.origin.parent) == (1, "relu__round0.worker1")


def test_without_a_success_workers_end_after_their_rounds() -> None:
    model, bench = FakeModel(_answer), _passes()
    KernelAgent(workers=2, rounds=2).run(STATED, desk(office(model, bench=bench)))
    rounds = [f"round {n}/worker {w}" for n in (0, 1, 2) for w in (0, 1)]
    assert model.paths == [*rounds, "test"]
    assert _judged(bench) == rounds


def test_a_refinement_sees_test_kernel_output_and_earlier_attempts() -> None:
    model, bench = FakeModel(_answer), _passes()
    KernelAgent(workers=2, rounds=3, remembered=1).run(STATED, desk(office(model, bench=bench)))
    asked = {step.path: request.messages[0].content for step, request in model.asked}
    first, last = asked["round 0/worker 0"], asked["round 3/worker 0"]
    assert TEST in first and "off" not in first
    assert TEST in last and "AssertionError: off" in last and "say import" in last
    assert "# round 2/worker 0" in last and "# round 1/worker 0" in last
    assert "# round 0/worker 0" not in last  # more than it remembers
    assert "worker 1" not in last  # workers know nothing of each other


def test_a_source_that_breaks_a_rule_is_not_run_but_judged() -> None:
    sources = {
        "round 0/worker 0": "def relu(input, inplace=False):\n    return input.clamp(0)\n",
        "round 1/worker 0": RELU.replace("    return", "    torch.exp(input)\n    return", 1),
    }

    def answer(request: Request, step: MethodStep) -> str:
        return sources.get(step.path, "") or _answer(request, step)

    model, bench = FakeModel(answer), _passes("round 2/worker 0")
    KernelAgent(workers=1).run(STATED, desk(office(model, bench=bench)))
    assert [source for source, _ in bench.tried] == [f"{RELU}# round 2/worker 0\n"]
    assert len(bench.judged) == 3
    asked = {step.path: request.messages[0].content for step, request in model.asked}
    assert "no @triton.jit kernel" in asked["round 1/worker 0"]
    assert "torch.exp computes" in asked["round 2/worker 0"]


def _wrong_at_first(source: str) -> Outcome:
    if "# round 0" in source:
        return Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="ValueError: the tail")
    return Correct(cases=1, worst=0.1)


@pytest.mark.parametrize(("judged", "rounds"), [(False, 1), (True, 2)])
def test_its_own_test_decides_unless_the_judge_is_asked_too(judged: bool, rounds: int) -> None:
    model, bench = FakeModel(_answer), _passes("round 0/worker 0", "round 1/worker 0")
    bench.verdict = _wrong_at_first
    KernelAgent(workers=1, judged=judged).run(STATED, desk(office(model, bench=bench)))
    assert len(bench.judged) == rounds
    told = "\n".join(request.messages[0].content for _, request in model.asked)
    assert ("the tail" in told) is judged


def test_a_second_start_asks_tries_and_judges_nothing() -> None:
    memory, bench = Memory(), _passes("round 1/worker 2")
    for _ in range(2):
        model = FakeModel(_answer)
        before = len(bench.tried), len(bench.judged)
        KernelAgent().run(STATED, desk(office(model, bench=bench, memory=memory)))
    assert model.asked == []
    assert (len(bench.tried), len(bench.judged)) == before == (6, 4)


def test_a_start_after_a_stop_goes_on_to_the_same_end() -> None:
    whole = _passes("round 2/worker 1")
    KernelAgent().run(STATED, desk(office(FakeModel(_answer), bench=whole)))
    for broken in ("test", "round 0/worker 1", "round 1/worker 0", "round 2/worker 2"):
        memory, bench = Memory(), _passes("round 2/worker 1")

        def down(request: Request, step: MethodStep, at: str = broken) -> str | Reply:
            return reply("", "error") if step.path == at else _answer(request, step)

        with pytest.raises(Unanswered):
            KernelAgent().run(STATED, desk(office(FakeModel(down), bench=bench, memory=memory)))
        KernelAgent().run(STATED, desk(office(FakeModel(_answer), bench=bench, memory=memory)))
        assert sorted(bench.judged, key=lambda one: one.name) == sorted(
            whole.judged, key=lambda one: one.name
        )


def test_every_template_is_used_and_noted() -> None:
    def answer(request: Request, step: MethodStep) -> str:
        return "import torch" if step.path == "round 1/worker 0" else _answer(request, step)

    memory, bench = Memory(), _passes("round 2/worker 0")
    bench.verdict = lambda _: Broken(stage=Stage.CALL, reason=Reason.CRASH, detail="SIGSEGV")
    real = FormPrompts(Prompting(hardware="NVIDIA H100 PCIe"))
    made = replace(office(FakeModel(answer), bench=bench, memory=memory), prompts=real)
    KernelAgent(workers=1, rounds=3, judged=True).run(STATED, desk(made))
    noted = {name for kept in memory.kept.values() for name in kept.templates}
    wanted = {name for name in templates.names() if name.startswith("kernel_agent_")}
    assert noted == wanted | {"hardware"}
    told = {kept.step: kept.request.messages[0].content for kept in memory.kept.values()}
    assert not [step for step, text in told.items() if re.search(r"\$[a-z{]", text)]
    assert "AssertionError: off" in told["round 1/worker 0"]
    assert "breaks a rule" in told["round 2/worker 0"]
    assert "SIGSEGV" in told["round 3/worker 0"] and "H100" in told["round 3/worker 0"]
    assert "H100" not in told["test"]


def test_what_is_thought_aloud_is_neither_test_nor_kernel() -> None:
    longer = RELU + "# no: it drops NaN\n" * 9
    thought = f"<think>Perhaps\n```python\n{longer}```\nNo.</think>\n"
    model = FakeModel(lambda request, step: thought + _answer(request, step))
    bench = _passes("round 0/worker 0")
    KernelAgent(workers=1).run(STATED, desk(office(model, bench=bench)))
    assert bench.tried == [(f"{RELU}# round 0/worker 0\n", TEST)]
    assert [one.source for one in bench.judged] == [bench.tried[0][0]]


@pytest.mark.parametrize("text", ["", "\0", "```", "I refuse.", "{" * 10_000, "`" * 10_000])
def test_hostile_replies_are_attempts_like_others(text: str) -> None:
    model, bench = FakeModel(lambda *_: text), _passes()
    KernelAgent(workers=1, rounds=1).run(STATED, desk(office(model, bench=bench)))
    assert len(bench.judged) == 2 and bench.tried == []
