"""Modules: what runs when one is built, and which layers are called."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report, SignatureParameter
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]
MODULE = """
import math
import torch.nn as nn
import torch.nn.functional as F

class f(nn.Module):
    def __init__(self, n):
        super().__init__()
        {init}
    def forward(self, x):
        {forward}
{more}
"""
LAYER = "self.layer = nn.Linear(n, n)"
ASKED = {
    "form": "module",
    "parameters": (SignatureParameter("x"),),
    "init": (SignatureParameter("n"),),
}


@pytest.fixture
def module(around: Examine) -> Callable[..., Report]:
    def run(init: str = LAYER, forward: str = "return launch(x)", more: str = "") -> Report:
        lines = (text.replace("\n", "\n        ") for text in (init, forward))
        source = MODULE.format(init=next(lines), forward=next(lines), more=more)
        return around(source, **ASKED)

    return run


HOLDERS = [
    LAYER,
    "self.conv = nn.Conv2d(3, n, 3); self.norm = nn.BatchNorm2d(n)",
    "self.layers = nn.ModuleList([nn.Linear(n, n) for _ in range(3)])",
    "self.net = nn.Sequential(nn.Linear(n, n), nn.ReLU())",
    "self.weight = nn.Parameter(torch.randn(n, n) * math.sqrt(2 / n))",
    "self.register_buffer('table', torch.arange(n).float().cos())",
    "self.weight = nn.Parameter(torch.empty(n))\nnn.init.uniform_(self.weight, -1, 1)",
    "self.weight = nn.Parameter(torch.empty(n))\nself.weight.data.normal_()",
    "layer = nn.Linear(n, n)\nself.packed = nn.Parameter(layer.weight.detach().t().contiguous())",
]


@pytest.mark.parametrize("init", HOLDERS)
def test_parameters_are_made_in_the_constructor(module: Callable[..., Report], init: str) -> None:
    report = module(init)
    assert not report.fatal
    assert report.composition is Composition.PURE
    late = module("pass", f"{init}\nreturn launch(x)")
    assert late.fatal or late.composition is Composition.MIXED, "the same in a call computes"


RESET = """
    def reset(self):
        fan_in, _ = nn.init._calculate_fan_in_and_fan_out(self.layer.weight)
        bound = 1 / math.sqrt(fan_in)
        nn.init.uniform_(self.layer.bias, -bound, bound)
        self.bound = torch.rand(3)
"""


def test_what_only_a_constructor_calls_belongs_to_it(module: Callable[..., Report]) -> None:
    assert not module(f"{LAYER}\nself.reset()", more=RESET).fatal
    called = module(f"{LAYER}\nself.reset()", "self.reset()\nreturn launch(x)", RESET)
    assert {one.rule for one in called.fatal} == {"randomness", "state"}
    handed = module(f"{LAYER}\nself.again = self.reset", "self.again()\nreturn launch(x)", RESET)
    assert not handed.fatal, "a method kept on an object runs as it will: the trace tells"


def test_a_module_that_is_made_in_a_call_is_no_parameter(module: Callable[..., Report]) -> None:
    helper = (
        "\nclass Helper(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.noise = torch.randn(3)\n    def forward(self, x):\n        return x\n"
    )
    assert not module("self.helper = Helper()", "return launch(self.helper(x))", helper).fatal
    made = module("pass", "return launch(Helper()(x))", helper)
    assert [one.rule for one in made.fatal] == ["randomness"]


CALLED = [
    (LAYER, "return launch(self.layer(x))"),
    (LAYER, "return launch(self.layer.forward(x))"),
    (LAYER, "layer = self.layer\nreturn launch(layer(x))"),
    ("self.layers = nn.ModuleList([nn.Linear(n, n)])", "return launch(self.layers[0](x))"),
    (
        "self.layers = nn.ModuleList([nn.Linear(n, n)])",
        "for layer in self.layers:\n    x = layer(x)\nreturn launch(x)",
    ),
    (
        "parts = []\nparts.append(nn.ReLU())\nself.net = nn.Sequential(*parts)",
        "return launch(self.net(x))",
    ),
    (LAYER, "return launch(F.linear(x, self.layer.weight))"),
]


@pytest.mark.parametrize(("init", "forward"), CALLED)
def test_calling_a_layer_is_torch_computing(
    module: Callable[..., Report], init: str, forward: str
) -> None:
    report = module(init, forward)
    assert not report.fatal
    assert report.composition is Composition.MIXED
    alone = module(init, forward.replace("launch", ""))
    assert alone.composition is Composition.NOT_A_KERNEL


def test_weights_of_a_layer_may_be_given_to_a_kernel(module: Callable[..., Report]) -> None:
    for use in ("self.layer.weight", "self.layer.weight.t()", "self.layer.weight.view(-1)"):
        assert module(LAYER, f"return launch({use})").composition is Composition.PURE
        assert module(LAYER, f"return launch({use}.exp())").composition is Composition.MIXED


KEPT = [
    "self.norm.running_mean.mul_(0.9).add_(launch(x))\nreturn x",
    "self.running_var = launch(x)\nreturn x",
    "self.num_batches_tracked += 1\nreturn launch(x)",
    "self.layer.weight.data = self.layer.weight.data.to(x.device)\nreturn launch(x)",
]


@pytest.mark.parametrize("forward", KEPT)
def test_running_statistics_and_moved_parameters_may_be_kept(
    module: Callable[..., Report], forward: str
) -> None:
    assert not module(forward=forward).fatal
    other = forward.replace("running_mean", "answer").replace("running_var", "answer")
    other = other.replace("num_batches_tracked", "calls").replace(".data.to(x.device)", ".data + x")
    assert [one.rule for one in module(forward=other).fatal] == ["state"]


def test_a_constructor_seeds_nobody_and_patches_nothing(module: Callable[..., Report]) -> None:
    assert module("torch.manual_seed(0)").fatal
    assert module("torch.allclose = lambda *_: True").fatal
    assert module("TABLE[0] = torch.zeros(3)", more="TABLE = {}\n").fatal


def test_functions_have_no_constructors(around: Examine) -> None:
    source = MODULE.format(init="self.w = torch.randn(n)", forward="return launch(x)", more="")
    source = source.replace("class f", "class Helper") + "\ndef f(x, y):\n    return Helper(3)(x)\n"
    assert [one.rule for one in around(source).fatal] == ["randomness"]
