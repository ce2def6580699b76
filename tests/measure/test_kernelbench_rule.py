"""KernelBench's rule: what passes by it."""

from typing import Any

import pytest
import torch

from kernelbenchx.measure import kernelbench_rule as rule
from kernelbenchx.measure.kernelbench_rule import kernelbench_rule
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import CallResult, Leaf
from kernelbenchx.spec.task import Outputs
from ruled import BOTH, FAILS, LOOSE, Passed, passed

WANTED = torch.tensor([[1.0, -2.0, 4.0], [0.0, 8.0, 1.0]])


def _of(result: Any, wanted: torch.Tensor = WANTED) -> Passed:
    native = Outputs((Leaf("out", "tensor", wanted),), ("",), 1)
    return passed(kernelbench_rule(CallResult(result=result, after=Call()), native))


@pytest.mark.parametrize(
    ("off", "said"),
    [(0.0, BOTH), (5e-5, BOTH), (5e-3, LOOSE), (0.1, FAILS), (torch.nan, FAILS)],
)
def test_how_far_an_answer_may_be_off(off: float, said: Passed) -> None:
    assert _of(WANTED + off) == said


def test_one_tolerance_is_for_both_kinds_of_difference() -> None:
    wanted = torch.tensor([100.0])
    assert _of(wanted + 1.0, wanted) == LOOSE, "0.01 and 0.01 of 100 are allowed"
    assert _of(wanted + 1.1, wanted) == FAILS


@pytest.mark.parametrize(
    "other",
    [WANTED.T, WANTED[:1], WANTED.double(), (WANTED, WANTED), [], None, 1.0, WANTED.to("meta")],
)
def test_another_structure_shape_dtype_or_device_does_not_pass(other: Any) -> None:
    assert _of(other) == FAILS
    assert _of((WANTED,)) == BOTH, "a tuple of one is the same outputs"


def test_large_answers_are_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule, "_AT_ONCE", 4)
    off = WANTED.clone()
    off[1, 2] += 0.1
    assert (_of(WANTED.clone()), _of(off)) == (BOTH, FAILS)


def test_strided_answers_are_compared_by_their_values() -> None:
    assert _of(WANTED.T.contiguous().T) == BOTH
