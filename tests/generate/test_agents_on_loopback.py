"""The methods with several roles, over real HTTP and through real evaluation."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from desks import TASK, Told
from generate.loopback import HOSTILE, PASSING, Answer, Asked, Loopback, Say, flaky
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct, Rejected, Wrong
from kernelbenchx.core.record import from_json
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.session import Session, resolved
from kernelbenchx.generate.desk import Desk, Office
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.methods.geak import CRITERIA, Geak
from kernelbenchx.generate.methods.kernel_agent import KernelAgent
from kernelbenchx.generate.models.open import Terms, opened
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.retrying import Patience

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


@dataclass(frozen=True)
class Written:
    """What a run has kept, and what was asked for it."""

    outcomes: dict[str, type]
    parents: dict[str, str]
    prompts: list[str]


def _written(method: Method, script: Callable[[Asked], Answer], out: Path) -> Written:
    settings = resolved(Settings(device="interpreter", jobs=2, compile=False, seed=7))
    stop = threading.Event()
    with (
        Loopback(script) as server,
        opened(
            "openai:loopback",
            Terms(base_url=server.url, patience=Patience(first_s=0.01, longest_s=0.02)),
            stop=stop,
            environment={},
        ) as reached,
        Session(settings, out) as session,
    ):
        office = Office(
            method="the one",
            model=reached.model,
            journal=session.database,
            bench=session,
            prompts=FormPrompts(Prompting()),
            watcher=Told(),
            seed=7,
            stop=stop,
        )
        method.run(statement(TASK), Desk(TASK, office))
        rows = session.database.connection.execute("SELECT record FROM evaluations").fetchall()
    kept = sorted(
        (from_json(record, Evaluation) for (record,) in rows), key=lambda one: one.origin.step
    )
    return Written(
        {one.origin.step: type(one.outcome) for one in kept},
        {one.origin.step: one.origin.parent for one in kept},
        [one.prompt for one in server.asked],
    )


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


def test_geak_repairs_what_the_judge_and_the_reflector_explain(
    warm_workers: None, tmp_path: Path
) -> None:
    method = Geak(rounds=2, candidates=2)
    first = _written(method, flaky(_geak, PASSING, every=4), tmp_path / "run")
    places = [f"round {number}/candidate {slot}" for number in (0, 1) for slot in (0, 1)]
    wanted = dict(zip(places, (Wrong, Wrong, Correct, Correct), strict=True))
    assert first.outcomes == wanted | {"answer": Correct}
    assert first.parents["round 1/candidate 0"] == "relu__round0.candidate0"
    again = _written(method, _geak, tmp_path / "run")
    assert (again.outcomes, again.prompts) == (first.outcomes, [])


def test_kernel_agent_repairs_what_its_own_test_says(warm_workers: None, tmp_path: Path) -> None:
    method = KernelAgent(workers=2)
    first = _written(method, flaky(_agent, PASSING, every=4), tmp_path / "run")
    assert first.outcomes == {
        "round 0/worker 0": Wrong,
        "round 0/worker 1": Wrong,
        "round 1/worker 0": Correct,
    }
    again = _written(method, _agent, tmp_path / "run")
    assert (again.outcomes, again.prompts) == (first.outcomes, [])


@pytest.mark.parametrize("method", [Geak(rounds=2, candidates=2), KernelAgent(workers=2, rounds=1)])
def test_no_reply_stops_them(method: Method, warm_workers: None, tmp_path: Path) -> None:
    answers = [answer for name, answer in HOSTILE.items() if name != "huge"]
    found = _written(method, lambda asked: answers[asked.number % len(answers)], tmp_path / "run")
    assert len(found.outcomes) == (5 if isinstance(method, Geak) else 4)
    assert set(found.outcomes.values()) == {Rejected}
