"""Mistakes of any kernel: right where they make no difference, wrong where they do."""

import pytest
import torch

from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.mutants import MutantRefusal

ROW = torch.arange(12.0)
GRID = torch.arange(12.0).reshape(3, 4)


def twice(
    input: torch.Tensor, out: torch.Tensor | None = None, inplace: bool = False
) -> torch.Tensor:
    result = 2 * input
    return input.copy_(result) if inplace else mistakes.store_result(result, out)


def halved(input: torch.Tensor) -> torch.Tensor:
    return input / 2


@pytest.mark.parametrize("other", [GRID.t(), ROW[::2], GRID[0].expand(3, 4)])
def test_ignored_strides_are_right_for_contiguous_inputs_alone(other: torch.Tensor) -> None:
    answer = mistakes.strides_ignored(twice).answer
    assert torch.equal(answer(GRID), twice(GRID))
    read = answer(other)
    assert read.shape == other.shape
    assert not torch.equal(read, twice(other))


def test_ignored_strides_still_write_the_input() -> None:
    x = torch.arange(12.0)[::2]
    assert mistakes.strides_ignored(twice).answer(x, inplace=True) is x
    assert torch.equal(x, 2 * torch.arange(6.0))


def test_an_ignored_offset_is_right_at_the_beginning_alone() -> None:
    answer = mistakes.offset_ignored(twice).answer
    assert torch.equal(answer(ROW[:6]), twice(ROW[:6]))
    assert torch.equal(answer(ROW[6:]), twice(ROW[:6]))


def test_out_is_ignored_or_filled_beside_a_fresh_tensor() -> None:
    left, filled = torch.zeros(12), torch.zeros(12)
    assert mistakes.out_ignored(twice).answer(ROW, out=left) is not left
    assert mistakes.fresh_beside_out(twice).answer(ROW, out=filled) is not filled
    assert not left.any() and torch.equal(filled, twice(ROW))
    right = torch.zeros(12)
    assert twice(ROW, out=right) is right
    assert torch.equal(mistakes.out_ignored(twice).answer(ROW), twice(ROW))


def test_in_place_is_never_or_always() -> None:
    for inplace in (False, True):
        kept, written = ROW.clone(), ROW.clone()
        mistakes.not_in_place(twice).answer(kept, inplace=inplace)
        assert torch.equal(kept, ROW)
        assert mistakes.always_in_place(twice).answer(written, inplace=inplace) is written
        assert torch.equal(written, twice(ROW))


def test_a_result_is_stored_only_where_there_is_room() -> None:
    room, none = torch.zeros(12), torch.zeros(5)
    assert mistakes.store_result(ROW, room) is room
    assert mistakes.store_result(ROW, none) is ROW and not none.any()


def test_integers_are_truncated_and_floats_are_not() -> None:
    answer = mistakes.truncated_integers(halved).answer
    assert answer(torch.tensor([3])).item() == 1
    assert answer(torch.tensor([3.0])).item() == 1.5


def test_float32_holds_small_integers_and_not_large_ones() -> None:
    answer = mistakes.moved_as_float32(torch.clone).answer
    small, large = torch.tensor([2**24]), torch.tensor([2**24 + 1])
    assert torch.equal(answer(small), small)
    assert not torch.equal(answer(large), large)
    numbers = torch.tensor([1 / 3 + 1j], dtype=torch.complex128)
    assert torch.equal(answer(numbers), numbers)


def test_one_block_is_right_for_what_fits_into_it() -> None:
    answer = mistakes.first_elements_only(twice, 6).answer
    assert torch.equal(answer(ROW[:6]), twice(ROW[:6]))
    assert torch.equal(answer(ROW), torch.cat([twice(ROW[:6]), torch.zeros(6)]))


def test_tf32_keeps_ten_bits_of_float32_and_all_of_other_dtypes() -> None:
    kept, lost = torch.tensor([1 + 2.0**-10]), torch.tensor([1 + 2.0**-12])
    assert torch.equal(mistakes.tf32(kept), kept)
    assert mistakes.tf32(lost).item() == 1.0
    assert torch.equal(mistakes.tf32(lost.double()), lost.double())


def test_a_refusal_comes_where_it_is_asked_for_and_nowhere_else() -> None:
    answer = mistakes.refuses(twice, "no 0-d", lambda x: x.dim() == 0).answer
    assert torch.equal(answer(ROW), twice(ROW))
    with pytest.raises(MutantRefusal, match="no 0-d"):
        answer(torch.tensor(1.0))


def test_an_argument_that_is_ignored_is_named() -> None:
    mutant = mistakes.ignore_argument(twice, "inplace", "W-ARG")
    assert mutant.covers == ("inplace", "W-ARG")
    x = ROW.clone()
    assert torch.equal(mutant.answer(x, inplace=True), twice(ROW)) and torch.equal(x, ROW)
