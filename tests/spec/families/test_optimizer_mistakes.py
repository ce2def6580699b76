"""Wrong steps: each differs from the right one where it should, and only there."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec.families.optimizer_mistakes import (
    decay_apart,
    decay_coupled,
    decay_in_grad,
    moved_otherwise,
)
from kernelbenchx.spec.mutants import Mutant

DECAYS = (decay_apart, decay_coupled, decay_in_grad)


def step(
    param: torch.Tensor, grad: torch.Tensor, mean: torch.Tensor, lr: float = 0.5, **words: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Along the new mean; the decay is added to the gradient."""
    mean.copy_(0.5 * mean + 0.5 * (grad + words.get("weight_decay", 0.0) * param))
    return param.sub_(lr * mean), mean


def _given(dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    return [torch.tensor(values, dtype=dtype) for values in ([1.0, 2.0], [3.0, -1.0], [0.5, 4.0])]


def _after(answer: Any, **words: float) -> tuple[list[torch.Tensor], Any]:
    given = _given()
    returned = answer(*given, **words)
    return given, returned


def shrinking(param: Any, grad: Any, mean: Any, lr: float = 0.5, **words: float) -> Any:
    """The decay is taken from the parameter."""
    param.mul_(1 - lr * words.pop("weight_decay", 0.0))
    return step(param, grad, mean, lr, **words)


@pytest.mark.parametrize("mistake", DECAYS)
def test_a_decay_elsewhere_differs_only_where_there_is_one(mistake: Any) -> None:
    right_step = shrinking if mistake is decay_coupled else step
    mutant: Mutant = mistake(right_step, "W-ARG")
    assert {"weight_decay", "W-ARG"} <= set(mutant.covers)
    right, _ = _after(right_step)
    same, _ = _after(mutant.answer)
    assert all(map(torch.equal, right, same))
    right, _ = _after(right_step, weight_decay=0.25)
    other, _ = _after(mutant.answer, weight_decay=0.25)
    assert not all(map(torch.equal, right, other))


def test_a_decay_apart_moves_the_parameter_by_the_rate_that_is_given_or_usual() -> None:
    rates: tuple[tuple[float, dict[str, float]], ...] = ((0.5, {}), (0.1, {"lr": 0.1}))
    for rate, words in rates:
        plain, _ = _after(step, **words)
        apart, _ = _after(decay_apart(step).answer, weight_decay=0.25, **words)
        assert torch.allclose(apart[0], plain[0] - rate * 0.25 * _given()[0])
        assert torch.equal(apart[2], plain[2])


def test_only_one_of_them_writes_the_gradient() -> None:
    for mistake in DECAYS:
        given, _ = _after(mistake(step).answer, weight_decay=0.25)
        assert torch.equal(given[1], _given()[1]) == (mistake is not decay_in_grad)


def test_another_rule_sees_both_states_and_all_options() -> None:
    seen: list[Any] = []

    def rule(old: Any, new: Any) -> torch.Tensor:
        seen.append((old, new))
        moved: torch.Tensor = old.param - old.lr * old.mean
        return moved

    mutant = moved_otherwise(step, "old mean", rule, "mean")
    given, returned = _after(mutant.answer)
    right, _ = _after(step)
    assert mutant.covers == ("mean",)
    assert returned[0] is given[0] and returned[1] is given[2]
    assert torch.equal(given[2], right[2]) and not torch.equal(given[0], right[0])
    (old, new), *_ = seen
    assert old.lr == 0.5 and torch.equal(old.mean, _given()[2]) and torch.equal(new.mean, right[2])


def test_what_a_rule_sees_is_wide_and_a_state_that_is_none_stays_so() -> None:
    seen: list[Any] = []
    param, grad, _ = _given(torch.bfloat16)

    def first(param: Any, grad: Any, mean: Any = None, lr: float = 0.5) -> Any:
        return param.sub_(lr * grad), mean

    def rule(old: Any, _new: Any) -> torch.Tensor:
        seen.append(old)
        wide: torch.Tensor = old.param
        return wide

    moved_otherwise(first, "still", rule).answer(param, grad)
    assert seen[0].mean is None and seen[0].param.dtype == torch.float32
    assert torch.equal(param, _given(torch.bfloat16)[0])
