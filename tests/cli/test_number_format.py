import math

import pytest

from kernelbenchx.cli.number_format import (
    dollars,
    duration,
    factor,
    format_count,
    interval,
    microseconds,
    one_line,
    printable,
    short,
    tokens,
)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0342, "0.034"), (0.5, "0.50"), (1.234, "1.23"), (12.34, "12.3"), (4512.3, "4512")],
)
def test_factors_have_two_or_three_digits(value: float, said: str) -> None:
    assert factor(value) == said
    assert factor(math.inf) == "inf"


def test_a_speedup_comes_with_its_interval() -> None:
    assert interval(1.25, 1.2, 1.304) == "1.25x [1.20, 1.30]"
    assert interval(1.25, 0.0, math.inf) == "1.25x [0.000, inf]"
    assert (interval(1.25), interval(12.34)) == ("1.25x", "12.3x")


def test_near_one_all_of_an_interval_is_in_thousandths() -> None:
    assert interval(1.0121, 1.0094, 1.0149) == "1.012x [1.009, 1.015]"
    assert interval(1.2, 1.05, 1.3) == "1.200x [1.050, 1.300]"
    assert interval(20.0, 1.0, 400.0) == "20.0x [1.000, 400]"
    assert (interval(0.9), interval(1.1001)) == ("0.900x", "1.10x")
    assert interval(1.2, 1.11, 1.3) == "1.20x [1.11, 1.30]"


def test_an_interval_does_not_look_like_a_point_unless_it_is_one() -> None:
    assert interval(0.82, 0.8181, 0.8224) == "0.820x [0.818, 0.822]"
    assert interval(21.91, 21.88, 21.94) == "21.91x [21.88, 21.94]"
    assert interval(0.0131, 0.0129, 0.0133) == "0.0131x [0.0129, 0.0133]"
    assert interval(1.0003, 1.0001, 1.0004) == "1.0003x [1.0001, 1.0004]"
    assert interval(0.82, 0.82, 0.82) == "0.82x [0.82, 0.82]"
    assert interval(0.82, 0.81, 0.82) == "0.82x [0.81, 0.82]"


def test_it_is_seen_on_which_side_of_the_border_of_a_tie_an_end_lies() -> None:
    assert interval(0.995, 0.9903, 1.0) == "0.9950x [0.9903, 1.0000]"
    assert interval(0.995, 0.9897, 1.0) == "0.9950x [0.9897, 1.0000]"
    assert interval(1.005, 1.0, 1.0104) == "1.0050x [1.0000, 1.0104]"
    assert interval(0.995, 0.99, 1.0) == "0.995x [0.990, 1.000]"
    assert interval(0.995, 0.9911, 1.0) == "0.995x [0.991, 1.000]"
    assert interval(0.99, 0.985, 0.9946) == "0.990x [0.985, 0.995]"


@pytest.mark.parametrize(
    ("value", "said"), [(1.2345, "1.234"), (33.54, "33.54"), (123.44, "123.4"), (16023.4, "16023")]
)
def test_times_never_have_an_exponent(value: float, said: str) -> None:
    assert microseconds(value) == said


@pytest.mark.parametrize(("seconds", "said"), [(7, "0:07"), (754.4, "12:34"), (10805, "3:00:05")])
def test_durations_read_like_a_clock(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_a_line_moves_no_cursor() -> None:
    assert one_line("a\r\nb\t c") == "a b c"
    assert one_line("\x1b[2Ja\x07\u202eb\x00") == " [2Ja  b "
    assert one_line("[bold] größe ∑") == "[bold] größe ∑"
    assert short("\x1b]0;title") == " ]0;title"
    assert printable("a\n\tb\x1b[31m\r\n") == "a\n    b [31m \n"


def test_words_are_cut_and_counted() -> None:
    assert short("a\n  b") == "a b"
    assert short("abcdef", 4) == "abc…"
    assert (format_count(1, "case"), format_count(2, "case")) == ("1 case", "2 cases")
    assert format_count(0, "process", "processes") == "0 processes"
    assert format_count(2760, "case") == "2,760 cases"


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (950, "950"), (12_345, "12.3k"), (1_234_567, "1.23M"), (2 * 10**9, "2.00G")],
)
def test_tokens_as_one_speaks_of_them(number: int, said: str) -> None:
    assert tokens(number) == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [(0.0, "$0.00"), (0.00123, "$0.0012"), (3.456, "$3.46"), (1234.5, "$1234.50")],
)
def test_dollars_have_cents_and_small_ones_more(amount: float, said: str) -> None:
    assert dollars(amount) == said
