"""Numbers that say enough and no more."""

import pytest

from kernelbenchx.generate.rounding import compare_numbers, round_numbers


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("0.289879382", "0.2899"),
        ("-12345.6789 and 1.00000001e-10", "-1.235e+04 and 1e-10"),
        ("12345.67, then 0.00012345678.", "1.235e+04, then 0.0001235."),
        ("(0.123456+0.654321j)", "(0.1235+0.6543j)"),
        ("tensor([0.51234, -0.98765])", "tensor([0.5123, -0.9877])"),
    ],
)
def test_long_numbers_are_rounded(text: str, short: str) -> None:
    assert round_numbers(text) == short


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "-inf",
        "1234567",
        "0.5",
        "0.0001234",
        "1.50",
        "torch.float32",
        "3.11.4",
        "x[0.123456j2]",
        "v1.2345a",
    ],
)
def test_what_is_short_or_no_number_stays(text: str) -> None:
    assert round_numbers(text) == text


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        ("0.289879382", "0.290862115", "0.2899, expected 0.2909"),
        ("nan", "1.5", "nan, expected 1.5"),
        ("7", "31", "7, expected 31"),
        ("0.123456789", "0.123456781", "0.1235, off by +8e-09"),
        ("(0.123456+0.2j)", "(0.123457+0.2j)", "(0.1235+0.2j), off by a little"),
    ],
)
def test_two_numbers_are_told_apart_with_few_digits(got: str, expected: str, words: str) -> None:
    assert compare_numbers(got, expected) == words
