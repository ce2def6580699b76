"""The paper's deviances: the model that gives them, and those that do not."""

import pytest

from kernelbenchx.analysis.published_models import (
    PENALISED,
    PLAIN,
    compilation,
    correctness,
    placements,
)
from kernelbenchx.analysis.table import Value


def _row(model: str, methods: int) -> dict[str, Value]:
    rows = correctness().records()
    (row,) = [one for one in rows if (one["model"], one["methods"]) == (model, methods)]
    return row


def _number(value: Value) -> float:
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(
    ("model", "methods", "n", "category", "method"),
    [
        (PENALISED, 4, 704, 9.42, 3.31),
        (PLAIN, 4, 704, 10.16, 3.32),
        (PLAIN, 5, 880, 8.79, 12.01),
        (PENALISED, 5, 880, 8.14, 11.41),
    ],
)
def test_shares_of_each_model(
    model: str, methods: int, n: int, category: float, method: float
) -> None:
    row = _row(model, methods)
    assert row["n"] == n
    assert round(100 * _number(row["category"]), 2) == category
    assert round(100 * _number(row["method"]), 2) == method


def test_drops_of_the_nested_penalised_fits_and_their_halves() -> None:
    row = _row(PENALISED, 4)
    assert round(_number(row["category_given_method"]), 1) == 69.1
    assert round(_number(row["method_given_category"]), 1) == 25.9
    assert round(_number(row["category_half"]), 2) == 34.53
    assert round(_number(row["method_half"]), 2) == 12.93


def test_only_the_penalised_fit_of_four_methods_gives_the_printed_numbers() -> None:
    said = {(row["model"], row["methods"]): row["reproduces"] for row in correctness().records()}
    assert said.pop((PENALISED, 4)) == "yes"
    assert set(said.values()) == {"no", ""}


def test_no_reading_of_the_tables_gives_the_printed_shares_of_compilation() -> None:
    rows = compilation().records()
    assert {row["reproduces"] for row in rows[1:]} == {"no"}
    shares = [(_number(row["category"]), _number(row["method"])) for row in rows]
    assert shares[0] == (0.0524, 0.0518)
    assert [round(100 * method, 2) for _, method in shares[1:]] == [4.33, 4.33, 5.21, 5.21]


def test_placements_hold_the_printed_share_of_category_and_miss_that_of_method() -> None:
    total, method, least, most = placements()
    assert total == 378
    assert least < 0.0524 < most
    assert abs(method - 0.0518) > 0.0002
