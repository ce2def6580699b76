"""Sizes of published problems that a CPU can judge."""

import pytest

from kernelbenchx.problem_worker.problem_source import ProblemSource
from kernelbenchx.problem_worker.smaller import ELEMENTS, FLOPS, NotReduced, cost, smaller
from published_problems import HUGE, LARGE


def test_sizes_get_smaller_until_a_cpu_can_judge_them() -> None:
    problem = ProblemSource(LARGE)
    sizes = smaller(problem)
    assert cost(problem, {}).elements > ELEMENTS
    found = cost(problem, sizes)
    assert found.flops <= FLOPS and found.elements <= ELEMENTS
    assert all(size >= 1 for size in sizes.values() if isinstance(size, int))


def test_small_ones_stay_as_they_are() -> None:
    assert smaller(ProblemSource(LARGE.replace("4096, 8192", "4, 8"))) == {}


def test_sizes_that_are_tied_together_shrink_together() -> None:
    text = LARGE.replace("rows, wide = 4096, 8192", "rows, wide = 4096, 8192\nother = 8192")
    text = text.replace("return [wide]", "return [other]")
    sizes = smaller(ProblemSource(text))
    assert sizes.get("wide") == sizes.get("other")
    assert cost(ProblemSource(text), sizes).elements <= ELEMENTS


def test_what_cannot_be_reduced_is_said() -> None:
    with pytest.raises(NotReduced, match=r"e\+09 elements and .* at the smallest sizes"):
        smaller(ProblemSource(HUGE))


def test_a_model_that_raises_is_not_taken_for_one_that_is_small() -> None:
    with pytest.raises(AttributeError):
        smaller(ProblemSource(LARGE.replace("torch.relu(x", "x.nothing(x")))


def test_weights_get_smaller_too_and_nothing_else_for_their_sake() -> None:
    text = LARGE.replace("4096, 8192", "2, 64").replace("torch.randn(wide)", "torch.randn(heavy)")
    text = text.replace("* self.scale +", "* self.scale.mean() +") + "\nheavy = 1 << 22\n"
    assert smaller(ProblemSource(text.replace("1 << 22", "4194304"))) == {"heavy": 524288}
