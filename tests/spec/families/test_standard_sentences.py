"""Standard axes, sentences and mistakes: what they draw, and which answers they reject."""

import random
from typing import Any

import pytest
import torch

from kernelbenchx.certify.answers import answered, is_rejected
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.calls import Drawn
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec import Call, Cost, Draw, Exact, Task, call
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty, out_is_written
from kernelbenchx.spec.space import Axis, Option, Space


def _larger(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = torch.where(x > y, x, y)
    return result if out is None else out.copy_(result)


def _inputs(
    draw: Draw, shape: Any, dtype: torch.dtype, layout: str, y_layout: str, out: str = ""
) -> Call:
    x, y = (draw.integers(shape, -(2**40), 2**40).to(dtype) for _ in "xy")
    given = {"out": draw.laid_out(torch.zeros_like(x), out)} if out else {}
    return call(draw.laid_out(x, layout), draw.laid_out(y, y_layout), **given)


def _is_valid(chosen: Any) -> bool:
    dims = axes.dims_of(chosen)
    laid_out = (chosen["layout"], chosen["y_layout"], chosen["out"].replace("not given", ""))
    return all(axes.fits(one or "contiguous", dims) for one in laid_out)


TOY = Task(
    reference=_larger,
    inputs=_inputs,
    cost=lambda **_: Cost(flops=1, bytes=1),
    contract=Exact(),
    timings=(),
    mutants=(
        wrong.strides_ignored(_larger, 1, "y"),
        wrong.moved_as_float32(_larger),
    ),
    promises=(
        input_strides(_larger),
        may_be_empty(_larger, "Both may be empty.", "shape", "empty"),
        out_is_written(_larger),
    ),
    dtypes=(torch.float32,),
    difficulty=1,
    writes=("out",),
    space=Space(
        (
            axes.shapes(),
            axes.dtypes(axes.FLOATS, axes.INTEGERS),
            axes.layouts(),
            axes.layouts("y_layout", ("transposed", "strided")),
            axes.outs(),
        ),
        valid=_is_valid,
        corners=({"shape": "empty"}, {"shape": "empty", "dtype": "int64"}, {"dtype": "int64"}),
    ),
)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_reference_passes_and_each_mistake_is_seen(seed: int) -> None:
    drawn = []
    for case in TOY.cases(seed):
        made = TOY.draw(case, seed)
        drawn.append(Drawn(case, made, truth_of(TOY, made)))
    for one in drawn:
        returned = [answered(TOY, _larger, one.call, 0)]
        verdict = judge_case(TOY, one.case, one.call, returned, "cuda", one.truth)
        assert not isinstance(verdict, Wrong), (one.case.name, verdict)
    for mutant in (*TOY.mutants, *(promise.mutant for promise in TOY.promises)):
        assert sum(is_rejected(TOY, mutant.answer, one) for one in drawn) >= 2, mutant.name


def test_a_promise_names_options_that_its_axis_has() -> None:
    assert TOY.space is not None
    for promise in TOY.promises:
        for option in promise.options:
            assert TOY.space.by_name[promise.axis].option(option)


def test_a_drawn_shape_keeps_to_its_ranges_and_lists() -> None:
    shape = axes.drawn(2, (5, 9), [16, 64])
    found = {shape.draw(random.Random(seed), {}) for seed in range(50)}
    assert {one[0] for one in found} == {2}
    assert {one[1] for one in found} == {5, 6, 7, 8}
    assert {one[2] for one in found} == {16, 64}


def test_values_other_than_ordinary_ask_about_values() -> None:
    ordinary, special = axes.values(("special",)).options
    assert not ordinary.needs and special.needs == {Scope.VALUES}


def test_an_option_may_ask_for_more_calls_of_its_case() -> None:
    often = Axis("p", (Option("usual", 0.5), Option("rare", 0.001, calls=6)))
    space = Space((often,), corners=({}, {"p": "rare"}))
    assert [case.calls for case in space.cases(0)[:2]] == [1, 6]
