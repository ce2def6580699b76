"""Special functions: exact values in float64, and budgets that follow the conditioning.

Near a zero or a pole no kernel can do better than one rounding of its argument allows. So the
local scale of f(x) is |f(x)| + |x f'(x)|, summed over all arguments that are tensors.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.families.elementwise import elementwise
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
SIXTEEN = (torch.float16, torch.bfloat16)
ROUNDING = 2.0**-24
"""The unit roundoff of float32, in which submissions compute."""


def special(
    reference: Function,
    exact: Function,
    eager: Function,
    size: Function | None = None,
    **settings: Any,
) -> Task:
    """An elementwise task.

    `exact`: maps float64 tensors to float64 tensors. `reference`: as `round_exact` gives it.
    `eager`: torch's own function, `in_float32` where it has no 16-bit form. `size`: the local
    scale, where it is not that of `scale_by_conditioning`. `settings`: those of `elementwise`.
    """
    return elementwise(
        reference,
        truth=ExactTruth(exact),
        contract=Close(scale=LocalScale(size or scale_by_conditioning(exact))),
        eager=eager,
        **settings,
    )


def round_exact(
    exact: Function, *args: Any, out: torch.Tensor | None = None, **words: Any
) -> torch.Tensor:
    """The exact value, rounded once to the dtype of the result and stored in `out` if given."""
    dtype = _result_dtype(args)
    result = exact(*_widen_arguments(args), **words).to(dtype)
    return result if out is None else out.copy_(result)


def value_mutant(name: str, wide: Function, *covers: str) -> Mutant:
    """Another function in place of the exact one; all else is right."""

    def answer(*args: Any, out: torch.Tensor | None = None, **words: Any) -> torch.Tensor:
        return round_exact(wide, *args, out=out, **words)

    return Mutant(name, answer, covers)


def in_float32(function: Function) -> Function:
    """torch's function, which has no 16-bit form on every device: those widen, and round once."""

    def eager(*args: Any, out: torch.Tensor | None = None, **words: Any) -> torch.Tensor:
        if not any(isinstance(one, torch.Tensor) and one.dtype in SIXTEEN for one in args):
            return function(*args, **words) if out is None else function(*args, out=out, **words)
        wide = [one.float() if isinstance(one, torch.Tensor) else one for one in args]
        result = function(*wide, **words).to(_result_dtype(args))
        return result if out is None else out.copy_(result)

    return eager


class ExactTruth:
    """A truth: the exact value of native arguments; `out` is written."""

    def __init__(self, exact: Function) -> None:
        self.exact = exact

    def __call__(self, *args: Any, out: torch.Tensor | None = None, **words: Any) -> torch.Tensor:
        result = self.exact(*_widen_arguments(args), **words)
        if out is not None:
            out.copy_(result)
        return result


class LocalScale:
    """The local scale of a contract, from a function of the arguments in float64."""

    def __init__(self, size: Function) -> None:
        self.size = size

    def __call__(self, *args: Any, out: Any = None, **words: Any) -> tuple[torch.Tensor, ...]:
        del out
        scale = self.size(*_widen_arguments(args), **words).nan_to_num(nan=0.0, posinf=0.0)
        return scale, scale


def scale_by_conditioning(exact: Function) -> Function:
    """|f|, and how far f moves when a tensor moves by one rounding, in units of the rounding.

    Both directions are tried, the larger move counts. Results that are not finite move nothing:
    they are right or wrong.
    """

    def size(*given: Any, **words: Any) -> torch.Tensor:
        value = exact(*given, **words)
        scale = value.abs()
        for place, one in enumerate(given):
            if isinstance(one, torch.Tensor):
                moves = [_measure_move(exact, given, place, sign, value, words) for sign in (-1, 1)]
                scale = scale + torch.maximum(*moves)
        return scale

    return size


def _measure_move(
    exact: Function, given: Any, place: int, sign: int, value: torch.Tensor, words: Any
) -> torch.Tensor:
    moved = [*given]
    moved[place] = given[place] * (1 + sign * ROUNDING)
    change = (exact(*moved, **words) - value).abs() / ROUNDING
    return change.nan_to_num(nan=0.0, posinf=0.0)


def number_first(task: Task, reference: Function, name: str) -> Task:
    """A task whose function takes a number, then the input: `task` has them the other way round.

    Special values that are negative are not planted.
    """

    def inputs(draw: Draw, **params: Any) -> Call:
        drawn = task.inputs(_NotNegative(draw.generator, draw.device), **params)
        words = {key: value for key, value in drawn.kwargs.items() if key != name}
        return call(drawn.kwargs[name], *drawn.args, **words)

    def swap_arguments(function: Function) -> Function:
        return lambda number, *args, **words: function(*args, **{name: number}, **words)

    def swap_mutant(mutant: Any) -> Any:
        if not isinstance(mutant, Mutant):
            return mutant
        return replace(mutant, answer=swap_arguments(mutant.answer))

    assert isinstance(task.contract, Close) and callable(task.contract.scale)
    fields: Mapping[str, Any] = {
        "reference": reference,
        "inputs": inputs,
        "eager": swap_arguments(task.baseline),
        "truth": swap_arguments(task.truth or task.reference),
        "contract": replace(task.contract, scale=swap_arguments(task.contract.scale)),
        "promises": tuple(replace(one, mutant=swap_mutant(one.mutant)) for one in task.promises),
        "mutants": tuple(swap_mutant(one) for one in task.mutants),
    }
    return replace(task, **fields)


class _NotNegative(Draw):
    """Leaves out special values below zero."""

    def plant(self, tensor: torch.Tensor, values: Any) -> torch.Tensor:
        return super().plant(tensor, [one for one in values if not one < 0])


def _widen_arguments(args: Any) -> list[Any]:
    return [one.double() if isinstance(one, torch.Tensor) else one for one in args]


def _result_dtype(args: Any) -> torch.dtype:
    """What the operands promote to; integers give float32. Other arguments follow them."""
    dtype: torch.dtype = args[0].dtype if len(args) == 1 else torch.result_type(*args[:2])
    return dtype if dtype.is_floating_point else torch.float32
