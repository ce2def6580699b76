"""Honest float32 passes the budget of a module; fewer bits, and an error of four budgets, fail."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import ModuleCall, build_under_seed, draw_weights, run_module
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import DTYPES, Precision, contract_at
from kernelbenchx.spec.reordered_sums import (
    NarrowSums,
    ReorderedSums,
    RoundedOperands,
    through,
    to_tf32,
)
from kernelbenchx.spec.rounded_steps import FLOAT32, RoundedSteps

pytestmark = pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")
Mode = AbstractContextManager[Any]
CPU = torch.device("cpu")


class Products(nn.Module):
    """A convolution, norms, two linear layers with GELU between them, and attention."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(16, 24, 3, padding=1)
        self.batch = nn.BatchNorm2d(24)
        self.group = nn.GroupNorm(4, 24)
        self.first = nn.Linear(64, 96)
        self.layer = nn.LayerNorm(96)
        self.second = nn.Linear(96, 64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.batch(self.conv(x)))
        x = self.group(x).flatten(2)
        x = self.second(functional.gelu(self.layer(self.first(x))))
        return functional.scaled_dot_product_attention(x, x, x)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.GRU(64, 32)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x.flatten(0, 1)[:5])[0]
        return result


class Long(nn.Module):
    """Many terms in each product."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(640, 24)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.leaky_relu(self.linear(x.flatten(2)) * 2.0, 0.1)


class Elementwise(nn.Module):
    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "gelu": functional.gelu,
    "gelu by tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "mish": functional.mish,
    "elu in place": lambda x: functional.elu_(x.clone()),
    "softmax": lambda x: x.flatten(1).softmax(1),
    "log_softmax": lambda x: x.flatten(1).log_softmax(1),
    "logsumexp": lambda x: x.flatten(1).logsumexp(1),
    "norm": lambda x: x / torch.norm(x),
    "variance": lambda x: x.var(1),
    "mean of squares": lambda x: (x * x).mean(),
    "sum": lambda x: x.sum([1, 2]),
    "cumsum": lambda x: x.flatten(1).cumsum(1),
    "pool": lambda x: functional.avg_pool2d(x, 5),
    "loss": lambda x: functional.smooth_l1_loss(x, x.roll(1)),
    "cross entropy": lambda x: functional.cross_entropy(x.flatten(1).T, torch.arange(5120) % 2),
}


def _call(model: type[nn.Module], kind: str, precision: Precision, *init: Any) -> ModuleCall:
    draw, dtype = Draw.from_seed(3), DTYPES[precision]
    shape = (2, 16, 8, 8) if model is Products else (2, 8, 10, 64)
    if kind == "uniform":
        x = draw.uniform(shape, dtype)
    else:
        x = draw.normal(shape, dtype, 10.0 if kind == "wide" else 1.0)
    state = draw_weights(build_under_seed(1, model, init), draw, dtype)
    return ModuleCall(args=(x,), init=init, state=state)


def _verdict(model: type[nn.Module], call: ModuleCall, precision: Precision, mode: Mode) -> Verdict:
    with mode:
        outputs = run_module(model, call.copy())
    return _judged(model, call, precision, outputs)


def _judged(
    model: type[nn.Module], call: ModuleCall, precision: Precision, outputs: torch.Tensor
) -> Verdict:
    truth = run_module(model, call.widen())
    evidence = Evidence(call, ((outputs,),), (truth,), (outputs,))
    return contract_at(model, precision).judge(evidence)


@pytest.mark.parametrize("kind", ["normal", "wide", "uniform"])
@pytest.mark.parametrize("mode", [nullcontext, ReorderedSums])
@pytest.mark.parametrize("model", [Products, Recurrent])
def test_float32_passes_in_two_orders(
    model: type[nn.Module], mode: Callable[[], Mode], kind: str
) -> None:
    call = _call(model, kind, "fp32")
    found = _verdict(model, call, "fp32", mode())
    assert found.ok, found.worst


@pytest.mark.parametrize("kind", ["normal", "wide", "uniform"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_float32_passes_for_what_is_no_product(name: str, kind: str) -> None:
    call = _call(Elementwise, kind, "fp32", FUNCTIONS[name])
    for mode in (nullcontext(), ReorderedSums()):
        found = _verdict(Elementwise, call, "fp32", mode)
        assert found.ok, found.worst


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_error_of_sixteen_bits_fails_everywhere(name: str) -> None:
    call = _call(Elementwise, "normal", "fp32", FUNCTIONS[name])
    rounded = run_module(Elementwise, call.copy()).bfloat16().float()
    assert not _judged(Elementwise, call, "fp32", rounded).ok


def test_the_other_order_is_another_one() -> None:
    call = _call(Products, "normal", "fp32")
    plain = run_module(Products, call.copy())
    with ReorderedSums():
        other = run_module(Products, call.copy())
    assert 0 < float((plain - other).abs().max()) < 1e-4


@pytest.mark.parametrize("rounding", [to_tf32, through(torch.bfloat16)])
@pytest.mark.parametrize("model", [Products, Recurrent])
def test_rounded_operands_fail_in_float32(
    model: type[nn.Module], rounding: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    call = _call(model, "normal", "fp32")
    assert _verdict(model, call, "fp32", RoundedOperands(rounding)).worst > 10


@pytest.mark.parametrize("model", [Products, Recurrent])
def test_tf32_passes_where_it_is_agreed_on(model: type[nn.Module]) -> None:
    call = _call(model, "normal", "tf32")
    found = _verdict(model, call, "tf32", RoundedOperands(to_tf32))
    assert found.ok, found.worst


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
@pytest.mark.parametrize("model", [Products, Recurrent])
def test_torch_passes_in_sixteen_bits(model: type[nn.Module], precision: Precision) -> None:
    call = _call(model, "normal", precision)
    found = _verdict(model, call, precision, nullcontext())
    assert found.ok, found.worst


class Attending(nn.Module):
    """Probabilities are rounded before they are multiplied, and divided by their sum after that."""

    rounding: torch.dtype | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.rounding is None:
            return functional.scaled_dot_product_attention(x, x.roll(1), x.roll(2))
        q, k, v = (one.double() for one in (x, x.roll(1), x.roll(2)))
        scores = q @ k.transpose(-1, -2) * x.shape[-1] ** -0.5
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        found: torch.Tensor = powers.to(self.rounding).double() @ v / powers.sum(-1, keepdim=True)
        return found.to(x.dtype)


def _attending(dtype: torch.dtype) -> type[nn.Module]:
    return type("Rounding", (Attending,), {"rounding": dtype})


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
@pytest.mark.parametrize("kind", ["normal", "wide", "uniform"])
def test_probabilities_may_be_rounded_to_the_dtype_of_the_values(
    kind: str, precision: Precision
) -> None:
    call = _call(Attending, kind, precision)
    found = _judged(
        Attending, call, precision, run_module(_attending(DTYPES[precision]), call.copy())
    )
    assert found.ok, found.worst
    if kind != "uniform":  # where a mean over many hides it
        rounded = run_module(_attending(torch.float8_e4m3fn), call.copy())
        assert not _judged(Attending, call, precision, rounded).ok


@pytest.mark.parametrize("precision", ["fp16", "bf16"])
def test_sums_in_sixteen_bits_fail(precision: Precision) -> None:
    call = _call(Long, "normal", precision)
    found = _verdict(Long, call, precision, nullcontext())
    assert found.ok, found.worst
    assert not _verdict(Long, call, precision, NarrowSums()).ok


@pytest.mark.parametrize("model", [Products, Recurrent])
def test_four_budgets_are_too_much_in_any_element(model: type[nn.Module]) -> None:
    call = _call(model, "normal", "fp32")
    truth = run_module(model, call.widen())
    contract = contract_at(model, "fp32")
    (budget,) = contract.budgets(call, (truth,), (torch.float32,))
    assert contract.judge_with_budgets((truth.float(),), (truth,), (budget,), "cuda").ok
    for element in (0, truth.numel() // 2, truth.numel() - 1):
        wrong = truth.clone()
        wrong.view(-1)[element] += 4 * budget.reshape(-1)[element]
        found = contract.judge_with_budgets((wrong.float(),), (truth,), (budget,), "cuda")
        assert not found.ok
        assert found.worst > 2


def test_a_small_element_beside_a_large_one_has_a_small_budget() -> None:
    x = torch.tensor([[1e4, 1e4, 1.0], [1e-3, 1e-3, 1.0]])
    call = ModuleCall(args=(x,), init=(lambda v: v.sum(1),))
    large, small = Intermediates(Elementwise).scale(call.widen(), 2.0**-24)[0].tolist()
    assert small < 1e-3 * large


def test_a_sum_has_the_budget_of_a_random_walk() -> None:
    """Four times as many terms of one sign: four times the sum, each rounding twice as likely."""

    def scale(count: int) -> float:
        call = ModuleCall(args=(torch.ones(1, 256, count),), init=(lambda v: v.sum(2),))
        return float(Intermediates(Elementwise).scale(call.widen(), 2.0**-24)[0].mean())

    assert scale(4096) / scale(1024) == pytest.approx(8, rel=0.1)


def test_what_a_module_is_built_from_is_not_moved() -> None:
    class Built(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.number = torch.ones(3, dtype=torch.float64) * 3 + 1

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.number

    with RoundedSteps(0, FLOAT32, CPU):
        module = Built()
        assert module.number.tolist() == [4.0, 4.0, 4.0]
        assert module(torch.ones(3).double()).tolist() != [4.0, 4.0, 4.0]


PIECES: dict[str, Callable[[torch.Tensor], Any]] = {
    "gelu": functional.gelu,
    "tanh gelu": lambda x: functional.gelu(x, approximate="tanh"),
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "silu": functional.silu,
    "softplus": lambda x: functional.softplus(x, 2.0, 1.0),
    "mish": functional.mish,
    "selu": functional.selu,
    "log_softmax": lambda x: x.log_softmax(1),
    "logsumexp": lambda x: (x.logsumexp([1, 2]), x.logsumexp(0, keepdim=True)),
    "norms": lambda x: (x.norm(), x.norm(dim=1), x.norm(p=1, dim=2), x.norm(p=3, dim=1)),
    "spread": lambda x: (x.var(1), x.std(2, unbiased=False), x.std()),
    "instance": functional.instance_norm,
    "running": lambda x: functional.batch_norm(x, torch.ones(4).double(), torch.ones(4).double()),
    "attention": lambda x: functional.scaled_dot_product_attention(x, x, x, is_causal=True),
    "masked": lambda x: functional.scaled_dot_product_attention(
        x, x, x, attn_mask=torch.eye(x.shape[-2]).double()
    ),
    "losses": lambda x: (
        functional.mse_loss(x, x.roll(1), reduction="sum"),
        functional.huber_loss(x, x.roll(1), delta=0.7),
        functional.smooth_l1_loss(x, x.roll(1), beta=0.3, reduction="none"),
        functional.cross_entropy(x[0], torch.tensor([1, -100, 3, 0])),
    ),
}


@pytest.mark.parametrize("name", PIECES)
def test_what_is_taken_apart_gives_the_same(name: str) -> None:
    """In float64; steps that are wrong would be a wrong model of a kernel's errors."""
    x = Draw.from_seed(5).normal((3, 4, 6), torch.float64)
    module = Elementwise(PIECES[name])
    whole = flatten(module(x.clone()))
    with ReorderedSums():
        apart = flatten(module(x.clone()))
    for one, two in zip(whole, apart, strict=True):
        assert torch.allclose(one.value, two.value, rtol=1e-12, atol=1e-13)
