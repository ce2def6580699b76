"""Dropout between two steps: what the family accepts and rejects, shown by squares."""

from dataclasses import replace

import pytest
import torch

from kernelbenchx.spec import Close, Cost, Draw, Mutant, case, dropout
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.families.axes import SCALE, draw_shape
from kernelbenchx.spec.families.dropout import kept_factor
from kernelbenchx.spec.space import Axis, Option
from rejections import is_caught, rejecting, scopes_of

SIZES = Axis(
    "sizes",
    (
        Option("ordinary", draw_shape(2, (40, 50), (80, 99))),
        Option("large", draw_shape(2, (115, 125), (290, 310)), SCALE),
    ),
)


def squared(input: torch.Tensor, p: float = 0.5, training: bool = True) -> torch.Tensor:
    return (input * kept_factor(p, training)).square()


def _fair(x: torch.Tensor, p: float = 0.5, training: bool = True) -> torch.Tensor:
    return torch.nn.functional.dropout(x.double(), p, training).square().to(x.dtype)


def _inputs(draw: Draw, sizes: tuple[int, ...], dtype: torch.dtype, **options: float) -> Call:
    return call(1 + draw.uniform(sizes, dtype), **options)


TASK = dropout(
    squared,
    before=lambda input, **_: input,
    after=lambda x, **_: x.square(),
    close=Close(),
    sizes=SIZES,
    dtypes=(torch.float32,),
    corners=({"training": "no"},),
    inputs=_inputs,
    cost=lambda **_: Cost(flops=1, bytes=1),
    timings=case(sizes=(2, 4, 4), dtype=torch.float32),
    difficulty=1,
)

# The rest is the certificates' work: every answer takes seconds to judge.
CORNERS = replace(TASK, space=None, checks=tuple(one for one in TASK.cases(0) if one.corner))


def test_torchs_own_dropout_is_right() -> None:
    assert list(rejecting(CORNERS, _fair, 0)) == []


@pytest.mark.parametrize(
    "name",
    [
        "dropout as the last step",
        "dropout outside training",
        "no dropout",
        "kept values not scaled",
        "positions that are never kept",
    ],
)
def test_a_wrong_way_to_drop_is_seen(name: str) -> None:
    (wrong,) = (one for one in TASK.mutants if one.name == name)
    assert isinstance(wrong, Mutant) and is_caught(CORNERS, wrong.answer)


def test_rare_rates_are_called_often_and_with_ordinary_sizes_only() -> None:
    cases = [one for seed in range(5) for one in TASK.cases(seed)]
    rare = [one for one in cases if one.options["p"] in ("hardly any", "nearly all")]
    assert rare and all(one.calls == 6 for one in rare)
    assert {one.options["sizes"] for one in rare} == {"ordinary"}
    assert any(one.calls == 1 and one.options["sizes"] == "large" for one in cases)


def test_kept_elements_are_scaled_in_training_only() -> None:
    assert kept_factor(0.75, True) == 4.0
    assert kept_factor(0.75, False) == 1.0
    assert kept_factor(1.0, True) == 0.0


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["p", "everything"] == {"values"}
    assert asked["p", "a part"] == asked["training", "no"] == set()
