import torch

from kernelbenchx import catalog
from kernelbenchx.spec.mutants import Mutant

TASK = catalog.load("normalization/spectral_norm_eig")


def test_matrices_are_square_and_batches_are_drawn() -> None:
    shapes = [TASK.draw(case, 1).args[0].shape for case in TASK.cases(2)]
    assert all(shape[-1] == shape[-2] for shape in shapes)
    assert {len(shape) for shape in shapes} >= {2, 3}


def test_a_wrong_answer_goes_into_out_as_it_should() -> None:
    a = torch.diag(torch.tensor([3.0, -5.0]))
    for mutant in TASK.mutants:
        if isinstance(mutant, Mutant) and mutant.name != "one tile only":
            out = torch.zeros(())
            assert mutant.answer(a, out=out) is out


def test_one_element_goes_with_few_layouts() -> None:
    assert TASK.space is not None
    chosen = {axis.name: axis.options[0].name for axis in TASK.space.axes}
    assert TASK.space.valid(chosen | {"shape": "one element"})
    assert not TASK.space.valid(chosen | {"shape": "one element", "layout": "transposed"})
