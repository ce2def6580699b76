"""Factors times binomial numbers: what the contract accepts, and beside it what it rejects."""

from collections.abc import Callable

import pytest
import torch

from kernelbenchx.spec.binomial import Binomial
from kernelbenchx.spec.call import call
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.families.binomials import WRONG_COUNTS, quantile

SHAPE = (140, 500)
Numbers = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _law(
    factor: torch.Tensor, n: torch.Tensor, p: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return factor, n, p


def _given(shape: tuple[int, ...] = SHAPE) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    chance = torch.Generator().manual_seed(3)
    factor = torch.randint(-1000, 1000, shape, generator=chance)
    n = torch.randint(1, 9, shape, generator=chance).float()
    return factor, n, 0.2 + 0.6 * torch.rand(shape, generator=chance)


def _judged(
    numbers: Numbers,
    given: tuple[torch.Tensor, ...] | None = None,
    change: Callable[[torch.Tensor], torch.Tensor] = lambda x: x,
) -> Verdict:
    factor, n, p = given or _given()
    torch.manual_seed(11)
    answers = tuple((change((factor * numbers(n, p)).float()),) for _ in range(2))
    evidence = Evidence(call(factor, n, p), answers, (), ((factor * n).float(),))
    return Binomial(_law).judge(evidence)


def test_binomial_numbers_are_right() -> None:
    assert _judged(torch.binomial).ok


def test_numbers_by_inversion_in_float32_are_right() -> None:
    def drawn(n: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
        return quantile((torch.rand(n.shape) * 2**23).floor() * 2.0**-23, n, p)

    assert _judged(drawn).ok


@pytest.mark.parametrize("name", sorted(WRONG_COUNTS))
def test_wrong_numbers_are_rejected(name: str) -> None:
    assert not _judged(WRONG_COUNTS[name]).ok


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x + (x == x.max()),
        lambda x: -x,
        lambda x: x.flip(-1),
        lambda x: x * 9,
        lambda x: torch.where(x == x.max(), torch.nan, x),
        lambda x: torch.where(x == x.max(), torch.inf, x),
        lambda x: x[:-1],
    ],
)
def test_what_no_number_times_the_factor_gives_is_rejected(
    change: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    verdict = _judged(torch.binomial, change=change)
    assert not verdict.ok
    assert verdict.detail


def test_where_the_number_is_certain_no_other_is_right() -> None:
    factor, n, p = _given((4, 5))
    sure = torch.ones_like(p)
    assert _judged(lambda n, _: n, (factor, n, sure)).ok
    assert not _judged(lambda n, _: n - 1, (factor, n, sure)).ok
    assert _judged(lambda n, _: 0 * n, (factor, n, 0 * sure)).ok
    assert not _judged(lambda n, _: n, (factor, n, 0 * sure)).ok


def test_a_factor_of_zero_gives_zero() -> None:
    factor, n, p = _given((4, 5))
    assert _judged(torch.binomial, (0 * factor, n, p)).ok
    assert not _judged(torch.binomial, (0 * factor, n, p), lambda x: x + 1).ok


def test_nothing_is_right_where_there_is_nothing() -> None:
    assert _judged(torch.binomial, _given((0, 3))).ok


def test_many_trials_and_rare_ones_are_right() -> None:
    factor, n, _ = _given()
    many, rare = torch.full_like(n, 100.0), torch.full_like(n, 0.001)
    assert _judged(torch.binomial, (factor, many, rare)).ok
    assert not _judged(lambda n, p: torch.binomial(n, 1.5 * p), (factor, many, rare)).ok
