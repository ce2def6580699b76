"""Truths of sigmoid, tanh and GELU of 8-bit codes against mpmath."""

import itertools
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Close
from kernelbenchx.spec.call import call

SHARE = 1e-3
TRAPS = (-87.0, -60.0, -30.0, -16.7, -9.7, -5.0, -0.04, -1e-7, 0.0, 1e-10, 0.0399, 0.55, 9.1, 88.0)
ENDS = torch.tensor([float("inf"), float("-inf"), float("nan")])


def _points() -> torch.Tensor:
    drawn = torch.randn(200, generator=torch.Generator().manual_seed(7)) * 8
    return torch.cat([torch.tensor(TRAPS), drawn, drawn * 1e-4])


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


@pytest.mark.parametrize("suffix", ["", "_bf16", "_fp16"])
@pytest.mark.parametrize(("name", "opinion"), [("sigmoid", _sigmoid), ("tanh", mpmath.tanh)])
def test_a_truth_is_what_many_digits_say(
    name: str, suffix: str, opinion: Callable[[Any], Any]
) -> None:
    task = catalog.load(f"activation/{name}{suffix}")
    dtype = {"": torch.float32, "_bf16": torch.bfloat16, "_fp16": torch.float16}[suffix]
    x = _points().to(dtype)
    truth = task.exact(call(x)).leaves[0].value
    with mpmath.workdps(50):
        digits = [float(opinion(mpmath.mpf(v))) for v in x.tolist()]
    exact = torch.tensor(digits, dtype=torch.float64)
    assert isinstance(task.contract, Close)
    (budget,) = task.contract.budgets(call(x).widen(), (truth,), (dtype,))
    assert bool(((truth - exact).abs() <= SHARE * budget).all())
    assert not bool(((truth * (1 + 1e-4) - exact).abs() <= SHARE * budget).all())


@pytest.mark.parametrize(("name", "ends"), [("sigmoid", (1.0, 0.0)), ("tanh", (1.0, -1.0))])
def test_the_ends_are_what_the_statement_says(name: str, ends: tuple[float, float]) -> None:
    truth = catalog.load(f"activation/{name}").exact(call(ENDS)).leaves[0].value
    assert tuple(truth[:2].tolist()) == ends and bool(truth[2].isnan())


def _gelu(x: Any, approximate: str) -> Any:
    if approximate == "none":
        return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2
    return x * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + 0.044715 * x**3))) / 2


def _scales() -> list[tuple[float, float]]:
    """Every pair that a call of the task can have."""
    task = catalog.load("activation/gelu_int8")
    assert task.space is not None
    both = [
        [1.0, *(one.value for one in task.space.by_name[name].options[1:])]
        for name in ("scale_in", "scale_out")
    ]
    return list(itertools.product(*both))


def _distance_to_a_tie(approximate: str, scale_in: float, scale_out: float) -> float:
    """Of the nearest code, in roundings of float32 of what it is computed from."""
    found = []
    for code in range(-128, 128):
        x = mpmath.mpf(scale_in) * code
        y = _gelu(x, approximate)
        if code == 0 or abs(y) > 129 * scale_out:
            continue
        quotient = y / scale_out
        away = abs(abs(quotient - mpmath.floor(quotient)) - 0.5)
        # Below -6 the factor 1 + erf is 0 in float32.
        found.append(away / (2.0**-24 * (min(abs(x), 6) + abs(y)) / scale_out))
    return float(min(found))


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_codes_are_what_many_digits_say_and_none_is_near_a_tie(approximate: str) -> None:
    task = catalog.load("activation/gelu_int8")
    codes = torch.arange(-128, 128).to(torch.int8)
    with mpmath.workdps(40):
        for scale_in, scale_out in _scales():
            asked = call(codes, approximate, scale_in=scale_in, scale_out=scale_out)
            mine = task.native(asked).leaves[0].value.tolist()
            for code, got in zip(range(-128, 128), mine, strict=True):
                quotient = _gelu(mpmath.mpf(scale_in) * code, approximate) / scale_out
                assert got == min(max(int(mpmath.nint(quotient)), -128), 127)
            assert _distance_to_a_tie(approximate, scale_in, scale_out) > 30
        assert _distance_to_a_tie(approximate, 1.0, 2.0) < 1  # 7 gives almost 3.5


def test_timed_scales_are_among_those_that_are_looked_at() -> None:
    task = catalog.load("activation/gelu_int8")
    assert task.huge is not None
    params = [*(case.params for case in (*task.timings, *task.checks)), task.huge.params]
    assert {(one["scale_in"], one["scale_out"]) for one in params} <= set(_scales())
    assert (1.0, 2.0) not in _scales()
