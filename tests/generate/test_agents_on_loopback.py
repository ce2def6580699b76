"""The methods with several roles, over real HTTP and through real evaluation."""

import json
from pathlib import Path

import pytest

from desks import TASK
from generate.loopback import HOSTILE, PASSING, Answer, Asked, Say, flaky
from generate.written_kernels import written
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Correct, Rejected, Wrong
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.methods.geak import CRITERIA, Geak
from kernelbenchx.generate.methods.kernel_agent import KernelAgent

RELU = witness_source(TASK)
OFF = RELU.replace("0.0", "0.5")
TEST = """
import torch
from submission import relu

def test():
    x = torch.linspace(-1, 1, 77, device="cuda")
    got = relu(x)
    assert torch.equal(got, x.clamp(min=0)), f"largest error {(got - x.clamp(min=0)).abs().max()}"
"""


def _geak(asked: Asked) -> Answer:
    """Wrong at first; whoever is told how wrong, or shown one that is right, is right."""
    if "Mark this Triton file" in asked.prompt:
        return Say(json.dumps(dict.fromkeys(CRITERIA, 0.5)))
    if "fails. Find out why" in asked.prompt or "limits its speed" in asked.prompt:
        return Say("It adds a half.")
    repairs = "It adds a half." in asked.prompt and "Tests passed" in asked.prompt
    return Say(json.dumps({"strategy": "one pass", "code": RELU if repairs else OFF}))


def _agent(asked: Asked) -> Answer:
    if "You write the test" in asked.prompt:
        return Say(f"```python\n{TEST}```")
    repairs = "AssertionError: largest error 0.5" in asked.prompt
    return Say(f"Here:\n```python\n{RELU if repairs else OFF}```")


@pytest.mark.slow
def test_geak_repairs_what_the_judge_and_the_reflector_explain(
    warm_workers: None, tmp_path: Path
) -> None:
    method = Geak(rounds=2, candidates=2)
    first = written(method, flaky(_geak, PASSING, every=4), tmp_path / "run")
    places = [f"round {number}/candidate {slot}" for number in (0, 1) for slot in (0, 1)]
    wanted = dict(zip(places, (Wrong, Wrong, Correct, Correct), strict=True))
    assert first.outcomes == wanted | {"answer": Correct}
    assert first.parents["round 1/candidate 0"] == "relu__round0.candidate0"
    again = written(method, _geak, tmp_path / "run")
    assert (again.outcomes, again.prompts) == (first.outcomes, [])


def test_kernel_agent_repairs_what_its_own_test_says(warm_workers: None, tmp_path: Path) -> None:
    method = KernelAgent(workers=2)
    first = written(method, flaky(_agent, PASSING, every=4), tmp_path / "run")
    assert first.outcomes == {
        "round 0/worker 0": Wrong,
        "round 0/worker 1": Wrong,
        "round 1/worker 0": Correct,
    }
    again = written(method, _agent, tmp_path / "run")
    assert (again.outcomes, again.prompts) == (first.outcomes, [])


@pytest.mark.parametrize("method", [Geak(rounds=2, candidates=2), KernelAgent(workers=2, rounds=1)])
def test_no_reply_stops_them(method: Method, warm_workers: None, tmp_path: Path) -> None:
    answers = [answer for name, answer in HOSTILE.items() if name != "huge"]
    found = written(method, lambda asked: answers[asked.number % len(answers)], tmp_path / "run")
    assert len(found.outcomes) == (5 if isinstance(method, Geak) else 4)
    assert set(found.outcomes.values()) == {Rejected}
