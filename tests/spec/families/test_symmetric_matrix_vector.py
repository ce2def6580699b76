import torch

from kernelbenchx import catalog

TASK = catalog.load("normalization/symmetric_matrix_vector_norm")


def test_the_matrix_is_symmetric_whatever_its_values() -> None:
    for case in TASK.cases(1):
        a = TASK.draw(case, 3).args[0]
        assert torch.equal(a.nan_to_num(nan=7.0), a.mT.nan_to_num(nan=7.0)), case.name


def test_one_triangle_is_enough() -> None:
    assert TASK.cost(n=100, dtype=torch.float32).bytes == (5050 + 101) * 4


def test_strides_of_both_arguments_are_promised() -> None:
    assert {one.axis for one in TASK.promises} >= {"layout", "x_layout"}


def test_one_element_has_one_layout() -> None:
    assert TASK.space is not None
    chosen = {axis.name: axis.options[0].name for axis in TASK.space.axes}
    assert TASK.space.valid(chosen | {"n": "one"})
    assert not TASK.space.valid(chosen | {"n": "one", "layout": "transposed"})
