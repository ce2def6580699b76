"""A published problem as a task: one case, answered when it is asked, judged by both rules."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.problem_folders import add_problems
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.judge.correctness import Passed, judge_case, truth_of
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.kernelbench_rule import kernelbench_rule
from kernelbenchx.measure.published_calls import PublishedCalls
from kernelbenchx.measure.timed_problem import PUBLISHED, LazyAnsweredCall, TimedProblem
from kernelbenchx.problem_worker.timed_program import PublishedProgram
from kernelbenchx.spec.imported_problem import Answer, BadProblem, ImportedProblem
from kernelbenchx.spec.modules import ModuleCall
from kernelbenchx.spec.outputs import CallResult
from published_problems import RAISES, SCALED, write_published
from ruled import passed
from timing_host import WHERE, serving

NAME = "level1/901_Scaled"
Make = Callable[..., TimedProblem]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    with ExitStack() as stack:

        def made(source: str = SCALED, eager: str = SCALED) -> TimedProblem:
            add_problems(write_published(tmp_path, source))
            helper, timed = (
                stack.enter_context(
                    serving(name, PublishedProgram(text, "cpu", "fp32"), trusted=True)
                )
                for name, text in (("problem", source), ("eager 0", eager))
            )
            task = catalog.load(NAME)
            assert isinstance(task, ImportedProblem)
            found = TimedProblem.of(task, PublishedCalls(lambda: helper, "cpu"))
            object.__setattr__(found, "eager_runner", timed)
            return found

        yield made


def test_its_one_case_is_the_published_size_with_published_inputs(make: Make) -> None:
    task = make()
    assert task.timings == (PUBLISHED,)
    (x,) = task.draw(PUBLISHED, 3).args
    assert x.shape == (5, 33) and float(x.min()) >= 0 and float(x.max()) < 1
    assert task.cost(values="published").bytes >= x.nbytes


@pytest.mark.parametrize(
    ("off", "right", "loose", "strict"),
    [(0.0, True, True, True), (1e-3, False, True, False), (0.1, False, False, False)],
)
def test_an_answer_is_judged_by_both_rules(
    make: Make, off: float, right: bool, loose: bool, strict: bool
) -> None:
    task = make()
    call = task.draw(PUBLISHED, 3)
    got = torch.relu(call.args[0] * call.state["scale"] + 1) + off
    truth = truth_of(task, call, "cpu")
    returned = CallResult(result=got, after=call)
    verdict = judge_case(task, PUBLISHED, call, [returned], "cuda", truth)
    assert isinstance(verdict, Passed if right else Wrong)
    assert passed(kernelbench_rule(returned, truth.native)) == (loose, strict)


def test_copies_are_answered_as_the_call_was_drawn(make: Make) -> None:
    """Whatever a submission did to its arguments."""
    task = make()
    call = task.draw(PUBLISHED, 3)
    spoilt = call.map_tensors(torch.zeros_like)
    assert torch.equal(task.exact(spoilt).leaves[0].value, task.exact(call).leaves[0].value)
    assert call.widen() is call, "the process of the problem widens it"
    assert isinstance(call, LazyAnsweredCall)
    bare = replace(call, drawn=None)
    with pytest.raises(BadProblem, match="without its answer"):
        task.native(bare)


def test_one_answer_is_kept(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    task = make()
    asked: list[ModuleCall] = []
    answer = task.calls_of_file.answer

    def noted(call: ModuleCall) -> Answer:
        asked.append(call)
        return answer(call)

    monkeypatch.setattr(task.calls_of_file, "answer", noted)
    first, second = (task.draw(PUBLISHED, seed) for seed in (1, 2))
    for call in (first, first.copy(), second, first):
        task.native(call)
        task.exact(call)
    assert len(asked) == 3


def test_inputs_of_a_bench_have_one_set_of_weights(make: Make) -> None:
    task = make()
    found = CaseInputs.of(task, NAME, PUBLISHED, 7, WHERE, lambda _: 0.001)
    one, two = found.draw_block(0, 2).calls
    assert torch.equal(one.state["scale"], two.state["scale"])
    assert not torch.equal(one.args[0], two.args[0])
    assert found.touched_bytes == found.layout.stride > one.args[0].nbytes


def test_its_own_module_is_what_eager_takes(make: Make) -> None:
    task = make()
    call = task.draw(PUBLISHED, 3)
    assert 0 < task.eager_s(call, task.eager_runner) < 10  # type: ignore[attr-defined]
    broken = make(eager=RAISES)
    with pytest.raises(BadProblem, match="failed at its published size: AttributeError"):
        broken.eager_s(call, broken.eager_runner)  # type: ignore[attr-defined]
