"""What Close accepts and rejects element by element; sums and products have their own file."""

import math

import pytest
import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close, Perturbed, default_ulps, worst_of
from kernelbenchx.spec.contract import Contract, Evidence, Rung, Verdict

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
HALVES = (torch.float16, torch.bfloat16)


def _judge(
    close: Close,
    truth: torch.Tensor,
    got: torch.Tensor,
    asked: Call | None = None,
    rung: Rung = "cuda",
) -> Verdict:
    return close.judge(Evidence(asked or call(), ((got,),), (truth,), (got,), rung))


def _moved(value: torch.Tensor, ulps: int) -> torch.Tensor:
    """That many representable numbers further from zero."""
    bits = {2: torch.int16, 4: torch.int32, 8: torch.int64}[value.dtype.itemsize]
    return (value.view(bits) + ulps).view(value.dtype)


@pytest.mark.parametrize(
    ("dtype", "ulps"), ((torch.float16, 1), (torch.bfloat16, 1), (torch.float32, 4))
)
def test_the_default_budget_is_a_few_ulps_of_the_output(dtype: torch.dtype, ulps: int) -> None:
    exact = torch.tensor([1.25, -300.0, 1e-3]).to(dtype)
    assert default_ulps(dtype) == ulps
    assert _judge(Close(), exact.double(), _moved(exact, ulps)).ok
    assert not _judge(Close(), exact.double(), _moved(exact, ulps + 1)).ok


def test_float64_is_judged_at_its_own_precision() -> None:
    exact = torch.tensor([1.25, -300.0], dtype=torch.float64)
    assert _judge(Close(), exact, _moved(exact, 8)).ok  # the truth is rounded as well
    assert not _judge(Close(), exact, _moved(exact, 9)).ok
    assert not _judge(Close(), exact + 1e-9, (exact + 1e-9).float().double()).ok


def test_declared_ulps_replace_the_default() -> None:
    exact = torch.tensor([1.25])
    assert not _judge(Close(ulps=1), exact.double(), _moved(exact, 2)).ok
    assert _judge(Close(ulps=2), exact.double(), _moved(exact, 2)).ok


def test_every_element_has_its_own_scale() -> None:
    x = torch.tensor([1.0, 1000.0])
    close = Close(ulps=0.0, scale=lambda x: x.abs(), factor=1.0)
    budget = close.budgets(call(x), (torch.zeros(2).double(),), (torch.float32,))[0]
    assert budget.tolist() == [2.0**-24, 1000 * 2.0**-24]


