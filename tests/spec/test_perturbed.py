import torch

from kernelbenchx.spec.call import call
from kernelbenchx.spec.perturbed import Perturbed

U = 2.0**-24


def _scale(function: object, *args: torch.Tensor) -> torch.Tensor:
    return Perturbed(function).scale(call(*args), U)[0]  # type: ignore[arg-type]


def test_the_scale_of_an_elementwise_function_is_its_condition() -> None:
    x = torch.tensor([0.5, 1.0, 10.0], dtype=torch.float64)
    assert torch.allclose(_scale(torch.exp, x), x * x.exp(), rtol=1e-5)


def test_the_moves_of_several_inputs_are_added_up() -> None:
    a, b = torch.tensor([3.0]).double(), torch.tensor([2.0]).double()
    assert torch.allclose(_scale(lambda x, y: x / y, a, b), torch.tensor([3.0]).double(), rtol=1e-5)


def test_cancellation_magnifies() -> None:
    x = torch.tensor([1000.0], dtype=torch.float64)
    assert float(_scale(lambda v: (v + 1) - v, x)) < 1e-3
    assert float(_scale(lambda v: torch.sin(v * 1000), x)) > 1e5


def test_a_sum_moves_by_random_signs_too() -> None:
    x = torch.cat([torch.ones(512), -torch.ones(512)]).double()
    assert float(_scale(lambda v: v.sum(), x)) > 1.0


def test_integers_and_infinite_moves_count_for_nothing() -> None:
    x = torch.tensor([0.0, 1.0], dtype=torch.float64)
    index = torch.tensor([1, 0])
    assert _scale(lambda v, i: (1 / v)[i], x, index).tolist()[1] == 0.0


def test_the_arguments_are_left_alone() -> None:
    x = torch.ones(3, dtype=torch.float64)
    _scale(lambda v: v.mul_(2), x)
    assert x.tolist() == [1.0, 1.0, 1.0]
