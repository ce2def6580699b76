import torch

from kernelbenchx import catalog
from kernelbenchx.spec.mutants import Mutant

TASK = catalog.load("fusion/fused_sigmoid_batch_norm")


def found(name: str) -> Mutant:
    return next(one for one in TASK.mutants if isinstance(one, Mutant) and one.name == name)


def test_training_needs_more_than_one_element() -> None:
    assert TASK.space is not None
    chosen = {axis.name: axis.options[0].name for axis in TASK.space.axes}
    assert TASK.space.valid(chosen | {"training": "yes"})
    assert not TASK.space.valid(chosen | {"training": "yes", "shape": "one element"})
    assert TASK.space.valid(chosen | {"training": "no", "shape": "one element"})


def test_running_statistics_that_are_not_updated_are_a_wrong_answer() -> None:
    x, mean, var = torch.arange(12.0).view(4, 3), torch.zeros(3), torch.ones(3)
    found("running statistics not updated").answer(x, mean, var, training=True)
    assert not mean.any()
    TASK.reference(x, mean, var, training=True)
    assert mean.all()


def test_every_option_has_a_mutant_that_ignores_it() -> None:
    covered = {word for one in TASK.mutants for word in one.covers}
    assert {"momentum", "eps", "training", "weight", "bias"} <= covered
