"""Steps of an optimizer that keeps one tensor, which is made by the first of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.axis import OMITTED, Axis, Option
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.families.axes import DEGENERATE
from kernelbenchx.spec.families.optimizer import optimizer_step
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.task import Task


def step_with_buffer(
    function: Callable[..., Any],
    *,
    buffer: str,
    arguments: tuple[Axis, ...],
    wrong_first: Mutant,
    **settings: Any,
) -> Task:
    """A task of the family `optimizer_step`, whose kept tensor `buffer` may be None.

    `wrong_first`: an answer that is wrong in the first step. `settings`: of `optimizer_step`.
    """
    given = Axis("buffer", (Option("given", OMITTED), Option("none", False, DEGENERATE)))
    text = f"{buffer} may be None, or not be given."
    task = optimizer_step(
        function,
        state={buffer: "signed"},
        arguments=(given, *arguments),
        promises=(Promise(text, "buffer", ("none",), wrong_first),),
        **settings,
    )
    return replace(task, inputs=_Inputs(task.inputs))


class _Inputs:
    """Draws the arguments of one call: as of every step, or of the first, in two ways."""

    def __init__(self, usual: Callable[..., Call]) -> None:
        self.usual = usual

    def __call__(self, draw: Draw, *, buffer: bool = True, **params: Any) -> Call:
        given = self.usual(draw, **params)
        if buffer:
            return given
        said = () if params["dtype"] == torch.float32 else (None,)
        return replace(given, args=(*given.args[:2], *said))
