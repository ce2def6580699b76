"""Lines and places of a source."""

from kernelbenchx.generate.source_quotes import WIDEST, locate_error, quote_line

SOURCE = """\
import triton


@triton.jit
def first(x):
    a = x + 1
    b = a


@triton.jit
def second(x):
    c = x * 2
    b = a
"""


def test_a_line_stands_between_its_neighbours() -> None:
    assert quote_line(SOURCE, 6) == (
        "     5 | def first(x):\n>    6 |     a = x + 1\n     7 |     b = a"
    )


def test_a_column_gets_a_caret_and_a_column_outside_does_not() -> None:
    line = quote_line(SOURCE, 6, 9).splitlines()[2]
    assert line == "       |         ^"
    assert "^" not in quote_line(SOURCE, 6, 99)


def test_the_first_and_the_last_line_have_one_neighbour() -> None:
    assert quote_line(SOURCE, 1).splitlines()[0] == ">    1 | import triton"
    assert quote_line(SOURCE, 13).splitlines()[-1] == ">   13 |     b = a"


def test_a_line_that_is_not_there_is_not_quoted() -> None:
    assert quote_line(SOURCE, 0) == quote_line(SOURCE, 14) == quote_line("", 2) == ""


def test_lines_are_counted_as_python_counts_them() -> None:
    source = "a = '\x0c\u2028'\r\nb = \x1b[31m2\rc = 3\n"
    assert quote_line(source, 3).splitlines()[-1] == ">    3 | c = 3"
    assert ">    2 | b = ?[31m2" in quote_line(source, 2)
    assert quote_line(source, 4) == ""


def test_a_line_without_end_is_cut() -> None:
    assert len(quote_line("x" * 10_000, 1)) < WIDEST + 20


def test_the_place_a_card_means_is_found_among_equal_lines() -> None:
    said = "CompilationError: at 3:8:\ndef second(x):\n    c = x * 2\n    b = a\n        ^\nno a"
    place = locate_error(said, SOURCE)
    assert place is not None
    assert (place.line, place.column, place.said) == (13, 9, "no a")
    said = "at 3:8:\ndef first(x):\n    a = x + 1\n    b = a\n        ^\nno a"
    place = locate_error(said, SOURCE)
    assert place is not None
    assert place.line == 7


def test_lines_of_another_file_have_no_place() -> None:
    place = locate_error("at 3:8:\n    z = 1\n    ^\nno z", SOURCE)
    assert place is not None
    assert (place.line, place.said) == (0, "no z")
    place = locate_error("at 3:8:\n\n    ^\nno z", SOURCE)
    assert place is not None
    assert place.line == 0


def test_other_messages_point_nowhere() -> None:
    assert locate_error("ValueError: at the end", SOURCE) is None
