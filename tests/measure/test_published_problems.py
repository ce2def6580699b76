"""The processes of a published problem: confined, one problem at a time, ended with the bench."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.problem_folders import VARIABLE
from kernelbenchx.core.performance import Failed, Timed
from kernelbenchx.measure import bench as timing
from kernelbenchx.measure import case_timing
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.published_problems import NOT_COMPILED, PublishedProblems
from kernelbenchx.measure.timed_problem import PUBLISHED, TimedProblem
from kernelbenchx.measure.timed_runners import SubmissionRunners
from kernelbenchx.measure.timed_tasks import TimedTasks
from kernelbenchx.spec.imported_problem import BadProblem, ImportedProblem
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from published_problems import SCALED, write_published, writes_to
from timing_host import WHERE, serving

ONE, TWO = "level1/901_Scaled", "level1/902_Writes"


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PublishedProblems]:
    folder = tmp_path_factory.mktemp("published")
    write_published(folder, SCALED)
    write_published(folder, writes_to(folder / "left"), f"{TWO}.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder))
        found = PublishedProblems("cpu", "auto")
        yield found
        found.close()
    assert not (folder / "left").exists(), "a file could write outside its sandbox"


def _task(problems: PublishedProblems, name: str = ONE) -> TimedProblem:
    task = catalog.load(name)
    assert isinstance(task, ImportedProblem)
    return problems.task(task)


@pytest.mark.slow
def test_processes_of_one_problem_at_a_time(problems: PublishedProblems) -> None:
    task = _task(problems)
    assert task.draw(PUBLISHED, 3).args[0].shape == (5, 33)
    first = problems.eager(task)
    pids = problems.processes()
    assert problems.eager(task) is first and len(pids) == 2
    assert problems.baselines(task, dict) == {"eager": first}
    other = _task(problems, TWO)
    assert other.draw(PUBLISHED, 3).args[0].shape == (5, 33)
    assert not problems.processes()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert task.draw(PUBLISHED, 3).args[0].shape == (5, 33), "started again"


def test_a_process_that_is_gone_is_replaced(problems: PublishedProblems) -> None:
    task = _task(problems)
    problems.eager(task)
    pids = problems.processes()
    problems._children[-1].kill()
    problems._children[-1].wait()
    assert len(problems.eager(task)) == 2 and len(problems.processes()) == 2
    assert problems.processes() != pids


def test_other_tasks_are_timed_without_them(problems: PublishedProblems) -> None:
    task = _task(problems)
    problems.eager(task)
    plain = catalog.load("activation/relu")
    assert problems.baselines(plain, lambda: {"eager": []}) == {"eager": []}
    assert problems.processes() == [] and problems.own_eager(plain) is None
    assert problems.missing(plain, True) == () == problems.missing(task, False)
    assert problems.missing(task, True) == (NOT_COMPILED,)


def test_only_beside_a_bench_they_can_be_timed(problems: PublishedProblems) -> None:
    del problems
    with pytest.raises(BadProblem, match="beside a bench alone"):
        TimedTasks().load(ONE, 7, WHERE)


class Right(torch.nn.Module):
    def __init__(self, wide: int) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.empty(wide))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x * self.scale + 1)


class Near(Right):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) * 1.001


@pytest.mark.slow
@pytest.mark.parametrize("module", [Right, Near])
def test_a_bench_times_and_judges_a_submission(
    problems: PublishedProblems, module: type[Right], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the host, with its real processes; what is timed is a runner in a thread."""
    monkeypatch.setattr(timing, "_WALL_S", 0.0)

    def few(found: object, _plan: object) -> int | None:
        return 8 if found is None else None  # how fast it is, is of no interest

    monkeypatch.setattr(case_timing, "next_look", few)
    bench = Bench.for_device("cpu", 7, ("eager",))
    bench.problems, bench.tasks = problems, TimedTasks(published=problems.task)
    with ExitStack() as stack:
        entries = [
            stack.enter_context(
                serving(f"entry {n}", SubmissionProgram(module, "module"), trusted=False)
            )
            for n in range(2)
        ]
        (layout,) = bench.layouts(ONE)
        assert layout.form == "module" and layout.slots == 1
        found = bench.time(ONE, SubmissionRunners(entries, (), "on a host", module.__name__))
    if module is Right:
        assert isinstance(found, Timed) and [one.baseline for one in found.speedups] == ["eager"]
    else:
        assert isinstance(found, Failed)
