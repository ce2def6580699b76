"""KernelBench problems: a Model, its published size, and small sizes that are judged."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.modules import ModuleCall, buffers_of, build_under_seed, draw_weights
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import DTYPES, Problem, Size, contract_at

Ordinary = Literal["normal", "wide", "published"]
Rare = Literal["far", "large", "narrow", "special"]
Values = Ordinary | Rare
ORDINARY: tuple[Ordinary, ...] = ("normal", "wide", "published")
NUMBERS = (-0.75, 2.5, 0.3)
"""What a number of the constructor is in fixed cases: negative, above one, a fraction."""
SPREADS: dict[Values, float] = {"wide": 10.0, "large": 300.0, "narrow": 2e-3}
"""Narrow values have a variance as small as the eps of a normalization; exponentials of large ones
overflow."""
FAR, FAR_IN_FLOAT16 = 1000.0, 30.0
"""How far from 0 values lie whose spread is 1: their squares leave no digits for the spread. The
sum of a row stays within float16."""
PLANTED = (math.inf, -math.inf, 1000.0, -1000.0, 100.0, -100.0)
_Made = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True)
class Inputs:
    """Draws what `forward` is called with: `x(rows, columns)` is a tensor of that shape."""

    draw: Draw
    values: Values
    dtype: torch.dtype
    published: Literal["uniform", "normal"]

    def __call__(self, *shape: int) -> torch.Tensor:
        """As the kind of values says: `special` has infinities and large numbers at random places,
        and NaN at the first, middle and last; published values are drawn as published."""
        if self.values == "published" and self.published == "uniform":
            return self.draw.uniform(shape, self.dtype)
        drawn = self.draw.normal(shape, self.dtype, SPREADS.get(self.values, 1.0))
        if self.values == "far":
            drawn += FAR_IN_FLOAT16 if self.dtype == torch.float16 else FAR
        if self.values == "special":
            drawn = self.draw.plant(drawn, PLANTED)
            flat = drawn.flatten()
            flat[[0, flat.numel() // 2, -1]] = math.nan
            drawn = flat.view(drawn.shape)
        return drawn

    def factor(self) -> torch.Tensor:
        """One number that scales a whole input; 1 for values far from 0."""
        return torch.ones(1, dtype=self.dtype) if self.values == "far" else self(1)

    def positive(self, *shape: int) -> torch.Tensor:
        """In (0, 1], where the problem takes nothing else."""
        return self.draw.uniform(shape, torch.float32, 1e-3, 1.0).to(self.dtype)

    def classes(self, *shape: int, count: int) -> torch.Tensor:
        """Integers below `count`; the last and the first one are among them."""
        drawn = self.draw.integers(shape, 0, count)
        return self.draw.plant(drawn, (count - 1, 0)) if drawn.numel() > 2 else drawn

    def signs(self, *shape: int) -> torch.Tensor:
        """-1 or 1."""
        return (self.draw.integers(shape, 0, 2) * 2 - 1).to(self.dtype)


class MetaInputs:
    """The same without values: tensors that have a shape and a dtype, and no memory."""

    values: Values = "normal"

    def __call__(self, *shape: int) -> torch.Tensor:
        return torch.empty(shape, device="meta")

    positive = signs = __call__

    def factor(self) -> torch.Tensor:
        return self(1)

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
    numbers: Mapping[str, float] | None = None,
    choices: Mapping[str, Sequence[Any]] | None = None,
    rare: Sequence[Rare] = (),
    drawn: Literal["uniform", "normal"] = "uniform",
    never_long: tuple[str, ...] = (),
    unsound: str = "",
    difficulty: int = 2,
    counted: Callable[..., tuple[int, int]] | None = None,
) -> Problem:
    """`inputs(x, **size)` draws the arguments of `forward`, `init(**size)` those of the
    constructor. All small sizes are judged with all ordinary kinds of values, the first one also
    with the `rare` kinds. `ranges` are sizes that a run draws; one of them at a time is long,
    `never_long` ones aside. `drawn` says how the published problem draws its inputs. Both functions
    also take `numbers`, as published; any number but 0 may stand for each. So do they take one of
    each of the `choices`, of which the first is published. `counted(**size)` gives operations and
    elements moved where tracing would take too long."""
    if not small:
        raise ValueError("no small size: nothing could be judged without a GPU")
    for size in small:
        if set(size) != set(published):
            raise ValueError(f"{dict(size)} does not name the sizes {', '.join(published)}")

    numbers, choices = numbers or {}, choices or {}
    published_choices = {name: options[0] for name, options in choices.items()}

    def complete(size: Size) -> Size:
        """With what the published problem passes where the case says nothing else."""
        return {**numbers, **published_choices, **size}

    def call(draw: Draw, values: Values, dtype: torch.dtype, **size: Any) -> Call:
        made = init(**complete(size))
        args = inputs(Inputs(draw, values, dtype, drawn), **complete(size))
        fresh = build_under_seed(draw.seed(), model, made, draw.device)
        state = draw_weights(fresh, draw, dtype)
        return ModuleCall(args=args, init=made, state=state, buffers=buffers_of(fresh))

    @cache
    def amount(size: tuple[tuple[str, Any], ...]) -> tuple[int, int, int]:
        if counted is not None:
            return (*counted(**{name: value for name, value in size if name in published}), 0)
        return _trace_cost(model, init, inputs, complete(dict(size)))

    @cache
    def shapes(**size: Any) -> tuple[torch.Size, ...]:
        return tuple(one.shape for one in _data(model, init, inputs, complete(size))[0])

    def cost(dtype: torch.dtype = torch.float32, values: Values = "published", **size: Any) -> Cost:  # noqa: ARG001
        # Numbers change no shape.
        shaped = ((name, value) for name, value in size.items() if name not in numbers)
        flops, floats, others = amount(tuple(sorted(shaped)))
        return Cost(flops=flops, bytes=floats * dtype.itemsize + others)

    return Problem(
        reference=model,
        inputs=call,
        cost=cost,
        contract=contract_at(model, "fp32"),
        checks=tuple(_checks(small, rare, numbers, choices)),
        timings=(Case({**published, "values": "published"}),),
        mutants=(),
        dtypes=(DTYPES["fp32"],),
        difficulty=difficulty,
        level=level,
        number=number,
        ranges=dict(ranges or {}),
        numbers=numbers,
        choices=choices,
        data_shapes=shapes,
        never_long=never_long,
        unsound=unsound,
    )


def _checks(
    small: Sequence[Size],
    rare: Sequence[Rare],
    numbers: Mapping[str, float],
    choices: Mapping[str, Sequence[Any]],
) -> Iterator[Case]:
    """Each case has the next of the numbers and choices; published values have published ones, and
    rare ones published choices: what they break shows there."""
    others = 0
    for size in small:
        for kind in (*ORDINARY, *(rare if size is small[0] else ())):
            arguments: dict[str, Any] = {}
            if kind != "published":
                for place, name in enumerate(numbers):
                    arguments[name] = NUMBERS[(others + place) % len(NUMBERS)]
            if kind in ("normal", "wide"):
                for place, (name, options) in enumerate(choices.items()):
                    arguments[name] = options[(others + place) % len(options)]
                others += 1
            needs = frozenset({Scope.VALUES} if kind in rare else ())
            yield Case({**size, **arguments, "values": kind}, needs=needs)


def _trace_cost(
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
    given = inputs(MetaInputs(), **size)
    with torch.device("meta"):
        module = model(*init(**size))
    with torch.no_grad():
        results = flatten(module(*given))
    data = [one.value for one in (*results, *flatten(list(given)))]
    weights = [one.value for one in flatten(list(module.state_dict().values()))]
    return data, weights, sum(one.value.numel() for one in results)
