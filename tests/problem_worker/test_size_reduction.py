"""Sizes of published problems that a CPU can judge."""

import pytest

from kernelbenchx.problem_worker.call_cost import cost
from kernelbenchx.problem_worker.problem_source import ProblemSource
from kernelbenchx.problem_worker.size_reduction import (
    AVERAGED,
    ELEMENTS,
    FLOPS,
    NotReduced,
    find_smaller_sizes,
)
from published_problems import HUGE, LARGE, NORMALIZED, RECURRENT


def test_sizes_get_smaller_until_a_cpu_can_judge_them() -> None:
    problem = ProblemSource(LARGE)
    sizes = find_smaller_sizes(problem)
    assert cost(problem, {}).elements > ELEMENTS
    found = cost(problem, sizes)
    assert found.flops <= FLOPS and found.elements <= ELEMENTS
    assert all(size >= 1 for size in sizes.values() if isinstance(size, int))


def test_small_ones_stay_as_they_are() -> None:
    assert find_smaller_sizes(ProblemSource(LARGE.replace("4096, 8192", "4, 8"))) == {}


def test_sizes_that_are_tied_together_shrink_together() -> None:
    text = LARGE.replace("rows, wide = 4096, 8192", "rows, wide = 4096, 8192\nother = 8192")
    text = text.replace("return [wide]", "return [other]")
    sizes = find_smaller_sizes(ProblemSource(text))
    assert sizes.get("wide") == sizes.get("other")
    assert cost(ProblemSource(text), sizes).elements <= ELEMENTS


def test_what_cannot_be_reduced_is_said() -> None:
    with pytest.raises(NotReduced, match=r"e\+09 elements and .* at the smallest sizes"):
        find_smaller_sizes(ProblemSource(HUGE))


def test_a_batch_of_one_is_taken_where_no_other_size_can_shrink() -> None:
    text = LARGE.replace("rows, wide = 4096, 8192", "batch = 8").replace("rows", "batch")
    text = text.replace("(batch, wide)", "(batch, {})").replace("[wide]", "[{}]")
    fits, too_large = (ProblemSource(text.replace("{}", wide)) for wide in ("1500000", "3000000"))
    assert find_smaller_sizes(fits) == {"batch": 2}
    assert find_smaller_sizes(too_large) == {"batch": 1}


def test_a_model_that_raises_is_not_taken_for_one_that_is_small() -> None:
    with pytest.raises(AttributeError):
        find_smaller_sizes(ProblemSource(LARGE.replace("torch.relu(x", "x.nothing(x")))


def test_weights_get_smaller_too_and_nothing_else_for_their_sake() -> None:
    text = LARGE.replace("4096, 8192", "2, 64").replace("torch.randn(wide)", "torch.randn(heavy)")
    text = text.replace("* self.scale +", "* self.scale.mean() +") + "\nheavy = 1 << 22\n"
    assert find_smaller_sizes(ProblemSource(text.replace("1 << 22", "4194304"))) == {
        "heavy": 524288
    }


def test_recurrent_networks_get_fewer_steps() -> None:
    sizes = find_smaller_sizes(ProblemSource(RECURRENT))
    assert sizes == {"batch": 2, "steps": 128}
    assert cost(ProblemSource(RECURRENT), sizes).flops <= FLOPS


def test_means_of_normalizations_keep_enough_numbers_and_others_need_none() -> None:
    batches = ("rows, wide", "batch, wide"), ("(rows,", "(batch,")
    normalized, plain = NORMALIZED, LARGE
    for old, new in batches:
        normalized, plain = normalized.replace(old, new), plain.replace(old, new)
    assert find_smaller_sizes(ProblemSource(plain))["batch"] == 2
    assert find_smaller_sizes(ProblemSource(normalized))["batch"] == AVERAGED


def test_means_of_fewer_numbers_stay_as_they_are_published() -> None:
    text = NORMALIZED.replace("4096, 8192", "4, 131072")
    sizes = find_smaller_sizes(ProblemSource(text))
    assert "rows" not in sizes and sizes["wide"] == 4096
