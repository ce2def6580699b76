"""Answers of real tasks, computed with operands of fewer bits."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.judge.tf32 import CUT, MOST_ELEMENTS, ROUNDED, SEEN, tf32_words
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.contract import Evidence
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Task

ADDMM, ADD = catalog.load("matrix_multiply/addmm"), catalog.load("math/add")


def _cut(tensor: torch.Tensor) -> torch.Tensor:
    return (tensor.contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32)


def _nearest(tensor: torch.Tensor) -> torch.Tensor:
    return ((tensor.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def _judged(task: Task, call: Call, answer: torch.Tensor, case: int = 0) -> Passed | Wrong:
    one = CallResult(result=answer, after=call, aliases=("",))
    return judge_case(task, task.cases(0)[case], call, [one], "cuda")


def _addmm(change: Callable[[torch.Tensor], torch.Tensor], **more: Any) -> Passed | Wrong:
    call = ADDMM.draw(ADDMM.cases(0)[0], 3)
    added, *operands = (tensor.double() for tensor in (call.args[0], *map(change, call.args[1:3])))
    beta, alpha = (call.kwargs.get(name, 1) for name in ("beta", "alpha"))
    beta, alpha = more.get("beta", beta), more.get("alpha", alpha)
    return _judged(ADDMM, call, (beta * added + alpha * (operands[0] @ operands[1])).float())


def _pattern(verdict: Passed | Wrong) -> str:
    assert isinstance(verdict, Wrong), verdict
    return verdict.pattern


@pytest.mark.parametrize(("change", "words"), [(_cut, CUT), (_nearest, ROUNDED)])
def test_products_of_tf32_operands_are_named(
    change: Callable[[torch.Tensor], torch.Tensor], words: str
) -> None:
    assert _pattern(_addmm(change)) == words


def test_a_right_answer_is_right_and_other_faults_get_other_names() -> None:
    assert isinstance(_addmm(lambda tensor: tensor), Passed)
    for verdict in (
        _addmm(lambda tensor: tensor, beta=0.0),
        _addmm(lambda tensor: tensor.bfloat16().float()),
        _addmm(lambda tensor: tensor * (1 + 2**-12)),
        _addmm(_cut, alpha=0.5),
    ):
        assert "TF32" not in _pattern(verdict)


def test_where_nothing_is_multiplied_nothing_is_a_product() -> None:
    number, case = next(
        (number, case)
        for number, case in enumerate(ADD.cases(0))
        if len(ADD.draw(case, 3).tensors()) == 2 and case.params["dtype"] is torch.float32
    )
    call = ADD.draw(case, 3)
    short = call.map_tensors(_cut)
    answer = ADD.exact(short).leaves[0].value.float()
    assert "TF32" not in _pattern(_judged(ADD, call, answer, number))


def test_nothing_is_recomputed_where_it_is_allowed_other_or_large() -> None:
    call = ADDMM.draw(ADDMM.cases(0)[0], 3)
    exact = tuple(leaf.value for leaf in ADDMM.exact(call).leaves)
    outputs = (tuple(value.float() + 1 for value in exact),)
    evidence = Evidence(call, outputs, exact, exact)
    allowed = replace(ADDMM, contract=replace(ADDMM.contract, tf32=True))  # type: ignore[type-var]
    assert tf32_words(allowed, evidence) == ""
    half = replace(evidence, call=call.map_tensors(torch.Tensor.half))
    assert tf32_words(ADDMM, half) == ""
    large = torch.zeros(1).expand(MOST_ELEMENTS)
    assert tf32_words(ADDMM, replace(evidence, call=Call((large, large, large)))) == ""


def test_products_inside_a_kernel_are_named_only_where_they_were_seen_and_explain_the_error() -> (
    None
):
    call = ADDMM.draw(ADDMM.cases(0)[0], 3)
    exact = tuple(leaf.value for leaf in ADDMM.exact(call).leaves)
    near = (tuple((value * (1 + 2**-13)).float() for value in exact),)
    evidence = Evidence(call, near, exact, tuple(value.float() for value in exact))
    assert not ADDMM.contract.judge(evidence).ok
    assert tf32_words(ADDMM, evidence, seen=True) == SEEN
    assert tf32_words(ADDMM, evidence) == ""
    far = replace(evidence, outputs=(tuple(value + 1 for value in near[0]),))
    assert tf32_words(ADDMM, far, seen=True) == ""
