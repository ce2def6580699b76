"""Two operands: which shapes, dtypes and layouts go together."""

import random

import pytest

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.families.operands import is_valid, operands
from kernelbenchx.spec.shapes import broadcast

AXES = {axis.name: axis for axis in operands((0.25,))}
ORDINARY = {name: axis.options[0].name for name, axis in AXES.items()} | {"values": "ordinary"}


@pytest.mark.parametrize("seed", range(10))
def test_shapes_that_go_together_broadcast(seed: int) -> None:
    chance = random.Random(seed)
    for shape in AXES["shape"].options:
        for other in AXES["other"].options:
            size = shape.draw_value(chance, {})
            second = other.draw_value(chance, {"shape": size})
            if isinstance(second, tuple) and is_valid(
                ORDINARY | {"shape": shape.name, "other": other.name}
            ):
                broadcast(size, second)


@pytest.mark.parametrize(
    "chosen",
    [
        {"other": "number"},
        {"shape": "matrix", "other": "column", "other_layout": "strided"},
        {"shape": "gap", "other": "stretches both"},
        {"shape": "one element", "other": "empty"},
        {"dtype": "float16", "other_dtype": "float32"},
        {"dtype": "int32", "other": "0-d tensor", "other_dtype": "float32"},
        {"shape": "matrix", "other_layout": "transposed"},
    ],
)
def test_calls_that_are_valid(chosen: dict[str, str]) -> None:
    assert is_valid(ORDINARY | chosen)


@pytest.mark.parametrize(
    "chosen",
    [
        {"other": "number", "other_dtype": "float32"},
        {"other": "number", "other_layout": "strided"},
        {"shape": "matrix", "other": "stretches both"},
        {"shape": "vector", "other": "column"},
        {"shape": "vector", "layout": "transposed"},
        {"shape": "0-d", "layout": "strided"},
        {"dtype": "int64", "values": "special"},
        {"dtype": "bfloat16", "other": "0-d tensor", "other_dtype": "float32"},
    ],
)
def test_calls_that_are_not(chosen: dict[str, str]) -> None:
    assert not is_valid(ORDINARY | chosen)


def test_broadcasting_is_core_and_promotion_asks_about_dtypes() -> None:
    assert not any(option.needs for option in AXES["other"].options if option.name != "empty")
    promoted = AXES["other_dtype"].options[1:]
    assert all(option.needs == {Scope.DTYPE} for option in promoted)