def test_the_scale_sees_widened_arguments_and_may_differ_by_output() -> None:
    seen: list[torch.dtype] = []

    def scale(x: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        seen.append(x.dtype)
        return None, torch.tensor(1.0)

    truth = (torch.zeros(2).double(),) * 3
    close = Close(ulps=0.0, scale=scale, factor=1.0)
    budgets = close.budgets(call(torch.ones(2).half()), truth, (torch.float64,) * 3)
    assert seen == [torch.float64]
    assert [float(budget[0]) for budget in budgets] == [0.0, 2 * 2.0**-53, 0.0]


def test_a_scale_that_is_not_finite_gives_no_budget() -> None:
    close = Close(ulps=0.0, scale=lambda: torch.tensor([math.inf, math.nan, 1.0]))
    budget = close.budgets(call(), (torch.ones(3).double(),), (torch.float64,))[0]
    assert budget.tolist()[:2] == [0.0, 0.0] and float(budget[2]) > 0


@pytest.mark.parametrize("dtype", FLOATS)
def test_tanh_for_none_in_gelu_fails(dtype: torch.dtype) -> None:
    x = torch.linspace(-4, 4, 2001).to(dtype)
    truth = torch.nn.functional.gelu(x.double())
    close = Close(scale=lambda x: x.abs())
    single = x.float()
    honest = 0.5 * single * (1 + torch.erf(single * math.sqrt(0.5)))
    tanh = torch.nn.functional.gelu(single, approximate="tanh")
    assert _judge(close, truth, honest.to(dtype), call(x)).ok
    assert not _judge(close, truth, tanh.to(dtype), call(x)).ok


def test_small_outputs_zeroed_beside_large_ones_fail() -> None:
    x = torch.tensor([1e6, 1e-6, 1.0, 1e-12])
    spoiled = torch.where(x < 1e-3, 0.0, x)
    close = Close(scale=lambda x: x.abs())
    assert _judge(close, x.double(), x, call(x)).ok
    found = _judge(close, x.double(), spoiled, call(x))
    assert not found.ok and found.bad is not None
    assert found.bad.tolist() == [False, True, False, True]


def test_a_constant_tolerance_is_never_granted() -> None:
    truth = torch.full((4,), 1e-5, dtype=torch.float64)
    assert not _judge(Close(), truth, torch.full((4,), 1.1e-5)).ok


@pytest.mark.parametrize("dtype", (torch.float32, torch.bfloat16))
def test_subnormals_of_float32_and_bfloat16_may_be_flushed(dtype: torch.dtype) -> None:
    truth = torch.tensor([1e-39, -1e-40], dtype=torch.float64)
    assert _judge(Close(), truth, torch.zeros(2, dtype=dtype)).ok
    assert not _judge(Close(), truth * 1e3, torch.zeros(2, dtype=dtype)).ok


def test_subnormals_of_float16_may_not() -> None:
    truth = torch.tensor([1e-5], dtype=torch.float64)
    assert _judge(Close(), truth, truth.half()).ok
    assert not _judge(Close(), truth, torch.zeros(1, dtype=torch.float16)).ok


def test_the_sign_of_zero_counts_only_where_declared() -> None:
    truth, got = torch.tensor([0.0]).double(), torch.tensor([-0.0])
    assert _judge(Close(), truth, got).ok
    assert not _judge(Close(signed_zero=True), truth, got).ok
    assert _judge(Close(signed_zero=True), -truth, got).ok


@pytest.mark.parametrize("value", (math.nan, math.inf, -math.inf))
def test_nan_and_infinities_stand_where_they_stand_in_the_truth(value: float) -> None:
    truth = torch.tensor([1.0, value, 2.0]).double()
    assert _judge(Close(), truth, truth.float()).ok
    assert not _judge(Close(), truth, truth.float().flip(0).roll(1)).ok
    assert not _judge(Close(), truth, torch.tensor([1.0, 3.4e38, 2.0])).ok


def test_nan_everywhere_fails_where_one_is_expected() -> None:
    truth = torch.tensor([1.0, math.nan]).double()
    found = _judge(Close(), truth, torch.full((2,), math.nan))
    assert not found.ok and "nan where a number is expected" in found.detail


def test_complex_outputs_are_judged_by_the_modulus() -> None:
    truth = torch.tensor([1000 + 0j, 1j], dtype=torch.complex128)
    near = (truth + 1e-4j).to(torch.complex64)
    assert not _judge(Close(), truth, near).ok
    near[1] = truth[
        1
    ]  # the error of the first is within 4 ulps of its modulus, though not of its part
    assert _judge(Close(), truth, near).ok


def test_integers_are_exact() -> None:
    truth = torch.tensor([3, 5])
    assert _judge(Close(ulps=100), truth, truth.clone()).ok
    assert not _judge(Close(ulps=100), truth, truth + 1).ok


def test_empty_outputs_are_right() -> None:
    empty = torch.empty(0, 3)
    assert _judge(Close(scale=lambda: torch.tensor(1.0)), empty.double(), empty).ok


def test_the_interpreter_gets_its_ulps_and_a_card_does_not() -> None:
    exact = torch.tensor([1.25])
    close = Close(ulps=1, interpreter_ulps=2)
    assert _judge(close, exact.double(), _moved(exact, 3), rung="interpreter").ok
    assert not _judge(close, exact.double(), _moved(exact, 3), rung="cuda").ok
    found = _judge(close, exact.double(), _moved(exact, 4), rung="interpreter")
    assert "2 more ulps" in found.detail


def test_a_badly_conditioned_function_is_judged_by_its_condition() -> None:
    x = torch.linspace(50, 60, 100)
    close, strict = Close(scale=Perturbed(torch.exp)), Close()
    moved = (x.double() * (1 + 2.0**-24)).exp()
    assert _judge(close, x.double().exp(), moved.float(), call(x)).ok
    assert not _judge(strict, x.double().exp(), moved.float(), call(x)).ok
    far = (x.double() * (1 + 2.0**-20)).exp()
    assert not _judge(close, x.double().exp(), far.float(), call(x)).ok


def test_the_worst_of_several_calls_and_outputs_is_reported() -> None:
    right, wrong = torch.ones(2), torch.tensor([1.0, 1.5])
    truth = (torch.ones(2).double(), torch.ones(2).double())
    outputs = ((right, right), (right, wrong))
    found = Close().judge(Evidence(call(), outputs, truth, (right, right)))
    assert (found.ok, found.output, found.index) == (False, 1, (1,))
    assert (found.expected, found.got) == ("1", "1.5")
    assert worst_of([Verdict(ok=True, worst=1.0), Verdict(ok=False, worst=0.0)]).ok is False


def test_other_shapes_are_wrong_and_do_not_raise() -> None:
    found = Close().judge(
        Evidence(call(), ((torch.ones(3),),), (torch.ones(2).double(),), (torch.ones(2),))
    )
    assert not found.ok


def test_it_is_a_contract_and_says_what_is_expected() -> None:
    close = Close(scale=lambda: None, tf32=True)
    assert isinstance(close, Contract) and close.calls == 1 and close.needs_truth
