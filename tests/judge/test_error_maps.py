import math

import pytest
import torch

from kernelbenchx.core.error_map import INFINITE, NOTHING, bounds, is_wrong
from kernelbenchx.core.record import to_json
from kernelbenchx.judge.error_maps import error_map


def _wrong_cells(errors: torch.Tensor) -> set[tuple[int, int]]:
    found = error_map(errors)
    assert found is not None
    return {
        (down, across)
        for down, row in enumerate(found.rows())
        for across, letter in enumerate(row)
        if is_wrong(letter)
    }


def test_one_wrong_element_of_many_is_one_cell() -> None:
    errors = torch.zeros(1000, 333)
    errors[999, 0] = 5.0
    assert _wrong_cells(errors) == {(31, 0)}
    assert _wrong_cells(torch.zeros(1000, 333)) == set()


def test_the_tail_of_a_folded_output_is_at_its_end() -> None:
    errors = torch.zeros(1000)
    errors[768:] = math.inf
    found = error_map(errors)
    assert found is not None and found.lines == (32, 32) and found.wrong == ""
    assert "".join(found.rows()) == "0" * 768 + INFINITE * 232 + NOTHING * 24


@pytest.mark.parametrize("error", [1e-3, 0.3, 1.0, 1.0000001, 1.78, 46.1, 1e4, 1e12])
def test_a_letter_holds_its_error(error: float) -> None:
    found = error_map(torch.full((2, 2), error, dtype=torch.float64))
    assert found is not None
    low, high = bounds(found.cells[0])
    assert low * (1 - 1e-9) <= error <= high * (1 + 1e-9)
    assert is_wrong(found.cells[0]) == (error > 1)


def test_what_is_no_number_counts_as_infinite() -> None:
    found = error_map(torch.tensor([[math.nan, 0.0], [math.inf, 0.5]]))
    assert found is not None
    assert found.cells[0] == found.cells[2] == INFINITE


def test_shares_of_a_cell_are_eighths_and_all_is_told_from_nearly_all() -> None:
    errors = torch.zeros(64, 64)
    errors[:2, :2] = 2.0
    errors[:2, 2] = 2.0
    errors[0, 4] = 2.0
    found = error_map(errors)
    assert found is not None and found.steps == (2, 2)
    assert found.wrong[:4] == "9530"
    # An incomplete cell at the edge counts only elements that are there.
    odd = torch.zeros(33, 33)
    odd[32, 32] = 2.0
    edge = error_map(odd)
    assert edge is not None and edge.wrong[-1] == "9" and set(edge.wrong[:-1]) == {"0"}


def test_a_map_is_small_whatever_the_output_is() -> None:
    for shape in ((), (1,), (7, 3), (5, 6, 7, 8), (100_000,), (4096, 513)):
        found = error_map(torch.rand(shape))
        assert found is not None
        assert len(to_json(found)) < 2200
        down, across = found.size
        assert len(found.cells) == down * across <= 1024
        assert found.shape == shape
    assert error_map(torch.zeros(0, 3)) is None
