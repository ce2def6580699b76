import click
import pytest

from kernelbenchx.cli.numbers import Finite


@pytest.mark.parametrize(("said", "number"), [("0", 0.0), ("2", 2.0), ("0.7", 0.7), ("-0.0", 0.0)])
def test_a_number_in_the_range_is_taken(said: str, number: float) -> None:
    assert Finite(0, 2).convert(said, None, None) == number


@pytest.mark.parametrize("said", ["nan", "-nan", "inf", "-inf", "2.01", "-1", "1e999", "x"])
def test_everything_else_is_refused(said: str) -> None:
    with pytest.raises(click.BadParameter, match=r"range|valid float"):
        Finite(0, 2).convert(said, None, None)


def test_without_an_upper_end_it_is_finite_all_the_same() -> None:
    with pytest.raises(click.BadParameter, match="x>0"):
        Finite(0, min_open=True).convert("inf", None, None)
