"""A KernelBench problem: a task given as a module, with weights, sizes and precisions."""

import inspect
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.intermediates import Intermediates
from kernelbenchx.spec.modules import constants_of, run_module, seeded_state
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.rounded_steps import BFLOAT16, FLOAT16, FLOAT32, TF32, Roundings
from kernelbenchx.spec.space import BASIC_CALLS
from kernelbenchx.spec.task import Outputs, Task
from kernelbenchx.spec.tiles import SMALL_TILE, fills_tiles, has_odd_size

Precision = Literal["fp32", "tf32", "fp16", "bf16"]
Size = Mapping[str, Any]

DTYPES: dict[Precision, torch.dtype] = {
    "fp32": torch.float32,
    "tf32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
}
ROUNDINGS: dict[Precision, Roundings] = {
    "fp32": FLOAT32,
    "tf32": TF32,
    "fp16": FLOAT16,
    "bf16": BFLOAT16,
}
DRAWN = 3
"""How many sizes a run draws beside the fixed ones."""
LONG_ROWS, LONG = 2_100, 9_000
"""How long one size is while the others are small: beyond what one block of a kernel holds. The
first size is the number of rows or images, which often have a program each."""
_TRIES = 200
_MOST_FLOPS = 10**8
"""A size that is squared or cubed in the work is not made long: it would take minutes."""


