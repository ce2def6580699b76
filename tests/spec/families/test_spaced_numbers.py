import torch

from kernelbenchx import catalog
from kernelbenchx.spec.mutants import Mutant

TASK = catalog.load("random/logspace")


def answer(name: str, *args: float) -> torch.Tensor:
    mutant = next(one for one in TASK.mutants if isinstance(one, Mutant) and one.name == name)
    found: torch.Tensor = mutant.answer(*args)
    return found


def test_the_ends_are_told_apart() -> None:
    right = TASK.reference(0.0, 2.0, 3)
    assert torch.allclose(right, torch.tensor([1.0, 10.0, 100.0]))
    assert torch.allclose(answer("start and end swapped", 0.0, 2.0, 3), right.flip(0))
    assert answer("the last is left out", 0.0, 2.0, 3)[-1] < 50


def test_no_and_one_step_are_promised() -> None:
    (promise,) = (one for one in TASK.promises if one.axis == "steps")
    assert set(promise.options) == {"one", "none", "many"}
    assert promise.mutant in TASK.wrong_answers


def test_ends_come_as_numbers_and_as_tensors() -> None:
    kinds = {type(TASK.draw(case, 1).args[0]) for seed in range(3) for case in TASK.cases(seed)}
    assert kinds >= {float, torch.Tensor}


def test_nothing_is_read() -> None:
    assert TASK.cost(steps=10, dtype=torch.float16).bytes == 20
