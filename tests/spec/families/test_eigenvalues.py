"""Matrices with known largest eigenvalues, and the budget of their size."""

import pytest
import torch

from kernelbenchx.spec import Draw
from kernelbenchx.spec.families.eigenvalues import KINDS, radius_error, square_matrices

U = 2.0**-24


def _eigenvalues(kind: str, n: int = 9) -> torch.Tensor:
    found: torch.Tensor = torch.linalg.eigvals(square_matrices(Draw.from_seed(3), (40, n, n), kind))
    return found


def _largest(found: torch.Tensor) -> torch.Tensor:
    return found.gather(-1, found.abs().argmax(-1, keepdim=True))[..., 0]


def test_the_largest_eigenvalues_are_those_that_the_kind_names() -> None:
    pair = _largest(_eigenvalues("complex pair"))
    assert torch.allclose(pair.imag.abs() / pair.real, torch.tensor(1.7 / 0.6).double())
    negative = _largest(_eigenvalues("negative"))
    assert bool((negative.real < 0).all()) and not negative.imag.any()
    sizes = _eigenvalues("orthogonal").abs()
    assert torch.allclose(sizes, sizes[:, :1].expand_as(sizes))
    assert not _eigenvalues("symmetric").imag.any()
    assert not _eigenvalues("zero").any() and bool(_eigenvalues("ordinary").imag.any())


@pytest.mark.parametrize("kind", ["ordinary", "orthogonal", "complex pair", "negative"])
def test_no_two_matrices_have_the_same_radius(kind: str) -> None:
    radii = _eigenvalues(kind).abs().amax(-1)
    assert len(set(radii.tolist())) == 40


def test_huge_and_tiny_squares_do_not_fit_into_float32() -> None:
    for kind, lost in (("huge", torch.inf), ("tiny", 0.0)):
        a = square_matrices(Draw.from_seed(1), (5, 5), kind).float()
        assert bool(a.isfinite().all()) and bool(a.all())
        assert bool(((a * a) == lost).any())


@pytest.mark.parametrize("kind", ["ordinary", *KINDS])
@pytest.mark.parametrize("n", [2, 7, 40])
def test_eigenvalues_in_float32_stay_within_and_bfloat16_does_not(kind: str, n: int) -> None:
    a = square_matrices(Draw.from_seed(n), (12, n, n), kind).float()
    exact = torch.linalg.eigvals(a.double()).abs().amax(-1)
    budget = 4 * U * (radius_error(a.double()) + exact)
    found = torch.linalg.eigvals(a).abs().amax(-1).double()
    assert bool(((found - exact).abs() <= budget).all())
    coarse = exact.bfloat16().double()
    assert bool(((coarse - exact).abs() > budget).any()) == (kind != "zero")


def test_a_large_condition_widens_the_budget() -> None:
    skewed = torch.tensor([[1.0, 100.0], [0.0, 0.95]], dtype=torch.float64)
    level = torch.tensor([[1.0, 100.0], [0.0, -0.5]], dtype=torch.float64)
    assert float(radius_error(skewed)) > 10 * float(radius_error(level))
