"""Standard sentences of statements: what they say, what breaks them, and which calls show it."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.certify.wrong_answers import is_rejected, run_answer
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec import Call, Cost, Draw, Exact, Task, call
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import layouts, optional
from kernelbenchx.spec.families.standard_promises import (
    any_strides,
    input_strides,
    may_be_empty,
    out_is_written,
)
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import Space


def plus(
    input: torch.Tensor, bias: torch.Tensor | None = None, out: torch.Tensor | None = None
) -> torch.Tensor:
    result = input if bias is None else input + bias
    return result if out is None else out.copy_(result)


STRIDED = torch.arange(8.0)[::2]
IN_ORDER = torch.arange(4.0)


def _answer(mutant: object) -> Callable[..., torch.Tensor]:
    assert isinstance(mutant, Mutant)
    return mutant.answer


def test_any_strides_asks_about_the_layouts_of_its_axis_alone() -> None:
    promise = any_strides(plus, layouts(), 0, "input")
    assert promise.text == "`input` may have any strides."
    assert promise.axis == "layout" and "contiguous" not in promise.options
    bias = any_strides(plus, optional("bias"), 1, "bias")
    assert bias.options == ("strided", "expanded")


def test_strides_are_ignored_of_one_argument_by_place_or_by_name() -> None:
    zeros = torch.zeros(4)
    first = _answer(any_strides(plus, layouts(), 0, "input").mutant)
    assert torch.equal(first(STRIDED), IN_ORDER)
    assert torch.equal(first(zeros, bias=STRIDED), STRIDED)
    second = _answer(any_strides(plus, optional("bias"), 1, "bias").mutant)
    assert torch.equal(second(zeros, bias=STRIDED), IN_ORDER)
    assert torch.equal(second(zeros, STRIDED), IN_ORDER)
    assert torch.equal(second(STRIDED), STRIDED)


def test_a_broken_promise_leaves_out_as_it_was() -> None:
    out = torch.zeros(4)
    assert _answer(out_is_written(plus).mutant)(STRIDED, out=out) is not out
    assert not out.any()
    assert plus(STRIDED, out=out) is out


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
        mistakes.strides_ignored(_larger, 1, "y"),
        mistakes.moved_as_float32(_larger),
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
        drawn.append(DrawnCase(case, made, truth_of(TOY, made)))
    for one in drawn:
        returned = [run_answer(TOY, _larger, one.call, 0)]
        verdict = judge_case(TOY, one.case, one.call, returned, "cuda", one.truth)
        assert not isinstance(verdict, Wrong), (one.case.name, verdict)
    for mutant in (*TOY.mutants, *(promise.mutant for promise in TOY.promises)):
        assert sum(is_rejected(TOY, _answer(mutant), one) for one in drawn) >= 2, mutant.name


def test_a_promise_names_options_that_its_axis_has() -> None:
    assert TOY.space is not None
    for promise in TOY.promises:
        for option in promise.options:
            assert TOY.space.by_name[promise.axis].option(option)
