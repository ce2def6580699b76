"""Products: what the family accepts and rejects, shown by tasks made of a line."""

import pytest
import torch

from kernelbenchx.spec import any_ranks, case, matmul
from kernelbenchx.spec.families.matmul import shapes_of
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths, scopes_of


def mm(input: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    return torch.matmul(input, mat2)


def plus(
    input: torch.Tensor, a: torch.Tensor, b: torch.Tensor, beta: float = 1, alpha: float = 1
) -> torch.Tensor:
    return torch.addmm(input, a, b, beta=beta, alpha=alpha)


TIMED = case(sizes=(64, 64, 64), dtype=torch.float32)
F32 = (torch.float32,)
PLAIN = matmul(mm, ranks=any_ranks(), dtypes=F32, timings=TIMED, mutants=(), difficulty=1)
ADDED = matmul(plus, dtypes=F32, timings=TIMED, mutants=(), difficulty=1)


@pytest.mark.slow
@pytest.mark.parametrize("task", [PLAIN, ADDED])
def test_the_reference_is_right_and_every_broken_promise_is_seen(task: Task) -> None:
    for seed in range(3):
        assert refused_truths(task, seed) == []
    assert living(task) == []


def _at_most_4096_columns(input: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    result = mm(input, mat2)
    return torch.cat((result[..., :4096], 0 * result[..., 4096:]), -1) if result.dim() else result


def _short_sums(input: torch.Tensor, mat2: torch.Tensor) -> torch.Tensor:
    down = 0 if mat2.dim() == 1 else -2
    most = min(input.shape[-1], 4096)
    return mm(input.narrow(-1, 0, most), mat2.narrow(down, 0, most))


def test_one_block_of_columns_or_of_terms_is_not_enough() -> None:
    for seed in range(3):
        assert is_caught(PLAIN, _at_most_4096_columns, seed)
        assert is_caught(PLAIN, _short_sums, seed)


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(ADDED)
    assert asked["sizes", "long sum"] == {"scale"}
    assert asked["sizes", "empty sum"] == asked["bias", "0-d"] == {"degenerate"}
    assert asked["second_layout", "strided"] == asked["bias_layout", "strided"] == {"layout"}
    assert asked["bias", "vector"] == asked["beta", "zero"] == set()


def test_ranks_say_the_shapes_of_operands_and_result() -> None:
    assert shapes_of((2, 3, 4)) == ((2, 3), (3, 4), (2, 4))
    assert shapes_of((2, 3, 4), ((5, 1), (6,))) == ((5, 1, 2, 3), (6, 3, 4), (5, 6, 2, 4))
    assert shapes_of((2, 3, 4), (None, None)) == ((3,), (3,), ())


def test_a_task_counts_what_is_added() -> None:
    given = {"sizes": (2, 3, 4), "dtype": torch.float16}
    assert PLAIN.cost(**given).bytes == 2 * (6 + 12 + 8)
    assert ADDED.cost(**given).bytes == 2 * (6 + 12 + 8 + 8)
    assert ADDED.cost(**given, bias=(4,)).bytes == 2 * (6 + 12 + 8 + 4)
    assert ADDED.cost(**given).flops - PLAIN.cost(**given).flops == 3 * 8
