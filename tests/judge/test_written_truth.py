"""What is returned and written at once is judged by one truth, which nothing has rounded."""

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec import Call

NAMES = ("reduce/mean", "math/airy_ai", "math/pow")


@pytest.mark.parametrize("name", NAMES)
def test_out_of_16_bits_has_the_unrounded_truth(name: str) -> None:
    task = catalog.load(name)
    x = torch.linspace(0.1, 1.7, 40, dtype=torch.float16)
    more = {"reduce/mean": (0,), "math/pow": (2.5,)}.get(name, ())
    out = torch.empty((), dtype=x.dtype) if name == "reduce/mean" else torch.empty_like(x)
    returned, written = truth_of(task, Call((x, *more), {"out": out})).exact
    assert returned.dtype == written.dtype == torch.float64
    assert torch.equal(returned, written)
    assert not torch.equal(written, written.half().double())


def test_what_is_written_beside_a_result_keeps_its_own_truth() -> None:
    task = catalog.load("normalization/batch_norm")
    case = next(one for one in task.cases(1) if one.params.get("training"))
    truth = truth_of(task, task.draw(case, 3))
    result, mean, variance = truth.exact
    assert mean.shape == variance.shape != result.shape
    assert not torch.equal(mean, variance)


def test_half_powers_of_minus_infinity_are_those_of_c() -> None:
    task = catalog.load("math/pow")
    x = torch.full((5,), -torch.inf)
    for exponent in (0.5, torch.tensor(0.5)):
        assert truth_of(task, Call((x, exponent))).exact[0].tolist() == [torch.inf] * 5
    assert truth_of(task, Call((-x.sign() * -4, 0.5))).exact[0].isnan().all()
