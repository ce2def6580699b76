"""Truths of special functions and transforms against other libraries: mpmath and numpy.

A truth comes from torch's float64. On no processor may it be further from the exact value than a
thousandth of what a submission is allowed.
"""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Close
from kernelbenchx.spec.call import Call, call

SHARE = 1e-3
POINTS = (-30.0, -9.0, -5.5, -4.0, -2.7, -1.0, -1e-3, -1e-30, 0.0, 1e-8, 0.3, 1.0, 5.0, 60.0)
X = torch.tensor(POINTS)
INFINITIES = torch.tensor([float("inf"), float("-inf"), float("nan")])


def _gelu(x: Any) -> Any:
    return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _tanh_gelu(x: Any) -> Any:
    return x * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + 0.044715 * x**3))) / 2


def _selu(x: Any) -> Any:
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * (x if x > 0 else alpha * mpmath.expm1(x))


def _softmax(row: list[Any]) -> list[Any]:
    total = mpmath.fsum(mpmath.exp(x) for x in row)
    return [mpmath.exp(x) / total for x in row]


def _each(function: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda row: [function(x) for x in row]


@pytest.mark.parametrize(
    ("name", "asked", "opinion"),
    [
        ("activation/gelu", call(X), _each(_gelu)),
        ("activation/gelu", call(X, approximate="tanh"), _each(_tanh_gelu)),
        ("activation/gelu_bf16", call(X.bfloat16()), _each(_gelu)),
        ("activation/selu", call(X), _each(_selu)),
        ("math/log1p", call(X[X > -1]), _each(mpmath.log1p)),
        ("math/softmax", call(X, 0), _softmax),
    ],
)
def test_a_truth_is_what_many_digits_say(
    name: str, asked: Call, opinion: Callable[[list[Any]], list[Any]]
) -> None:
    task = catalog.load(name)
    assert isinstance(task.contract, Close)
    truth = task.exact(asked).leaves[0].value
    with mpmath.workdps(60):
        row = [mpmath.mpf(x) for x in asked.args[0].tolist()]
        other = torch.tensor([float(y) for y in opinion(row)], dtype=torch.float64)
    dtype = task.native(asked).leaves[0].value.dtype
    (budget,) = task.contract.budgets(asked.widen(), (truth,), (dtype,))
    assert truth.dtype == torch.float64
    assert bool(((truth - other).abs() <= SHARE * budget).all()), (truth, other)
    assert not bool(((truth * (1 + 1e-4) - other).abs() <= SHARE * budget).all())


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_a_truth_of_gelu_at_the_ends_is_what_its_statement_says(approximate: str) -> None:
    for count in (1, 100):  # few are computed one by one, many together
        asked = call(INFINITIES.repeat(count), approximate=approximate)
        truth = catalog.load("activation/gelu").exact(asked).leaves[0].value.view(-1, 3)
        assert bool((truth[:, 0] == float("inf")).all()) and bool(truth[:, 1:].isnan().all())


@pytest.mark.parametrize("seed", range(3))
def test_a_transform_is_what_numpy_says(seed: int) -> None:
    task = catalog.load("math/fftn")
    for case in task.cases(seed):
        asked = task.draw(case, 5)
        named = {key: value for key, value in asked.kwargs.items() if key != "out"}
        truth = task.exact(asked).leaves[0].value
        other = _numpy_fftn(asked.args[0].numpy(), **named)
        assert truth.shape == other.shape
        within = 1e-12 * max(1.0, np.abs(other).max(initial=0))
        assert np.allclose(truth.numpy(), other, rtol=1e-12, atol=within), case.name


def _numpy_fftn(x: Any, s: Any = None, dim: Any = None, norm: Any = None) -> Any:
    """numpy takes no -1 for a size that stays, and no array without dimensions."""
    if x.ndim == 0:
        return x.astype(complex)
    axes: Any = dim
    if axes is None:
        axes = range(-len(s), 0) if s is not None else range(x.ndim)
    sizes = [-1] * len(axes) if s is None else s
    kept = [x.shape[axis] if size == -1 else size for size, axis in zip(sizes, axes, strict=True)]
    return np.fft.fftn(x.astype(complex), s=kept, axes=tuple(axes), norm=norm)
