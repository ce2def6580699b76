"""On the card: what was compiled ahead without it is not compiled there again."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.ahead_compiler import AheadCompiler
from kernelbenchx.evaluate.calls import plan_slots
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.timed_processes import entry_plan, open_timed_process
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.measure.runner_client import awake
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.worker.timing.layout import Layout

pytestmark = pytest.mark.gpu

SETTINGS = ResolvedSettings(device="cuda", wall_s=120, compile_time_limit_s=120)
SAYING = """

from triton.backends.nvidia.compiler import CUDABackend
from triton.runtime import build


def _said(function, word):
    def run(*args, **kwargs):
        print(word, flush=True)
        return function(*args, **kwargs)

    return run


CUDABackend.add_stages = _said(CUDABackend.add_stages, "compiles")
build._build = _said(build._build, "builds")
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    isolation = detect()
    with Zygote("cuda", isolation, jobs=2) as cuda, Zygote("ahead", isolation) as ahead:
        yield Workers({"cuda": cuda, "ahead": ahead}, SETTINGS, isolation)


def _attempt(task: str) -> EvaluationState:
    known = facts(task)
    submission = Submission(name="mine", task=task, source=witness_source(task) + SAYING)
    return EvaluationState(submission, known, accepted_entries(known))


def _layouts(name: str) -> list[Layout]:
    task, form = catalog.load(name), facts(name).form
    return [layout_for(describe_call(task.draw(case, 1)), 0, 1, form) for case in task.timings]


TASKS = ("math/softmax", "matrix_multiply/addmm", "optimizer/AdamW")


@pytest.mark.parametrize("task", TASKS)
def test_calls_are_made_without_compiling(workers: Workers, task: str) -> None:
    attempt, card = _attempt(task), _card([])
    plan = stages.plan_for(attempt, "cuda", plan_slots(task, 1, 2), 3, SETTINGS)
    ready = AheadCompiler(workers).compile_for_checks(attempt, plan, card, lambda _stage: None)
    assert attempt.kernels and all(one.ok and one.registers > 0 for one in attempt.kernels)
    run = workers.run(ready, SETTINGS.wall_s)
    assert run.report.done and "compiles" not in run.ending.log
    run = workers.run(plan, SETTINGS.wall_s)
    assert run.report.done and "compiles" in run.ending.log


@pytest.mark.parametrize("task", TASKS)
def test_who_will_be_timed_compiles_and_builds_nothing(workers: Workers, task: str) -> None:
    attempt = _attempt(task)
    layouts = _layouts(task)
    card = _card(layouts)
    assert "compiles" in _prepared(workers, attempt, card, layouts)
    AheadCompiler(workers).compile_for_timing(attempt, card, lambda _stage: None)
    assert _prepared(workers, attempt, card, layouts) == ""


def _card(layouts: list[Layout]) -> Any:
    bench = SimpleNamespace(layouts=lambda _task: layouts)
    return SimpleNamespace(index=0, device="cuda:0", bench=bench)


def _prepared(workers: Workers, attempt: EvaluationState, card: Any, layouts: list[Layout]) -> str:
    """What an entry prints while it prepares itself."""
    children: list[PendingChild] = []
    with open_timed_process(workers, entry_plan(attempt, card.device), children) as runner:
        with awake(runner):
            runner.hello()
            for layout in layouts:
                runner.prepare(layout, SETTINGS.compile_time_limit_s)
    return children[0].wait().log
