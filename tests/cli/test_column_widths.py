"""Tables become narrow step by step, and no step goes further than it must."""

import pytest

from kernelbenchx.cli.column_widths import Head, TableLayout, fit_columns, harmless

HEADS = [Head("what", right=False), Head("of them mixed", right=True, aside=True),
         Head("share of all", right=True)]  # fmt: skip
CELLS = [["a few words here", "3", "50.0 % [25.0, 75.0]"], ["b", "12", "-"]]


def _wide(found: TableLayout) -> int:
    return sum(found.widths) + 2 * (len(found.widths) - 1)


def test_where_there_is_room_nothing_is_broken() -> None:
    found = fit_columns(HEADS, CELLS, 100)
    assert [head.title for head in found.heads] == ["what", "of them mixed", "share of all"]
    assert (found.cells, found.widths) == (CELLS, [16, 13, 19])


def test_titles_are_wrapped_first() -> None:
    found = fit_columns(HEADS, CELLS, 48)
    assert found.heads[1].title == "of\nthem\nmixed" and found.widths == [16, 5, 19]
    assert found.cells == CELLS


def test_then_columns_aside_are_left_out() -> None:
    found = fit_columns(HEADS, CELLS, 40)
    assert [head.title for head in found.heads] == ["what", "share of all"]
    assert found.cells[1] == ["b", "-"]


def test_then_intervals_go_below_their_values() -> None:
    found = fit_columns(HEADS, CELLS, 32)
    assert found.cells[0] == ["a few words here", "50.0 %\n[25.0, 75.0]"]
    assert found.widths == [16, 12]


def test_then_words_are_wrapped_and_numbers_never() -> None:
    found = fit_columns(HEADS, CELLS, 27)
    assert found.widths == [13, 12] and _wide(found) == 27
    assert fit_columns(HEADS, CELLS, 5).widths == [12, 12]


def test_without_words_to_wrap_it_is_as_wide_as_it_is() -> None:
    assert fit_columns([Head("n", right=True)], [["123456"]], 3).widths == [6]


def test_square_brackets_of_words_stay_where_they_are() -> None:
    found = fit_columns([Head("what", right=False)], [["a [b]"]], 3)
    assert found.cells == [["a [b]"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [("a\nb", "a b"), ("\x1b[2J", " [2J"), ("é ≤ 漢", "é ≤ 漢"), ("\u202ex", " x")],
)
def test_only_signs_that_can_be_seen(text: str, said: str) -> None:
    assert harmless(text) == said
