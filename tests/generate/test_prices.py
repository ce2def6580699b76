"""The user's file of prices."""

from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Usage
from kernelbenchx.generate.prices import Price, Prices, read_prices

FILE = """
["small-*"]
input = 1.0
output = 4.0
cached = 0.1

["*"]
input = 10
output = 40
"""


def _read(folder: Path, text: str) -> Prices:
    path = folder / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return read_prices(path)


def test_the_first_pattern_that_fits_counts(tmp_path: Path) -> None:
    prices = _read(tmp_path, FILE)
    assert prices.of("small-2") == Price(input=1.0, output=4.0, cached=0.1)
    assert prices.of("org/large:7b") == Price(input=10.0, output=40.0)


def test_a_model_without_a_price_has_none(tmp_path: Path) -> None:
    assert _read(tmp_path, FILE.partition('["*"]')[0]).of("large") is None
    assert Prices().of("large") is None


def test_the_cost_counts_kept_tokens_apart() -> None:
    usage = Usage(prompt=1_000_000, completion=500_000, cached=600_000)
    assert Price(input=1.0, output=4.0, cached=0.1).cost(usage) == pytest.approx(0.4 + 0.06 + 2.0)
    assert Price(input=1.0, output=4.0).cost(usage) == pytest.approx(1.0 + 2.0)


def test_the_most_it_can_cost_is_no_less_than_it_costs() -> None:
    for price in (
        Price(input=1.0, output=4.0, cached=0.1),
        Price(input=1.0, output=4.0, cached=1.25),
        Price(input=0.0, output=0.0),
    ):
        for cached in (0, 10, 100):
            usage = Usage(prompt=100, completion=10, cached=cached)
            assert price.cost(usage) <= price.most(usage)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not = [toml",
        "a = 3",
        '["a"]\ninput = 1',
        '["a"]\ninput = -1\noutput = 1',
        '["a"]\ninput = nan\noutput = 1',
        '["a"]\ninput = inf\noutput = 1',
        '["a"]\ninput = "1"\noutput = 1',
        '["a"]\ninput = 1\noutput = 1\nper_thousand = true',
    ],
)
def test_what_is_not_understood_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"prices\.toml"):
        _read(tmp_path, text)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no prices can be read"):
        read_prices(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="no prices can be read"):
        read_prices(tmp_path / "binary.toml")
