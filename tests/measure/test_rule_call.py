"""KernelBench's rule for one untimed call: lucky kernels pass it, and what gives no answer fails.

On the host, with a small size in place of the published one. Problems whose file is not ours have
processes of their own: tests/evaluate/test_rule_processes.py.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.functional import group_norm

from kernelbenchx import catalog
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import PublishedRule
from kernelbenchx.core.rule_call import FAILS, RuleCall
from kernelbenchx.measure import rule_call
from kernelbenchx.measure.rule_call import PublishedSize, judge_by_rule
from kernelbenchx.measure.timed_tasks import TimedTasks
from kernelbenchx.spec import case
from kernelbenchx.spec.modules import ModuleCall
from kernelbenchx.spec.problem import Problem
from kernelbenchx.worker.timing.entry import Entry
from timing_host import WHERE, serving

BOTH = PublishedRule(passes_1e_2=True, passes_1e_4=True)
LOOSE = PublishedRule(passes_1e_2=True, passes_1e_4=False)
RELU, NORM = "level1/relu", "level1/group_norm"
SIZES: dict[str, dict[str, Any]] = {
    RELU: {"rows": 5, "columns": 33, "values": "published"},
    NORM: {"images": 2, "groups": 3, "each": 2, "height": 5, "width": 7, "values": "published"},
}
_LOAD = catalog.load
Forward = Callable[[torch.Tensor], Any]


def _small(name: str) -> Any:
    """A problem with a small published size; every other task as it is."""
    task = _LOAD(name)
    return replace(task, timings=case(**SIZES[name])) if name in SIZES else task


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the call needs of one."""
    monkeypatch.setattr(catalog, "load", _small)
    problems = SimpleNamespace(rested=0)
    problems.rest = lambda: setattr(problems, "rested", problems.rested + 1)
    return SimpleNamespace(device="cpu", seed=7, where=WHERE, tasks=TimedTasks(), problems=problems)


def _judged(bench: Any, name: str, model: Any, limit_s: float = 20.0) -> RuleCall:
    with serving("entry 0", Entry(model, "module"), trusted=False) as entry:
        return judge_by_rule(bench, name, entry, "digest", limit_s)


def _computes(forward: Forward) -> type[nn.Module]:
    class ModelNew(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return forward(x)

    return ModelNew


@pytest.mark.parametrize(
    ("forward", "said"),
    [
        (torch.relu, BOTH),
        (torch.clone, BOTH),
        (lambda x: x * 1.005, LOOSE),
        (lambda x: x - 1.0, FAILS),
        (lambda x: torch.relu(x)[:-1], FAILS),
        (lambda _x: None, FAILS),
    ],
)
def test_a_missing_relu_passes_on_published_inputs_and_a_wrong_value_does_not(
    bench: Any, forward: Forward, said: PublishedRule
) -> None:
    found = _judged(bench, RELU, _computes(forward))
    assert (found.rule, found.reason) == (said, None)
    assert found.case == "rows=5,columns=33,values=published"
    assert bench.problems.rested == 1


class Normalized(nn.Module):
    """Leaves out a weight and a bias that are one and zero in every fresh module."""

    doubled = False

    def __init__(self, features: int, groups: int) -> None:
        super().__init__()
        self.gn = nn.GroupNorm(groups, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        normalized = group_norm(x, self.gn.num_groups)
        return normalized * 2.0 if self.doubled else normalized


class Doubled(Normalized):
    doubled = True


@pytest.mark.parametrize(("model", "said"), [(Normalized, BOTH), (Doubled, FAILS)])
def test_weights_are_those_of_a_fresh_module(
    bench: Any, model: type[Normalized], said: PublishedRule
) -> None:
    assert _judged(bench, NORM, model).rule == said
    drawn = _small(NORM).draw(_small(NORM).timings[0], 3)
    assert not torch.equal(drawn.state["gn.weight"], torch.ones(6)), "ours would tell"


@pytest.mark.parametrize(("variant", "loads"), [("", True), (catalog.SEED_ALONE, False)])
def test_weights_are_handed_over_unless_the_submission_takes_none(
    variant: str, loads: bool
) -> None:
    task = _LOAD(NORM + variant)
    assert isinstance(task, Problem)
    small = replace(task, timings=case(**SIZES[NORM]))
    call = PublishedSize(small, 5, "cpu", 1.0)._drawn()
    again = PublishedSize(small, 5, "cpu", 1.0)._drawn()
    other = PublishedSize(small, 6, "cpu", 1.0)._drawn()
    assert isinstance(call, ModuleCall) and call.loads is loads
    assert call.weights_seed is not None
    assert torch.equal(call.args[0], again.args[0])
    assert not torch.equal(call.args[0], other.args[0])


def _raises(_x: torch.Tensor) -> None:
    raise ValueError("only 4096 rows")


def test_what_raises_or_says_nonsense_fails(bench: Any) -> None:
    raised = _judged(bench, RELU, _computes(_raises))
    assert (raised.rule, raised.reason) == (FAILS, Reason.RUNTIME_ERROR)
    assert "only 4096 rows" in raised.detail
    odd = _judged(bench, RELU, _computes(lambda x: x.to_sparse()))
    assert odd.rule == FAILS


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_hangs_fails(bench: Any) -> None:
    """The process that answers too late finds that the other side has hung up."""
    hung = _judged(bench, RELU, _computes(lambda _x: time.sleep(0.5)), limit_s=0.1)
    assert (hung.rule, hung.reason) == (FAILS, Reason.TIMEOUT)


def _wants_more(_x: torch.Tensor) -> None:
    raise torch.OutOfMemoryError("CUDA out of memory")


def test_a_submission_without_memory_fails_only_where_there_is_plenty(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = _judged(bench, RELU, _computes(_wants_more))
    assert (found.rule, found.reason) == (FAILS, Reason.RUNTIME_ERROR)
    monkeypatch.setattr(rule_call, "free_bytes", lambda _device: 4.0 * (1 << 20))
    with pytest.raises(torch.OutOfMemoryError, match="the submission: CUDA out of memory"):
        _judged(bench, RELU, _computes(_wants_more))
    assert _judged(bench, RELU, _computes(torch.relu)).rule == BOTH


@pytest.mark.parametrize("free", [3.0, 1 << 20])
def test_a_call_that_does_not_fit_is_not_made(
    bench: Any, monkeypatch: pytest.MonkeyPatch, free: float
) -> None:
    called: list[torch.Tensor] = []
    monkeypatch.setattr(rule_call, "free_bytes", lambda _device: free)
    with pytest.raises(torch.OutOfMemoryError, match=r"the published size needs .* GB are free"):
        _judged(bench, RELU, _computes(called.append))
    assert not called


def test_other_tasks_have_no_such_call(bench: Any) -> None:
    with pytest.raises(EvaluatorFault, match="activation/relu is not a KernelBench problem"):
        _judged(bench, "activation/relu", _computes(torch.relu))
