import click
import pytest

from kernelbenchx.cli.number_types import Finite, TimeLimitType


@pytest.mark.parametrize(("said", "number"), [("0", 0.0), ("2", 2.0), ("0.7", 0.7), ("-0.0", 0.0)])
def test_a_number_in_the_range_is_taken(said: str, number: float) -> None:
    assert Finite(0, 2).convert(said, None, None) == number


@pytest.mark.parametrize("said", ["nan", "-nan", "inf", "-inf", "2.01", "-1", "1e999", "x"])
def test_everything_else_is_refused(said: str) -> None:
    with pytest.raises(click.BadParameter, match=r"range|valid float"):
        Finite(0, 2).convert(said, None, None)


@pytest.mark.parametrize(("said", "limit"), [("auto", "auto"), ("1", 1.0), ("3600", 3600.0)])
def test_a_time_limit_is_a_number_or_a_word(said: str, limit: object) -> None:
    assert TimeLimitType().convert(said, None, None) == limit


@pytest.mark.parametrize("said", ["Auto", "0.5", "3601", "nan", ""])
def test_any_other_time_limit_is_refused(said: str) -> None:
    with pytest.raises(click.BadParameter, match="neither auto nor a number from 1 to 3600"):
        TimeLimitType().convert(said, None, None)


def test_without_an_upper_end_it_is_finite_all_the_same() -> None:
    with pytest.raises(click.BadParameter, match="x>0"):
        Finite(0, min_open=True).convert("inf", None, None)
