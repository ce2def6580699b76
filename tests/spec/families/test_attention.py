"""Attention: what the family accepts and rejects, at the border that its statement draws."""

from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx import catalog
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.spec import Close, Mutant
from kernelbenchx.spec.families.attention import scores_of
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths, rejecting, scopes_of

TASK: Task = catalog.load("fusion/attention")


def test_right_answers_pass_and_every_broken_promise_is_seen() -> None:
    assert refused_truths(TASK, 0) == []
    assert living(TASK) == []


def _answer(rounded: Callable[[torch.Tensor, torch.dtype], torch.Tensor]) -> Callable[..., Any]:
    """Attention whose exponentials pass through a function before they meet v."""

    def answer(
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        causal: bool = False,
        softmax_scale: float | None = None,
        *,
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:
        scores = scores_of(q, k, causal, softmax_scale).double()
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        result = rounded(powers, q.dtype).double() @ v.double() / powers.sum(-1, keepdim=True)
        return result.to(q.dtype) if out is None else out.copy_(result)

    return answer


def _in_fp8(powers: torch.Tensor, _dtype: torch.dtype) -> torch.Tensor:
    return powers.to(torch.float8_e4m3fn)


def test_weights_may_be_rounded_to_the_dtype_of_the_inputs() -> None:
    flash = _answer(lambda powers, dtype: powers.to(dtype))
    for seed in range(3):
        # A row of NaN has no largest score; torch gives NaN there, and so does this.
        assert list(rejecting(TASK, flash, seed)) == []


def test_weights_in_8_bits_and_sums_in_16_bits_are_refused() -> None:
    (summed,) = [one for one in TASK.mutants if one.name == "summed in 16 bits"]
    assert isinstance(summed, Mutant)
    for seed in range(3):
        assert is_caught(TASK, _answer(_in_fp8), seed)
        assert is_caught(TASK, summed.answer, seed)


def test_an_answer_four_budgets_off_is_refused() -> None:
    contract = TASK.contract
    assert isinstance(contract, Close)
    for case in TASK.cases(0):
        call = TASK.draw(case, derive_seed(0, case.name))
        exact = [leaf.value for leaf in TASK.exact(call).leaves]
        dtypes = [leaf.value.dtype for leaf in TASK.native(call).leaves]
        budgets = contract.budgets(call, exact, dtypes)
        far = [one + 4 * budget for one, budget in zip(exact, budgets, strict=True)]
        near = [one + budget / 2 for one, budget in zip(exact, budgets, strict=True)]
        if all(one.numel() and one.isfinite().all() for one in exact):
            assert not contract.judge_with_budgets(far, exact, budgets, "cuda").ok
            assert contract.judge_with_budgets(near, exact, budgets, "cuda").ok


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["shape", "long"] == {"scale"} and asked["shape", "none"] == {"degenerate"}
    assert asked["k_layout", "heads inside"] == asked["into", "into float32"] == {"layout"}
    assert asked["causal", "yes"] == set()