def _no_shapes(**_: Any) -> Sequence[torch.Size]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Problem(Task):
    """A `Model` task; a submission defines `ModelNew` with the same arguments and weights."""

    level: int
    number: int
    """KernelBench's number within the level."""
    ranges: Mapping[str, tuple[int, int]]
    """Sizes that a run draws, from the first number up to the second."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """What the published problem passes; a run draws others, of either sign, but never 0."""
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Other arguments that a run draws; the first of each is the published one."""
    data_shapes: Callable[..., Sequence[torch.Size]] = _no_shapes
    """Of each input and each result; takes the sizes of a case."""
    never_long: tuple[str, ...] = ()
    """Sizes that another one bounds, or whose steps follow each other."""
    unsound: str = ""
    """Why the problem as published tells no right kernel from a wrong one; empty where it does."""
    precision: Precision = "fp32"
    """Of inputs and weights; `tf32` is float32 with products rounded to TF32 on both sides."""
    weights: Literal["drawn", "seeded", "seed alone"] = "drawn"
    """Whether weights are handed over, or come from the seed that the module is built under. Where
    they are `seeded`, those that are constants in a fresh module are still drawn and given."""
    weights_seed: int | None = None
    """Of all draws, where weights come from a seed; None: each draw has its own."""

    @property
    def entry(self) -> str:
        """The name that KernelBench's submissions have."""
        return "ModelNew"

    @property
    def dtype(self) -> torch.dtype:
        """Of inputs and weights."""
        return DTYPES[self.precision]

    @cached_property
    def making(self) -> inspect.Signature:
        """Of the constructor, without `self`."""
        return inspect.signature(self.reference)

    def at(self, precision: Precision) -> "Problem":
        """The same problem in another precision, with the contract that goes with it."""
        contract = contract_at(self.reference, precision)
        dtype = DTYPES[precision]
        cost = partial(self.cost, dtype=dtype)
        return replace(self, precision=precision, contract=contract, dtypes=(dtype,), cost=cost)

    def from_the_seed(self, *, alone: bool = True) -> "Problem":
        """The same problem where both modules take their weights from one seed."""
        return replace(self, weights="seed alone" if alone else "seeded")

    def with_weights_of(self, seed: int) -> "Problem":
        """Where weights come from a seed, the same ones in all draws."""
        return replace(self, weights_seed=seed)

    @property
    def constants(self) -> tuple[str, ...]:
        """Parameters that are constants in a fresh module."""
        return constants_of(self.reference, self.draw(self.checks[0], 0).init)

    def cases(self, seed: int) -> tuple[Case, ...]:
        """The fixed cases, then some whose sizes the seed draws."""
        chance = random.Random(seed)
        found = {case.name: case for case in self.checks}
        for _ in range(DRAWN if self.ranges else 0):
            sizes = {name: chance.randint(*ends) for name, ends in self.ranges.items()}
            drawn = self._vary(chance.choice(self._ordinary), sizes, chance)
            found.setdefault(drawn.name, drawn)
        found |= {case.name: case for case in self._long(chance)}
        self._add_basic(found, chance)
        return tuple(found.values())

    def is_basic(self, case: Case) -> bool:
        """Whether it fills several tiles and leaves an odd tail; small tiles where a call has many
        steps. Published values may ask for no work: ReLU returns uniform ones as they are."""
        if case.params["values"] == "published" or case.needs:
            return False
        sizes = {name: value for name, value in case.params.items() if name not in self.numbers}
        sizes.pop("values")
        shapes = self.data_shapes(**sizes)
        if self.level == 1:
            return any(map(fills_tiles, shapes))
        return any(math.prod(one) > SMALL_TILE and has_odd_size(one) for one in shapes)

    @property
    def _ordinary(self) -> tuple[Case, ...]:
        """The fixed cases that ask for nothing special."""
        return tuple(case for case in self.checks if not case.needs)

    def _vary(self, case: Case, sizes: Size, chance: random.Random) -> Case:
        """The case at other sizes, with other arguments of the constructor."""
        arguments: dict[str, Any] = {
            name: chance.choice((-1, 1)) * round(chance.uniform(0.2, 3.0), 3)
            for name in self.numbers
        }
        arguments |= {name: chance.choice(options) for name, options in self.choices.items()}
        return replace(case, params={**case.params, **sizes, **arguments}, corner=False)

    def _add_basic(self, found: dict[str, Case], chance: random.Random) -> None:
        """Draw from the middle of the ranges until enough calls are basic, then from their upper
        part: such calls take longer."""
        left = BASIC_CALLS - sum(map(self.is_basic, found.values())) if self.ranges else 0
        for tried in range(_TRIES):
            if left <= 0:
                break
            sizes = {
                name: chance.randint(
                    (3 * low + high) // 4, high if tried > _TRIES // 2 else (low + high + 1) // 2
                )
                for name, (low, high) in self.ranges.items()
            }
            drawn = self._vary(chance.choice(self._ordinary), sizes, chance)
            if drawn.name not in found and self.is_basic(drawn):
                found[drawn.name] = drawn
                left -= 1

    def _long(self, chance: random.Random) -> Iterator[Case]:
        """For each size that the published problem has long, one case where it is the only one.
        Choices are published ones: along another dimension a long size takes many programs."""
        published = self.timings[0].params
        for name, (_, high) in self.ranges.items():
            long = min(published[name], LONG_ROWS if name == next(iter(published)) else LONG)
            case = min(chance.sample(self._ordinary, len(self._ordinary)), key=self._volume)
            chosen = {name: options[0] for name, options in self.choices.items()}
            varied = self._vary(case, {**self._few(chance), name: long}, chance)
            varied = replace(varied, params={**varied.params, **chosen})
            if long <= 2 * high or name in self.never_long:
                continue
            if self.cost(**varied.params).flops < _MOST_FLOPS:
                yield varied

    def _few(self, chance: random.Random) -> dict[str, int]:
        """Small sizes, no two alike where it can be: a square weight fits either way round."""
        for _ in range(_TRIES):
            found = {
                name: chance.randint(low, min(high, low + 4))
                for name, (low, high) in self.ranges.items()
            }
            if len(set(found.values())) == len(found):
                break
        return found

    def _volume(self, case: Case) -> int:
        sizes = (case.params[name] for name in self.timings[0].params)
        return math.prod(size for size in sizes if isinstance(size, int))

    def draw(self, case: Case, seed: int, device: str = "cpu") -> Call:
        """Inputs and weights, in the precision of the task."""
        call = self.inputs(Draw.from_seed(seed, device), dtype=self.dtype, **case.params)
        if self.weights == "drawn":
            return call
        own = (seed if self.weights_seed is None else self.weights_seed) % (1 << 31)
        state = {
            name: value.to(device, self.dtype if value.is_floating_point() else None)
            for name, value in seeded_state(own, self.reference, call.init).items()
        }
        alone = self.weights == "seed alone"
        if not alone:
            state |= {name: call.state[name] for name in constants_of(self.reference, call.init)}
        return replace(call, state=state, weights_seed=own, loads=not alone)  # type: ignore[call-arg]

    def outputs(self, function: Callable[..., Any], call: Call) -> Outputs:
        """As for any task; what a module keeps in buffers is not judged."""
        leaves = flatten(run_module(function, call))
        return Outputs(leaves, ("",) * len(leaves), len(leaves))


def contract_at(model: Callable[..., Any], precision: Precision) -> Close:
    """The budget follows every intermediate result, each rounded to the dtype of the precision."""
    compute = DTYPES[precision] if DTYPES[precision].itemsize < 4 else None
    scale = Intermediates(model, roundings=ROUNDINGS[precision])
    return Close(scale=scale, factor=16.0, tf32=precision == "tf32", compute=compute)
