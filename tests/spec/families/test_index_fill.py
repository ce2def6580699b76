"""Filling of slices in place: what the family accepts and rejects, shown by index_fill_ itself."""

import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.index_fill import ONCE, filling
from rejections import is_caught, living, rejecting, scopes_of


def fill(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    return x.index_fill_(dim, index, value)


SMALL = {"shape": (40, 8), "dim": 0, "index": 20, "dtype": torch.float32, "value": 0.5}
TASK = filling(fill, timings=case(**SMALL, counted=ONCE), difficulty=1)


def test_the_reference_is_right_and_every_wrong_answer_is_seen() -> None:
    assert list(rejecting(TASK, fill, 0)) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_x_itself_is_written_and_nothing_but_the_slices() -> None:
    assert is_caught(TASK, lambda dim, x, index, value: fill(dim, x.clone(), index, value))
    assert is_caught(TASK, lambda _, x, __, value: x.fill_(value))
    assert is_caught(TASK, lambda dim, x, index, value: fill(dim, x, index[:-1], value))


def test_a_value_keeps_its_sign_and_its_bits() -> None:
    assert is_caught(TASK, lambda dim, x, index, value: fill(dim, x, index, value + 0))
    single = torch.tensor(2**53 + 1, dtype=torch.float32)
    assert int(single) != 2**53 + 1

    def rounded(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
        return fill(dim, x, index, int(single) if value == 2**53 + 1 else value)

    assert is_caught(TASK, rounded)


def test_what_must_be_written_is_known_where_no_slice_is_named_twice() -> None:
    call = TASK.draw(TASK.timings[0], 0)
    assert call.args[2].unique().numel() == 20
    assert TASK.cost(**SMALL, counted=ONCE).bytes == 20 * 8 * 4 + 20 * 8
    assert TASK.cost(**SMALL).bytes == 8 * 4 + 20 * 8


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["value", "NaN"] == {"values"} and asked["value", "int"] == set()
    assert ("layout", "expanded") not in asked
