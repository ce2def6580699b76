"""The share of a task's operations that kernels do, by what torch did in the traced calls."""

from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.judge.kernel_share import find_share
from kernelbenchx.spec.call import Call
from kernelbenchx.worker.tracing import OperatorTrace, zero

ADDMM = catalog.load("matrix_multiply/addmm")
CALL = Call(args=(torch.ones(8, 8), torch.ones(8, 8), torch.ones(8, 8)))


def traced(work: Any) -> dict[str, Any]:
    with OperatorTrace(zero) as trace:
        work()
    return {"ops": dict(trace.operators), "work": dict(trace.work)}


@pytest.mark.parametrize(
    ("work", "least", "most"),
    [
        (lambda: torch.addmm(*CALL.args), 0.0, 0.0),
        (lambda: torch.mm(*CALL.args[1:]) + CALL.args[0], 0.0, 0.0),
        (lambda: torch.empty(8, 8), 1.0, 1.0),
        (lambda: torch.relu(CALL.args[0]), 0.9, 0.99),
        (lambda: torch.mm(CALL.args[1][:4], CALL.args[2]), 0.45, 0.55),
    ],
    ids=["all", "in two steps", "nothing", "an epilogue", "half"],
)
def test_what_torch_computes_is_not_the_kernels(work: Any, least: float, most: float) -> None:
    found = find_share(ADDMM, {3: (CALL, traced(work))}, data_movement=False)
    assert found.share is not None and least <= found.share <= most
    assert found.by_torch == (frozenset({3}) if most == 0.0 else frozenset())


def test_large_calls_count_for_more_than_small_ones() -> None:
    small = Call(args=(torch.ones(1, 1), torch.ones(1, 1), torch.ones(1, 1)))
    by_torch = traced(lambda: torch.addmm(*CALL.args))
    pair = {0: (CALL, by_torch), 1: (small, traced(lambda: None))}
    found = find_share(ADDMM, pair, data_movement=False)
    assert found.share is not None and found.share < 0.01 and found.by_torch == {0}


def test_what_is_computed_without_operators_of_torch_counts_by_its_bytes() -> None:
    trace = {"ops": {"host.filled_memory": 10**6}, "work": {}}
    assert find_share(ADDMM, {0: (CALL, trace)}, data_movement=False).share == 0.0
    unknown = {"ops": {"aten.unheard_of": 1}, "work": {}}
    assert find_share(ADDMM, {0: (CALL, unknown)}, data_movement=False).share == 0.0
    assert find_share(ADDMM, {}, data_movement=False).share is None
