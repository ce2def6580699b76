import pytest
import torch

from kernelbenchx.spec.families.adam_error import update_error

STEP = {"lr": 0.1, "betas": (0.9, 0.99), "eps": 1e-8}


def error(step: int, wrong_m: float = 0.0, wrong_v: float = 0.0, v: float = 4.0) -> float:
    each = (torch.tensor([one], dtype=torch.float64) for one in (1.0, v, wrong_m, wrong_v))
    return float(update_error(*each, step=step, **STEP))  # type: ignore[arg-type]


def test_errors_of_both_means_count() -> None:
    assert error(10, wrong_m=1.0) > error(10) > 0
    assert error(10, wrong_v=1.0) > error(10)


def test_early_steps_magnify_the_rounding_of_a_beta() -> None:
    still = 0.1 / (1 - 0.9**1000) / (4 / (1 - 0.99**1000)) ** 0.5
    assert error(1000) == pytest.approx(4 * still, rel=0.1)
    assert error(1) / 0.05 > error(1000) / still


def test_no_square_yet_is_no_division_by_zero() -> None:
    assert torch.tensor(error(3, wrong_v=1.0, v=0.0)).isfinite()
