"""A reference compiled ahead: all timing cases of a task, in a process that says what it cost."""

import subprocess
import sys
from typing import Any

import pytest
import torch
import torch._dynamo
from torch._inductor import metrics

from kernelbenchx import catalog
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.record import from_json
from kernelbenchx.measure import compile_reference
from kernelbenchx.spec import case
from kernelbenchx.spec.task import Task
from timing_host import small

NAME = "activation/relu"


@pytest.fixture(autouse=True)
def task(monkeypatch: pytest.MonkeyPatch) -> Task:
    one = small(NAME, shape=(8, 4), dtype=torch.float32)
    more = case(shape=(16,), dtype=torch.float32)
    found = Task(**{**vars(one), "timings": one.timings + more})
    monkeypatch.setattr(catalog, "load", lambda _name: found)
    return found


def _compiler(monkeypatch: pytest.MonkeyPatch, compiler: Any) -> None:
    monkeypatch.setattr(torch._dynamo, "lookup_backend", lambda _name: compiler)


@pytest.mark.parametrize("kernels", [1, 0])
def test_every_form_is_compiled_and_none_is_run(
    monkeypatch: pytest.MonkeyPatch, kernels: int
) -> None:
    """Where only library calls came of it, all of it fell back, and is no error."""
    forms: list[torch.Size] = []
    monkeypatch.setattr(metrics, "generated_kernel_count", 0)

    def compiler(_graph: Any, inputs: list[Any]) -> Any:
        forms.extend(one.shape for one in inputs if isinstance(one, torch.Tensor))
        metrics.generated_kernel_count += kernels
        return None  # calling it would fail

    _compiler(monkeypatch, compiler)
    found = compile_reference.compile_timing_cases(NAME, "cpu", 5)
    assert [tuple(form) for form in forms] == [(8, 4), (16,)]
    assert (found.task, found.cases, found.fell_back, found.error) == (NAME, 2, not kernels, "")
    assert found.seconds > 0.0 and not found.kept


def test_what_torch_cannot_compile_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiler(_graph: Any, _inputs: list[Any]) -> Any:
        raise NotImplementedError("no such operator")

    _compiler(monkeypatch, compiler)
    found = compile_reference.compile_timing_cases(NAME, "cpu", 5)
    assert found.fell_back
    assert "no such operator" in found.error
    assert found.cases == 2  # they will be timed, as eager


def test_inputs_that_cannot_be_drawn_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: Any) -> Any:
        raise MemoryError("no room")

    monkeypatch.setattr(Task, "draw", draw)
    found = compile_reference.compile_timing_cases(NAME, "cpu", 5)
    assert (found.cases, found.fell_back) == (0, True)
    assert "MemoryError: no room" in found.error


def test_arguments_are_those_that_were_drawn(task: Task) -> None:
    found = compile_reference._arguments(task, task.timings[0], "cpu", 3)
    drawn = task.draw(task.timings[0], 3, "cpu")
    one, other = found.args[0], drawn.args[0]
    assert torch.equal(one.view(torch.int32), other.view(torch.int32))
    assert one.stride() == other.stride()


def test_a_real_process_says_one_line() -> None:
    program = (
        "import sys, kernelbenchx.measure.compile_reference as ahead\n"
        "ahead.compile_timing_cases = lambda *given: ahead.ReferenceCompilation("
        "task=repr(given), seconds=1.0, cases=2, fell_back=False)\n"
        "ahead.main()"
    )
    command = [sys.executable, "-c", program, "a/task", "cpu", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)
    assert from_json(done.stdout, ReferenceCompilation).task == "('a/task', 'cpu', 7)"
