"""Tasks that fill a tensor of a given size with independent random numbers."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call
from kernelbenchx.spec.contract import Contract
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    SCALE,
    argument,
    draw_shape,
    fits,
    one_of,
    outs,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.random_mistakes import Change
from kernelbenchx.spec.families.standard_promises import out_is_written
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Axis, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
NUMBERS = (torch.float32, torch.float64)


def random_numbers(
    function: Function,
    *,
    law: Contract,
    wrong_numbers: Mapping[str, Change],
    corners: Sequence[Mapping[str, str]] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(*size, generator, out, dtype, device, ...)` is the reference.

    It draws from the generator that is given, else from one with a fixed seed. `wrong_numbers`:
    what must not become of numbers that keep the law. `corners` follow those of every task of the
    family. `rest`: fields of `Task`.
    """
    fields: dict[str, Any] = {
        "inputs": _inputs,
        "cost": _cost,
        "dtypes": NUMBERS,
        "writes": ("out",),
        "inert": ("layout", "device", "requires_grad", "pin_memory"),
        "randomness": "generator",
        "audit": ("I-RNG",),
    }
    right = _change_numbers(function, lambda values: values)
    return Task(
        reference=function,
        contract=law,
        space=Space(_AXES, valid=_is_valid, corners=(*_CORNERS, *corners), calls=14),
        promises=(*_promises(function, right), *promises),
        mutants=(
            Mutant(
                "always the same numbers", _ignore_generator(function, 5), ("generator", "I-RNG")
            ),
            Mutant("a seed of its own", _ignore_generator(function, None), ("generator",)),
            Mutant("seeds share one stream, shifted", _one_stream(function), ("generator",)),
            Mutant("size reversed", _change_numbers(function, _reverse_dims), ("size",)),
            *(
                Mutant(name, _change_numbers(function, change), ("I-RNG",))
                for name, change in wrong_numbers.items()
            ),
            mistakes.out_ignored(right),
            *mutants,
        ),
        **fields | rest,
    )


def resolve_options(
    size: Any, generator: Any, out: Any, dtype: Any, device: Any
) -> tuple[Any, Any, Any]:
    """Shape, dtype and device of the result."""
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    if out is not None:
        return shape, out.dtype, out.device
    where = generator.device if device is None and generator is not None else device
    return shape, torch.float32 if dtype is None else dtype, where


def _inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    seeded: bool = True,
    size: str = "ints",
    out: str = "",
) -> Call:
    options: dict[str, Any] = {"device": CaseDevice()}
    if seeded:
        options = {"generator": GeneratorSeed(draw.seed())}
    if out:
        options["out"] = draw.laid_out(draw.normal(shape, dtype), out)
    elif dtype != torch.float32:
        options["dtype"] = dtype
    given = {"tuple": (shape,), "list": (list(shape),), "Size": (torch.Size(shape),)}
    return call(*given.get(size, shape), **options)


def _cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    """What `out` held before is overwritten, never read."""
    count = math.prod(shape)
    return Cost(flops=count, bytes=count * dtype.itemsize)


_SHAPES = (
    Option("matrix", draw_shape((41, 90), (61, 120))),
    # Four seeds, of which some differ in high bits only.
    Option("often", draw_shape((23, 31), (250, 310)), calls=5),
    Option("vector", draw_shape((6000, 9500))),
    Option("cube", draw_shape((5, 9), (3, 6), (211, 331))),
    Option("0-d", (), DEGENERATE),
    Option("small", one_of((1,), (1, 1), (3, 1), (2, 3)), DEGENERATE),
    Option("empty", one_of((0,), (0, 4), (3, 0, 2)), DEGENERATE),
    # More than 2^16 numbers, in rows that are no multiple of a block.
    Option(
        "long", draw_shape((131, 140), (503, 540)), SCALE, after=draw_shape((131, 140), (103, 120))
    ),
)
_AXES = (
    Axis("shape", _SHAPES),
    dtype_axis(NUMBERS[:1], NUMBERS[1:]),
    argument("seeded", yes=None, no=False),
    argument("size", ints=None, tuple="tuple", list="list", Size="Size"),
    outs(),
)
_CORNERS = (
    {"shape": "long"},
    {"shape": "often"},
    {"shape": "often", "dtype": "float64", "size": "list"},
    {"shape": "cube", "seeded": "no"},
    {"out": "transposed", "size": "tuple"},
    {"out": "strided", "dtype": "float64"},
    {"shape": "0-d", "size": "tuple"},
    {"shape": "empty"},
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    dims = {"0-d": 0, "small": 0, "empty": 0, "vector": 1}.get(chosen["shape"], 2)
    return fits(chosen.get("out", "contiguous").replace("not given", "contiguous"), dims)


def _promises(function: Function, right: Function) -> tuple[Promise, ...]:
    refuses = mistakes.refuses(
        function,
        "refuses what has no dimension or no element",
        lambda *size: not size or size[0] in (0, (), []),
    )
    float32 = Mutant(
        "always float32",
        lambda *size, **options: function(*size, **options | {"dtype": None}),
        ("dtype",),
    )
    return (
        Promise("() is 0-d, and a size may be 0.", "shape", ("0-d", "empty"), refuses),
        Promise("dtype is float32 (None) or float64.", "dtype", ("float64",), float32),
        out_is_written(
            right,
            "With out, a tensor of that shape and of any memory layout, the numbers are written "
            "there, in its dtype, and out itself is returned.",
        ),
    )


def _change_numbers(function: Function, change: Change) -> Function:
    """The right numbers, and then something done to them."""

    def answer(*size: Any, out: Any = None, **options: Any) -> torch.Tensor:
        if out is not None:
            options["dtype"] = out.dtype
            options.setdefault("device", out.device)
        options.setdefault("generator", torch.default_generator)
        values = change(function(*size, **options))
        return values if out is None else out.copy_(values)

    return answer


def _reverse_dims(x: torch.Tensor) -> torch.Tensor:
    return x.permute(*range(x.dim())[::-1]).contiguous()


def _ignore_generator(function: Function, seed: int | None) -> Function:
    """Never looks at the generator; without a seed every call has other numbers."""

    def answer(*size: Any, **options: Any) -> torch.Tensor:
        own = torch.default_generator if seed is None else torch.Generator().manual_seed(seed)
        return function(*size, **options | {"generator": own})

    return answer


def _one_stream(function: Function) -> Function:
    """The seed says where in one stream of numbers to begin."""

    def answer(*size: Any, generator: Any = None, **options: Any) -> torch.Tensor:
        start = int(torch.randint(0, 4096, (1,), generator=generator))
        shape, *_ = resolve_options(size, generator, None, None, None)
        stream = torch.Generator().manual_seed(5)
        function(start, generator=stream, dtype=options.get("dtype"))
        return function(shape, **options | {"generator": stream})

    return answer
