"""KernelBench problems: a Model, its published size, and small sizes that are judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.modules import ModuleCall, buffers_of, built_under, drawn_weights
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import DTYPES, Problem, Size, contract_at

Values = Literal["normal", "wide", "published"]
_Made = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True)
class Inputs:
    """Draws what `forward` is called with: `x(rows, columns)` is a tensor of that shape."""

    draw: Draw
    values: Values
    dtype: torch.dtype
    published: Literal["uniform", "normal"]

    def __call__(self, *shape: int) -> torch.Tensor:
        """Normal, ten times as wide, or as the published problem draws it."""
        if self.values == "published" and self.published == "uniform":
            return self.draw.uniform(shape, self.dtype)
        return self.draw.normal(shape, self.dtype, 10.0 if self.values == "wide" else 1.0)

    def positive(self, *shape: int) -> torch.Tensor:
        """In (0, 1], where the problem takes nothing else."""
        return self.draw.uniform(shape, torch.float32, 1e-3, 1.0).to(self.dtype)

    def classes(self, *shape: int, count: int) -> torch.Tensor:
        """Integers below `count`."""
        return self.draw.integers(shape, 0, count)

    def signs(self, *shape: int) -> torch.Tensor:
        """-1 or 1."""
        return (self.draw.integers(shape, 0, 2) * 2 - 1).to(self.dtype)


class Shapes:
    """The same without values: tensors that have a shape and a dtype, and no memory."""

    values: Values = "normal"

    def __call__(self, *shape: int) -> torch.Tensor:
        return torch.empty(shape, device="meta")

    positive = signs = __call__

    def classes(self, *shape: int, count: int) -> torch.Tensor:  # noqa: ARG002 - same form for all
        return torch.empty(shape, dtype=torch.int64, device="meta")


def problem(  # noqa: PLR0913 - a problem is what these say
    model: type[nn.Module],
    *,
    level: int,
    number: int,
    inputs: _Made,
    published: Size,
    small: Sequence[Size],
    init: _Made = lambda **_: (),
    ranges: Mapping[str, tuple[int, int]] | None = None,
    values: Sequence[Values] = ("normal", "wide", "published"),
    drawn: Literal["uniform", "normal"] = "uniform",
    never_long: tuple[str, ...] = (),
    unsound: str = "",
    difficulty: int = 2,
    counted: Callable[..., tuple[int, int]] | None = None,
) -> Problem:
    """`inputs(x, **size)` draws the arguments of `forward`, `init(**size)` those of the
    constructor. All small sizes are judged with every kind of values; `ranges` are sizes that a
    run draws anew; one of them at a time is long, `never_long` ones aside. `drawn` says how the
    published problem draws its inputs.
    `counted(**size)` gives operations and elements moved where tracing would take too long."""
    if not small:
        raise ValueError("no small size: nothing could be judged without a GPU")
    for size in small:
        if set(size) != set(published):
            raise ValueError(f"{dict(size)} does not name the sizes {', '.join(published)}")

    def call(draw: Draw, values: Values, dtype: torch.dtype, **size: Any) -> Call:
        made = init(**size)
        args = inputs(Inputs(draw, values, dtype, drawn), **size)
        fresh = built_under(draw.seed(), model, made, draw.device)
        state = drawn_weights(fresh, draw, dtype)
        return ModuleCall(args=args, init=made, state=state, buffers=buffers_of(fresh))

    @cache
    def amount(size: tuple[tuple[str, Any], ...]) -> tuple[int, int, int]:
        if counted is not None:
            return (*counted(**dict(size)), 0)
        return _traced(model, init, inputs, dict(size))

    @cache
    def shapes(**size: Any) -> tuple[torch.Size, ...]:
        return tuple(one.shape for one in _data(model, init, inputs, size)[0])

    def cost(dtype: torch.dtype = torch.float32, values: Values = "published", **size: Any) -> Cost:  # noqa: ARG001
        flops, floats, others = amount(tuple(sorted(size.items())))
        return Cost(flops=flops, bytes=floats * dtype.itemsize + others)

    checks = tuple(
        Case({**size, "values": kind}, needs=frozenset()) for size in small for kind in values
    )
    return Problem(
        reference=model,
        inputs=call,
        cost=cost,
        contract=contract_at(model, "fp32"),
        checks=checks,
        timings=(Case({**published, "values": "published"}),),
        mutants=(),
        dtypes=(DTYPES["fp32"],),
        difficulty=difficulty,
        level=level,
        number=number,
        ranges=dict(ranges or {}),
        data_shapes=shapes,
        never_long=never_long,
        unsound=unsound,
    )


def _traced(
    model: Callable[..., nn.Module], init: _Made, inputs: _Made, size: Size
) -> tuple[int, int, int]:
    """Products as torch counts them with one operation per result, floating elements that must be
    read or written, and bytes of others: inputs, weights, results. Nothing is computed for it."""
    with FlopCounterMode(display=False) as counter:
        data, weights, count = _data(model, init, inputs, size)
    moved = [*data, *weights]
    floats = sum(one.numel() for one in moved if one.is_floating_point())
    others = sum(one.nbytes for one in moved if not one.is_floating_point())
    return counter.get_total_flops() + count, floats, others


def _data(
    model: Callable[..., nn.Module], init: _Made, inputs: _Made, size: Size
) -> tuple[list[torch.Tensor], list[torch.Tensor], int]:
    """Results and inputs, weights, and how many elements the results have. Without values."""
    given = inputs(Shapes(), **size)
    with torch.device("meta"):
        module = model(*init(**size))
    with torch.no_grad():
        results = flatten(module(*given))
    data = [one.value for one in (*results, *flatten(list(given)))]
    weights = [one.value for one in flatten(list(module.state_dict().values()))]
    return data, weights, sum(one.value.numel() for one in results)
