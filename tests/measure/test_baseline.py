"""The reference as a program: of the task that was loaded, eager or compiled."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.measure import baseline
from kernelbenchx.measure.baseline import Baseline
from kernelbenchx.worker.order import Arguments

Function = Callable[..., Any]


def _arguments(*args: Any, **kwargs: Any) -> Arguments:
    return Arguments(args, kwargs, (), {}, {})


def _loaded(kind: str, task: str) -> Baseline:
    program = Baseline(kind)
    program.load({"task": task}, b"")
    return program


def test_it_runs_the_reference_of_the_task_that_was_loaded_last() -> None:
    program = _loaded("eager", "activation/relu")
    x = torch.tensor([-1.0, 2.0])
    relu = program.bind(_arguments(x))
    assert relu().tolist() == [0.0, 2.0]
    program.load({"task": "math/reciprocal"}, b"")
    assert program.bind(_arguments(x))().tolist() == [-1.0, 0.5]
    program.load({"task": "activation/relu"}, b"")
    assert program.bind(_arguments(x))().tolist() == [0.0, 2.0]
    program.release()


def test_without_a_task_there_is_nothing_to_run() -> None:
    with pytest.raises(RuntimeError, match="no task"):
        Baseline("eager").bind(_arguments())
    with pytest.raises(Exception, match="no_such_task"):
        _loaded("eager", "activation/no_such_task")


def test_eager_is_never_a_fallback_and_never_replayed() -> None:
    program = _loaded("eager", "activation/relu")
    arguments = _arguments(torch.ones(1))
    program.prepare(arguments)
    assert program.record(arguments) == ({"fell_back": False}, b"")
    assert program.obstacle(arguments)


class Compiler:
    """In place of torch.compile: some references are compiled, others quietly are not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refuses: str) -> None:
        self.graphs = 0
        self.made: list[str] = []
        self._refuses = refuses
        monkeypatch.setattr(torch, "compile", self.compile)
        monkeypatch.setattr(baseline, "graphs_compiled", lambda: self.graphs)

    def compile(self, function: Function, *, dynamic: bool) -> Function:
        assert not dynamic
        self.made.append(function.__name__)
        seen: set[torch.Size] = set()

        def run(x: torch.Tensor) -> Any:
            if function.__name__ != self._refuses and x.shape not in seen:
                seen.add(x.shape)
                self.graphs += 1
            return function(x)

        return run


def test_a_reference_is_compiled_once_and_stays_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch, refuses="")
    program = Baseline("compile")
    arguments = _arguments(torch.tensor([-1.0]))
    for task in ("activation/relu", "math/reciprocal", "activation/relu"):
        program.load({"task": task}, b"")
        program.tune(arguments)
        assert program.record(arguments)[0] == {"fell_back": False}
    assert compiler.made == ["relu", "reciprocal"]


def test_one_task_that_was_compiled_says_nothing_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Compiler(monkeypatch, refuses="reciprocal")
    program = _loaded("compile", "activation/relu")
    arguments = _arguments(torch.tensor([-1.0]))
    program.tune(arguments)
    program.load({"task": "math/reciprocal"}, b"")
    program.tune(arguments)
    assert program.record(arguments)[0] == {"fell_back": True}
    program.load({"task": "activation/relu"}, b"")
    assert program.record(arguments)[0] == {"fell_back": False}


def test_torch_counts_graphs_from_none() -> None:
    assert isinstance(baseline.graphs_compiled(), int)
