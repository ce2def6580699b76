"""Which weight goes where, whatever a submission calls its own."""

import pytest
import torch
from torch import nn

from kernelbenchx.worker.weights import (
    WeightsDoNotFit,
    fit_weights,
    held_by,
    share_memory,
    take_copies,
)


class Layers(nn.Module):
    """Parameters of given names and shapes, in order."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        super().__init__()
        for name, shape in shapes.items():
            setattr(self, name, nn.Parameter(torch.zeros(shape)))


def _own(module: nn.Module, name: str) -> torch.Tensor:
    return dict(module.named_parameters())[name]


def _given(**shapes: tuple[int, ...]) -> dict[str, torch.Tensor]:
    return {name.replace("__", "."): torch.randn(shape) for name, shape in shapes.items()}


def test_names_come_before_places() -> None:
    given = _given(a=(3,), b=(3,))
    module = Layers(b=(3,), a=(3,))
    fit = fit_weights(module, given)
    take_copies(fit)
    assert fit.route == "name"
    assert torch.equal(_own(module, "a"), given["a"]) and torch.equal(_own(module, "b"), given["b"])


def test_places_count_where_a_name_differs() -> None:
    given = _given(layer__weight=(4, 3), layer__bias=(4,))
    module = Layers(first=(4, 3), second=(4,))
    fit = fit_weights(module, given)
    take_copies(fit)
    assert fit.route == "place"
    assert torch.equal(_own(module, "first"), given["layer.weight"])
    assert fit_weights(Layers(second=(4,), first=(4, 3)), given).route == "shape"


def test_the_last_part_of_a_name_finds_its_weight() -> None:
    given = _given(layer__weight=(4, 3), layer__bias=(4,))
    module = Layers(bias=(4,), weight=(4, 3))
    fit = fit_weights(module, given)
    take_copies(fit)
    assert fit.route == "part"
    assert torch.equal(_own(module, "weight"), given["layer.weight"])
    with pytest.raises(WeightsDoNotFit):
        fit_weights(Layers(bias=(4,), weight=(4, 3), scale=(1,)), given)


def test_a_shape_that_only_one_has_finds_its_weight() -> None:
    """Own parameters come first in a module, whatever place their layer has."""
    given = _given(wide__weight=(6, 2), wide__bias=(6,), deep__weight=(6, 1, 5), deep__bias=(6,))
    module = nn.Module()
    module.wide, module.norm = Layers(weight=(6, 2), bias=(6,)), Layers(bias=(6,))
    module.deep_weight = nn.Parameter(torch.zeros(6, 1, 5))
    fit = fit_weights(module, given)
    take_copies(fit)
    assert fit.route == "shape"
    assert torch.equal(_own(module, "deep_weight"), given["deep.weight"])
    assert torch.equal(_own(module, "norm.bias"), given["deep.bias"])


@pytest.mark.parametrize(
    "shapes",
    [
        {"one": (4, 3), "two": (4, 3), "bias": (4,)},
        {"one": (4, 3)},
        {"one": (4, 3), "two": (5,), "bias": (4,)},
        {"one": (3, 4), "bias": (4,)},
    ],
    ids=["two alike", "one missing", "one more", "transposed"],
)
def test_shapes_that_leave_a_choice_fit_nothing(shapes: dict[str, tuple[int, ...]]) -> None:
    module = Layers(**dict(reversed(shapes.items())))
    with pytest.raises(WeightsDoNotFit, match="nor by shape"):
        fit_weights(module, _given(a__weight=(4, 3), b__weight=(4, 3), c__bias=(4,)))


def test_buffers_may_be_missing_and_parameters_may_not() -> None:
    norm = nn.BatchNorm1d(3)
    state = norm.state_dict()
    names = [name for name, _ in norm.named_buffers()]
    assert fit_weights(Layers(weight=(3,), bias=(3,)), state, names).route == "name"
    with pytest.raises(WeightsDoNotFit, match="no `weight`"):
        fit_weights(Layers(bias=(3,)), state, names)
    with pytest.raises(WeightsDoNotFit):
        fit_weights(Layers(weight=(3,), bias=(3,)), state)


def test_buffers_of_the_same_name_are_loaded() -> None:
    state = {**nn.BatchNorm1d(3).state_dict(), "running_mean": torch.tensor([1.0, 2.0, 3.0])}
    own = nn.BatchNorm1d(3)
    take_copies(fit_weights(own, state, ("running_mean", "running_var", "num_batches_tracked")))
    assert own.running_mean is not None
    assert own.running_mean.tolist() == [1.0, 2.0, 3.0]


def test_parameters_kept_as_buffers_count() -> None:
    module = nn.Module()
    module.register_buffer("weight", torch.zeros(2))
    assert fit_weights(module, _given(weight=(2,))).route == "name"


def test_one_parameter_under_two_names_is_one() -> None:
    module = Layers(weight=(2,))
    module.also = module.weight
    assert fit_weights(module, _given(weight=(2,))).route == "name"
    other = Layers(weight=(2,), also=(2,))
    with pytest.raises(WeightsDoNotFit, match="`also` of shape"):
        fit_weights(other, _given(weight=(2,)))


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (
            Layers(weight=(3, 4), bias=(4,)),
            "transposed: `weight` has shape (3, 4), expected (4, 3)",
        ),
        (Layers(weight=(4, 5), bias=(4,)), "`weight` has shape (4, 5), expected (4, 3)"),
        (Layers(weight=(4, 3)), "no `bias` of shape (4,)"),
        (Layers(q=(2, 3), k=(2, 3), bias=(4,)), "`q` of shape (2, 3) is not in the task"),
        (Layers(), "the module has no parameters"),
    ],
)
def test_one_line_names_what_does_not_fit(module: nn.Module, words: str) -> None:
    with pytest.raises(WeightsDoNotFit) as raised:
        fit_weights(module, _given(weight=(4, 3), bias=(4,)))
    said = str(raised.value)
    assert words in said and "\n" not in said
    assert said.startswith("weights fit neither by name nor by place")


def test_an_object_that_is_no_module_holds_what_its_attributes_hold() -> None:
    class Plain:
        def __init__(self) -> None:
            self.layer, self.scale, self.size = nn.Linear(3, 4), torch.zeros(2), 7

    assert set(held_by(Plain()).all) == {"layer.weight", "layer.bias", "scale"}


def test_shared_memory_shows_later_values_and_copies_do_not() -> None:
    given = _given(weight=(2,))
    sharing, copying = Layers(weight=(2,)), Layers(weight=(2,))
    share_memory(fit_weights(sharing, given))
    take_copies(fit_weights(copying, given))
    given["weight"].fill_(5.0)
    assert _own(sharing, "weight").tolist() == [5.0, 5.0]
    assert _own(copying, "weight").tolist() != [5.0, 5.0]
