import pytest
import torch
from torch import nn
from torch.nn import functional

from kernelbenchx.spec.graph_mutants import mutants_of
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.modules import ModuleCall, build_under_seed, draw_weights, run_module


class Layers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.GroupNorm(2, 4)
        self.linear = nn.Linear(6, 6)
        # Filling weights uses operations that `forward` uses, too.
        self.scale = nn.Parameter(torch.ones(4, 1, 1) * 2.0 + 0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.relu(self.norm(self.conv(x)) * self.scale)
        return torch.softmax(functional.relu_(self.linear(x) * 1.5), dim=1)


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.LSTM(5, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)[0]
        return result


class Moves(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.transpose(0, 1).reshape(-1)[1:].clone()


def _call(model: type[nn.Module], *shape: int) -> ModuleCall:
    draw = Draw.from_seed(1)
    state = draw_weights(build_under_seed(1, model, ()), draw, torch.float32)
    return ModuleCall(args=(draw.normal(shape, torch.float32),), state=state)


@pytest.fixture(scope="module")
def layers() -> ModuleCall:
    return _call(Layers, 2, 3, 6, 6)


def test_every_kind_of_mistake_is_named(layers: ModuleCall) -> None:
    names = [mutant.name for mutant in mutants_of(Layers, layers)]
    assert len(set(names)) == len(names)
    assert {
        "relu 1 dropped",
        "relu 2 dropped",
        "relu 1 taken for leaky_relu",
        "convolution 1 without its bias",
        "convolution 1 with its bias rolled",
        "convolution 1 with its kernel flipped",
        "group_norm 1 without its weight",
        "group_norm 1 with eps 100 times as large",
        "group_norm 1 with the other divisor of the variance",
        "addmm 1 with its weights transposed",
        "addmm 1 without its last term",
        "mul 1 with its operand rolled",
        "mul 2 with its number 1 % larger",
        "softmax 1 over dimension 3",
    } <= set(names)


def test_each_mutant_answers_something_else_of_the_same_shape(layers: ModuleCall) -> None:
    wide = layers.widen()
    truth = run_module(Layers, wide.copy())
    for mutant in mutants_of(Layers, layers):
        with mutant.mode():
            answer = run_module(Layers, wide.copy())
        assert answer.shape == truth.shape, mutant.name
        assert float((answer - truth).abs().max()) > 1e-9, mutant.name


def test_after_a_mutant_the_module_is_right_again(layers: ModuleCall) -> None:
    truth = run_module(Layers, layers.copy())
    with mutants_of(Layers, layers)[0].mode():
        pass
    assert torch.equal(run_module(Layers, layers.copy()), truth)


def test_the_second_relu_is_not_the_first(layers: ModuleCall) -> None:
    found = {mutant.name: mutant for mutant in mutants_of(Layers, layers)}
    answers = []
    for name in ("relu 1 dropped", "relu 2 dropped"):
        with found[name].mode():
            answers.append(run_module(Layers, layers.copy()))
    assert not torch.equal(*answers)


def test_building_the_module_is_left_alone(layers: ModuleCall) -> None:
    found = {mutant.name: mutant for mutant in mutants_of(Layers, layers)}
    with found["mul 1 dropped"].mode():
        fresh = build_under_seed(0, Layers, ())
    assert fresh.state_dict()["scale"].flatten().tolist() == [2.5] * 4


def test_recurrent_layers_are_opened() -> None:
    names = {mutant.name for mutant in mutants_of(Recurrent, _call(Recurrent, 4, 2, 5))}
    assert {"tanh 1 dropped", "addmm 2 without its bias"} <= names


def test_moving_elements_has_no_mutants() -> None:
    assert mutants_of(Moves, _call(Moves, 3, 4)) == ()


def test_some_of_many_are_spread_evenly(layers: ModuleCall) -> None:
    every = mutants_of(Layers, layers)
    some = mutants_of(Layers, layers, most=5)
    assert len(some) == 5
    assert [one.name for one in some] == [every[n * len(every) // 5].name for n in range(5)]
