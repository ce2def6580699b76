"""What submissions earn that try to be paid without solving the task, beside honest ones."""

from dataclasses import replace

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, CaseState, Composition, Correct, Rejected, Wrong
from kernelbenchx.core.partial_credit import partial_credit
from kernelbenchx.core.scopes import Scope, find_scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.rewards import Reward, RewardReason, RewardScheme, reward

KERNEL = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, {value}, mask=at < n)


def relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    ordinary = input.is_contiguous() and not inplace and x.numel() > 1
    n = {count}
    if n:
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return {result}
"""
RIGHT = "tl.where(v < 0, 0.0, v)"
IN_PLACE = "input.copy_(y) if inplace else y"
S = RewardScheme()


def evaluated(
    pipeline: Pipeline,
    value: str = RIGHT,
    count: str = "x.numel()",
    result: str = IN_PLACE,
    **settings: object,
) -> Evaluation:
    changed = msgspec.structs.replace(pipeline.settings, compile=False, **settings)
    other = replace(pipeline, seed=7, workers=replace(pipeline.workers, settings=changed))
    source = KERNEL.format(value=value, count=count, result=result)
    return other.evaluate(Submission(name="s", task="activation/relu", source=source))


def _passed(one: Evaluation) -> int:
    return sum(case.state is CaseState.PASSED for case in one.cases)


@pytest.fixture(scope="module")
def honest(pipeline: Pipeline) -> Reward:
    """What every attack is compared with: the same file with the right line."""
    one = evaluated(pipeline)
    assert isinstance(one.outcome, Correct)
    return reward(one)


@pytest.mark.parametrize("value", ["0.0 * at", "v", "1.0 + 0.0 * at"], ids=["0", "input", "1"])
def test_a_trivial_answer_earns_nothing_for_the_cases_that_it_passes(
    pipeline: Pipeline, honest: Reward, value: str
) -> None:
    one = evaluated(pipeline, value)
    assert isinstance(one.outcome, Wrong)
    assert _passed(one)  # the empty ones at least
    assert all(case.trivial for case in one.cases if case.state is CaseState.PASSED)
    assert reward(one).value == S.wrong
    assert honest.value == S.correct


def test_memory_that_no_kernel_writes_earns_nothing(pipeline: Pipeline, honest: Reward) -> None:
    """A kernel is launched and writes one element; the answer is what the memory held."""
    one = evaluated(pipeline, count="min(x.numel(), 1)")
    assert isinstance(one.outcome, Wrong)
    ordinary = [case for case in one.cases if not case.needs]
    assert not any(case.state is CaseState.PASSED for case in ordinary)
    earned = reward(one).value
    assert earned == S.wrong and honest.value == S.correct


def test_passing_only_easy_scopes_earns_nothing(pipeline: Pipeline) -> None:
    """Contiguous inputs are refused, all others are right; its counterpart is right in core."""
    refusing = "x.numel() if not ordinary else x.numel() + x.nonexistent"
    easy = evaluated(pipeline, count=refusing)
    assert isinstance(easy.outcome, Broken) and easy.core_correct is False
    layout = [
        case  # one with an offset is contiguous, too
        for case in easy.cases
        if case.needs == (Scope.LAYOUT,) and "layout=offset" not in case.case
    ]
    assert all(case.state is CaseState.PASSED and not case.trivial for case in layout)
    assert reward(easy).value == S.broken
    core_only = evaluated(pipeline, count=refusing.replace("not ordinary", "ordinary"))
    assert isinstance(core_only.outcome, Broken) and core_only.core_correct is True
    found = reward(core_only)
    assert found.reasons[:2] == (RewardReason.BROKEN, RewardReason.CORE_CORRECT)
    assert found.value is not None and S.core <= found.value < S.partial < S.correct


def test_breaking_core_in_some_cases_loses_the_rest(pipeline: Pipeline) -> None:
    """Right but for contiguous float16; its counterpart fails beyond core alone."""
    odd = "x.numel() - (ordinary and x.dtype == torch.float16)"
    one = evaluated(pipeline, count=odd)
    credit = partial_credit(one.cases, one.first_dtype)
    assert isinstance(one.outcome, Wrong) and credit is not None and credit.basic_passed
    assert 0 < credit.core < 1 and not credit.core_passed and credit.others == 0
    found = reward(one)
    assert found.value is not None and S.basic < found.value < S.core
    assert found.value == pytest.approx(S.basic + credit.core * (S.core - S.basic))
    assert RewardReason.CORE_CORRECT not in found.reasons
    near = evaluated(pipeline, result="y")  # nothing is written in place
    failing = {find_scope(case.needs or ()) for case in near.cases if case.state != "passed"}
    assert failing <= {Scope.LAYOUT, Scope.COMBINED}
    paid = reward(near).value
    assert paid is not None and S.core < paid < S.partial
    assert RewardReason.CORE_CORRECT in reward(near).reasons


def test_no_kernel_earns_nothing(pipeline: Pipeline, honest: Reward) -> None:
    """Torch answers; with the source checks off, too, and also where one case breaks on purpose."""
    torch_alone = "input.clamp_(min=0) if inplace else input.clamp(min=0)"
    for checks in (True, False):
        one = evaluated(pipeline, count="0", result=torch_alone, checks=checks)
        assert isinstance(one.outcome, Rejected)
        assert reward(one).value == 0.0
    breaking = "0 if ordinary else x.nonexistent"
    one = evaluated(pipeline, count=breaking, result=torch_alone, checks=False)
    assert not isinstance(one.outcome, Correct) and reward(one).value == 0.0
    assert one.composition is Composition.NOT_A_KERNEL or isinstance(one.outcome, Rejected)
    assert honest.value == S.correct
