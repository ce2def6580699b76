import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.call import Call, call


def test_arguments_are_passed_as_they_stand() -> None:
    assert apply_function(lambda a, *, b: a - b, call(5, b=2)) == 3


def test_parameters_of_a_module_come_as_state() -> None:
    weight = torch.tensor([3.0])
    found = apply_function(
        lambda x, *, state: x * state["weight"], Call(args=(2.0,), state={"weight": weight})
    )
    assert found.tolist() == [6.0]
