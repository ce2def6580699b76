"""Modules are built under a seed, in a dtype, and once for equal arguments and weights."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from kernelbenchx.worker.modules import Modules, NoForward, build, set_tf32
from kernelbenchx.worker.order import Arguments, Order
from kernelbenchx.worker.values import PackedStorages
from kernelbenchx.worker.weights import WeightsDoNotFit


class Layer(nn.Linear):
    pass


class Plain:
    """No module, but with `forward`."""

    def __init__(self, wide: int, out: int) -> None:
        self.layer = nn.Linear(wide, out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layer(x)
        return found


def _arguments(dtype: torch.dtype = torch.float32, **more: Any) -> Arguments:
    x = torch.ones(2, 3, dtype=dtype)
    state = more.pop("state", None)
    return Arguments((x,), {}, (3, 4), state or {}, {}, **more)


def _state() -> dict[str, torch.Tensor]:
    return {"weight": torch.full((4, 3), 2.0), "bias": torch.ones(4)}


def test_weights_of_a_seed_are_those_that_the_judge_draws() -> None:
    torch.manual_seed(11)
    wanted = nn.Linear(3, 4).weight
    built = build(Layer, _arguments(weights_seed=11), "cpu")
    assert built.route == "seed" and torch.equal(built.module.weight, wanted)
    other = build(Layer, _arguments(weights_seed=12), "cpu")
    assert not torch.equal(other.module.weight, wanted)


def test_given_weights_win_over_a_seed_unless_nothing_is_loaded() -> None:
    given = build(Layer, _arguments(state=_state(), weights_seed=11), "cpu")
    assert given.route == "seed" and given.module.weight[0, 0] == 2.0
    alone = build(Layer, _arguments(state=_state(), weights_seed=11, loads=False), "cpu")
    assert alone.route == "seed" and alone.module.weight[0, 0] != 2.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_module_has_the_dtype_of_its_inputs(dtype: torch.dtype) -> None:
    built = build(Layer, _arguments(dtype, state=_state()), "cpu")
    assert built.module.weight.dtype is dtype
    assert built(torch.ones(2, 3, dtype=dtype)).dtype is dtype


def test_it_is_in_training_mode_and_records_no_gradients() -> None:
    built = build(Layer, _arguments(state=_state()), "cpu")
    assert built.module.training
    assert not built(torch.ones(2, 3)).requires_grad


def test_a_class_that_is_no_module_needs_forward() -> None:
    state = {f"layer.{name}": one for name, one in _state().items()}
    built = build(Plain, _arguments(state=state), "cpu")
    assert built(torch.ones(2, 3)).tolist() == [[7.0] * 4] * 2
    with pytest.raises(NoForward):
        build(lambda *_: object(), _arguments(), "cpu")


def test_weights_that_fit_nowhere_are_an_error_of_the_call() -> None:
    with pytest.raises(WeightsDoNotFit):
        build(Layer, _arguments(state={"weight": torch.zeros(9)}), "cpu")


def _order(states: list[dict[str, torch.Tensor]], **more: Any) -> Order:
    storages, calls = PackedStorages(), []
    for state in states:
        described = {}
        for name, one in state.items():
            described[name] = {
                "t": "tensor",
                "storage": storages.add(one),
                "dtype": "float32",
                "shape": list(one.shape),
                "strides": list(one.stride()),
                "offset": 0,
            }
        numbers = [{"t": "number", "v": 3}, {"t": "number", "v": 4}]
        calls.append({"args": [], "kwargs": {}, "init": numbers, "state": described, **more})
    header = {"mode": "cuda", "device": "cpu", "calls": calls, "storages": storages.spans}
    return Order(json.loads(json.dumps(header)), memoryview(storages.payload()))


def test_equal_weights_share_a_module_and_others_do_not() -> None:
    other = {**_state(), "bias": torch.zeros(4)}
    order = _order([_state(), _state(), other])
    modules = Modules(Layer, order)
    arguments = [_arguments(state=one) for one in (_state(), _state(), other)]
    first, second, third = (modules.of(at, one) for at, one in enumerate(arguments))
    assert first is second
    assert third is not first


def test_a_module_that_no_later_call_needs_is_dropped() -> None:
    modules = Modules(Layer, _order([_state(), _state()]))
    first = modules.of(0, _arguments(state=_state()))
    modules.release(0)
    assert modules.of(1, _arguments(state=_state())) is first
    modules.release(1)
    assert modules.of(1, _arguments(state=_state())) is not first


@pytest.fixture
def switches() -> Iterator[None]:
    before = torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32
    yield
    torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = before


@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("on", [True, False])
def test_an_order_says_how_torch_multiplies(on: bool) -> None:
    set_tf32(on)
    set_tf32(None)
    assert torch.backends.cuda.matmul.allow_tf32 is on
    assert torch.backends.cudnn.allow_tf32 is on


def test_layers_draw_no_weights_where_others_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    known = torch.nn.init.kaiming_uniform_

    def noted(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        drawn.append("kaiming")
        return known(tensor, *args, **kwargs)

    monkeypatch.setattr(torch.nn.init, "kaiming_uniform_", noted)
    given = nn.Linear(3, 2).state_dict()
    drawn.clear()
    x = torch.ones(1, 3)
    built = build(nn.Linear, Arguments((x,), {}, (3, 2), given, {}), "cpu")
    assert not drawn and torch.equal(built(x), x @ given["weight"].T + given["bias"])
    assert torch.nn.init.kaiming_uniform_ is noted
    build(nn.Linear, Arguments((x,), {}, (3, 2), {}, {}), "cpu")
    assert drawn == ["kaiming"], "without weights of the call its own count"
