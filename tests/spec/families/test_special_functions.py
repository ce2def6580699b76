"""Special functions: how they round, what their budgets follow, and which calls are drawn."""

import math
from typing import Any

import pytest
import torch

from kernelbenchx.spec import argument
from kernelbenchx.spec.families.special_functions import (
    ExactTruth,
    LocalScale,
    in_float32,
    number_first,
    round_exact,
    scale_by_conditioning,
    special,
    value_mutant,
)
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tried_answers import rejecting


def sine(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(torch.sin, input, out=out)


def _power(input: torch.Tensor, n: int) -> torch.Tensor:
    return input**n


def by_input(input: torch.Tensor, n: int, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(_power, input, n=n, out=out)


def power(n: int, input: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_exact(_power, input, n=n, out=out)


def _eager(input: torch.Tensor, n: int, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.pow(input, n, out=out)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def sines() -> Task:
    return special(
        sine,
        torch.sin,
        torch.sin,
        draw=(-3.0, 3.0),
        planted=(0.0, math.nan),
        integers=(-5, 5),
        mutants=(value_mutant("cosine", torch.cos),),
        difficulty=1,
    )


@pytest.fixture(scope="module")
def powers() -> Task:
    wrong = value_mutant("another power", lambda x, n: x ** (n + 1), "n")
    task = special(
        by_input,
        _power,
        _eager,
        draw=(0.5, 3.0),
        planted=(0.0, -2.0, math.nan),
        arguments=(argument("n", two=2, three=3),),
        mutants=(wrong,),
        difficulty=1,
    )
    return number_first(task, power, "n")


@pytest.mark.slow
def test_references_pass_and_wrong_answers_do_not(sines: Task, powers: Task) -> None:
    for task in (sines, powers):
        assert refused_truths(task, 0) == []
        for mutant in task.wrong_answers:
            assert isinstance(mutant, Mutant)
            assert rejecting(task, mutant.answer, 0), mutant.name


def test_a_result_is_rounded_once_and_stored_where_it_should_be() -> None:
    x = torch.tensor([0.1, 0.2], dtype=torch.float16)
    out = torch.empty(2, dtype=torch.float16)
    assert round_exact(torch.exp, x, out=out) is out
    assert torch.equal(out, torch.exp(x.double()).half())
    assert round_exact(torch.exp, torch.tensor([1, 2])).dtype == torch.float32
    assert round_exact(torch.exp, x.double()).dtype == torch.float64
    assert round_exact(torch.add, x, x.float()).dtype == torch.float32


def test_eager_widens_16_bits_and_nothing_else() -> None:
    seen: list[torch.dtype] = []

    def function(x: torch.Tensor, out: Any = None) -> torch.Tensor:
        seen.append(x.dtype)
        return torch.exp(x, out=out)

    eager = in_float32(function)
    out = torch.empty(1, dtype=torch.bfloat16)
    assert eager(torch.ones(1, dtype=torch.bfloat16), out=out) is out
    assert eager(torch.ones(1)).dtype == torch.float32
    assert seen == [torch.float32, torch.float32]
    wide = torch.empty(1)
    assert eager(torch.ones(1), out=wide) is wide


def test_a_truth_stays_in_float64_and_writes_out() -> None:
    out = torch.empty(1)
    truth = ExactTruth(torch.exp)(torch.tensor([0.1]), out=out)
    assert truth.dtype == torch.float64
    assert torch.equal(out, truth.float())


def test_a_scale_follows_the_slope_of_every_tensor() -> None:
    x = torch.tensor([0.5, 3.0, 1e3], dtype=torch.float64)
    scale = LocalScale(scale_by_conditioning(torch.sin))(x, out="ignored")[0]
    expected = x.sin().abs() + (x * x.cos()).abs()
    torch.testing.assert_close(scale, expected, rtol=1e-3, atol=0.0)
    product = LocalScale(scale_by_conditioning(torch.mul))(x, x)[0]
    torch.testing.assert_close(product, 3 * x * x, rtol=1e-6, atol=0.0)
    torch.testing.assert_close(LocalScale(scale_by_conditioning(torch.mul))(x, 2.0)[0], 4 * x)


def test_a_scale_of_what_is_not_finite_is_zero() -> None:
    given = torch.tensor([0, -1])
    assert LocalScale(scale_by_conditioning(torch.log))(given)[0].tolist() == [0.0, 0.0]


def test_a_number_comes_first_and_no_special_value_is_negative(sines: Task, powers: Task) -> None:
    negative = 0
    for seed in range(3):
        for case in powers.cases(seed):
            given = powers.draw(case, seed)
            assert isinstance(given.args[0], int) and "n" not in given.kwargs
            assert not bool((given.concrete().args[1] < 0).any())
        for case in sines.cases(seed):
            negative += int((sines.draw(case, seed).concrete().args[0] < 0).sum())
    assert negative
    assert list(powers.signature.parameters) == ["n", "input", "out"]
