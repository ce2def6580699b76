"""Promises: their wrong answers must die, and the space must draw what tries them."""

import torch

from kernelbenchx.certify.task_form import _space_problems
from kernelbenchx.spec import Cost, Exact, Mutant, Promise, Task, call
from kernelbenchx.spec.families import axes
from kernelbenchx.spec.space import Space


def copy(input: torch.Tensor) -> torch.Tensor:
    return input.clone()


FLAT = Mutant("flattened", lambda input: input.flatten())


def _task(promise: Promise) -> Task:
    return Task(
        reference=copy,
        inputs=lambda draw, layout: call(draw.laid_out(draw.normal((3, 4)), layout)),
        cost=lambda **_: Cost(flops=1, bytes=1),
        contract=Exact(),
        timings=(),
        mutants=(Mutant("nothing", torch.zeros_like),),
        dtypes=(torch.float32,),
        difficulty=1,
        promises=(promise,),
        space=Space((axes.layouts(), axes.words("values", "special"))),
    )


def test_a_promise_is_tried_where_the_space_draws_its_options() -> None:
    task = _task(Promise("Any strides.", "layout", ("strided", "offset"), FLAT))
    assert list(_space_problems(task)) == []
    assert task.wrong_answers == (*task.mutants, FLAT)


def test_a_promise_that_no_call_tries_is_named() -> None:
    option = _task(Promise("Any strides.", "layout", ("strided", "reversed"), FLAT))
    said = "promise 'Any strides.': axis layout never draws reversed"
    assert list(_space_problems(option)) == [said]
    axis = _task(Promise("With `out`.", "out", ("contiguous",), FLAT))
    said = "promise 'With `out`.': axis out never draws contiguous"
    assert list(_space_problems(axis)) == [said]
