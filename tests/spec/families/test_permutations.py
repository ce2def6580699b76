"""Orders of dimensions: each names every dimension once."""

import random

import pytest

from kernelbenchx.spec.families.permutations import order_fits, orders


@pytest.mark.parametrize("name", [one.name for one in orders().options])
def test_an_order_names_every_dimension_once(name: str) -> None:
    for rank in (2, 3, 4):
        before = {"shape": tuple(range(2, 2 + rank))}
        dims = orders().option(name).draw_value(random.Random(rank), before)
        assert sorted(d % rank for d in dims) == list(range(rank))
        assert (list(dims) == sorted(dims)) == (name == "unchanged") or name in (
            "mixed",
            "negative",
        )
        assert any(d < 0 for d in dims) == (name == "negative")


def test_an_order_that_differs_needs_two_dimensions() -> None:
    assert order_fits({"shape": "matrix", "dims": "swapped"})
    assert not order_fits({"shape": "vector", "dims": "swapped"})
    assert order_fits({"shape": "0-d", "dims": "unchanged"})
