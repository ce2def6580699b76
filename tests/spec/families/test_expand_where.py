"""Choices between two tensors: what the family accepts and rejects, shown by torch.where."""

from typing import Any

import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.expand_where import choosing
from rejections import is_caught, living, rejecting


def where(
    input: torch.Tensor, target_sizes: tuple[int, ...], cond: torch.Tensor, other: torch.Tensor
) -> torch.Tensor:
    return torch.where(cond, input.expand(target_sizes), other)


TASK = choosing(
    where,
    strides="Any strides.",
    other_dtypes=(torch.float64, torch.int64, torch.bool),
    dtype_text="Any dtype.",
    corners=({"shape": "matrix"}, {"shape": "matrix", "dtype": "int64"}),
    timings=case(shape=(4, 4), source=(1, 4), dtype=torch.float32),
    difficulty=1,
)


def test_the_reference_is_right_and_every_wrong_answer_is_seen() -> None:
    assert list(rejecting(TASK, where, 0)) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_what_is_not_chosen_must_not_leak_and_the_choice_counts() -> None:
    def leaking(input: Any, sizes: Any, cond: Any, other: Any) -> Any:
        right = where(input, sizes, cond, other)
        return right + 0 * other if right.is_floating_point() else right

    assert is_caught(TASK, leaking)
    assert is_caught(TASK, lambda x, sizes, cond, y: where(x, sizes, ~cond, y))


def test_minus_one_keeps_a_size_and_stands_for_no_new_dimension() -> None:
    shaped = {"shape": (3, 4), "dtype": torch.float32, "target": "minus one"}
    for source, sizes in (((1, 4), (3, -1)), ((4,), (3, -1)), ((3, 4), (-1, -1)), ((), (3, 4))):
        drawn = TASK.draw(case(**shaped, source=source)[0], 0)
        assert drawn.args[1] == sizes
        assert drawn.args[0].expand(drawn.args[1]).shape == (3, 4)
    assert TASK.draw(case(shape=(3, 4), source=(4,), dtype=torch.float32)[0], 0).args[1] == (3, 4)


def test_the_cost_counts_a_broadcast_tensor_once_and_what_is_chosen() -> None:
    shaped = {"shape": (1000, 64), "dtype": torch.float32}
    written = 64_000 * 4
    rows = TASK.cost(**shaped, source=(1, 64), cond=(1000, 1)).bytes
    assert written + 1000 + 256 + 0.4 * written < rows < written + 1000 + 256 + 0.5 * written
    assert TASK.cost(**shaped).bytes > rows


def test_the_huge_call_has_slices_of_its_own() -> None:
    assert TASK.huge is not None
    drawn = TASK.draw(TASK.huge.make_case(10), 0)
    whole = where(*drawn.args)
    parts: list[Any] = [one[2:5] if isinstance(one, torch.Tensor) else one for one in drawn.args]
    assert torch.equal(where(*parts), whole[2:5])
