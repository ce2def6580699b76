"""Independent numbers, uniform on [0, 1).

size is given as ints, rand(2, 3), or as one sequence of ints, rand((2, 3)). 1.0 never occurs. The
result lies on the device of out, else on `device`, else on the generator's: every call gives one.
The only source of randomness is one torch.randint, from generator where one is given: the same
state of the generator gives the same tensor again, another state an independent one. Without a
generator every call gives other numbers.
The published test asks for the very numbers of torch.rand; here any stream that keeps the law is
right.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import (
    Call,
    CaseDevice,
    Cost,
    Draw,
    GeneratorSeed,
    Mutant,
    Promise,
    Task,
    Uniform,
    argument,
    call,
    case,
)
from kernelbenchx.spec.families import wrong
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, drawn, dtypes, fits, one_of, outs
from kernelbenchx.spec.families.chances import WRONG_NUMBERS
from kernelbenchx.spec.families.sentences import out_is_written
from kernelbenchx.spec.space import Axis, Option, Space

FLOATS = (torch.float32, torch.float64)
Shape = tuple[int, ...]


def rand(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> torch.Tensor:
    shape, kind, where = _asked(size, generator, out, dtype, device)
    source = torch.Generator(where).manual_seed(0) if generator is None else generator
    values = torch.rand(shape, generator=source, dtype=kind, device=where)
    return values if out is None else out.copy_(values)


def eager(*size, generator=None, out=None, dtype=None, device=None, **_):
    shape, kind, where = _asked(size, generator, out, dtype, device)
    return torch.rand(shape, generator=generator, out=out, dtype=kind, device=where)


def _asked(size: Any, generator: Any, out: Any, dtype: Any, device: Any) -> tuple[Any, Any, Any]:
    """Shape, dtype and device of the result."""
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    if out is not None:
        return shape, out.dtype, out.device
    where = generator.device if device is None and generator is not None else device
    return shape, torch.float32 if dtype is None else dtype, where


def inputs(
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


def cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    """What `out` held before is overwritten, never read."""
    count = math.prod(shape)
    return Cost(flops=count, bytes=count * dtype.itemsize)


SHAPES = (
    Option("matrix", drawn((41, 90), (61, 120))),
    # Four seeds, of which some differ in high bits only.
    Option("often", drawn((23, 31), (250, 310)), calls=5),
    Option("vector", drawn((6000, 9500))),
    Option("cube", drawn((5, 9), (3, 6), (211, 331))),
    Option("0-d", (), DEGENERATE),
    Option("small", one_of((1,), (1, 1), (3, 1), (2, 3)), DEGENERATE),
    Option("empty", one_of((0,), (0, 4), (3, 0, 2)), DEGENERATE),
    # More than 2^16 numbers, in rows that are no multiple of a block.
    Option("long", drawn((131, 140), (503, 540)), SCALE),
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    dims = {"0-d": 0, "small": 0, "empty": 0, "vector": 1}.get(chosen["shape"], 2)
    return fits(chosen.get("out", "contiguous").replace("not given", "contiguous"), dims)


def _changed(change: Any) -> Any:
    """The right numbers, and then something done to them."""

    def answer(*size: Any, out: Any = None, **options: Any) -> torch.Tensor:
        if out is not None:
            options["dtype"] = out.dtype
            options.setdefault("device", out.device)
        options.setdefault("generator", torch.default_generator)
        values: torch.Tensor = change(rand(*size, **options))
        return values if out is None else out.copy_(values)

    return answer


def _own_seed(*size: Any, **options: Any) -> torch.Tensor:
    return rand(*size, **options | {"generator": torch.default_generator})


def _always_one_seed(*size: Any, **options: Any) -> torch.Tensor:
    return rand(*size, **options | {"generator": torch.Generator().manual_seed(5)})


def _one_shifted_stream(*size: Any, generator: Any = None, **options: Any) -> torch.Tensor:
    """The seed says where in one stream of numbers to begin."""
    start = int(torch.randint(0, 4096, (1,), generator=generator))
    shape, *_ = _asked(size, generator, None, None, None)
    stream = torch.Generator().manual_seed(5)
    torch.rand(start, generator=stream, dtype=options.get("dtype"))
    return rand(shape, **options | {"generator": stream})


TASK = Task(
    reference=rand,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Uniform(),
    space=Space(
        (
            Axis("shape", SHAPES),
            dtypes(FLOATS[:1], FLOATS[1:]),
            argument("seeded", yes=None, no=False),
            argument("size", ints=None, tuple="tuple", list="list", Size="Size"),
            outs(),
        ),
        valid=_is_valid,
        corners=(
            {"shape": "long"},
            {"shape": "often"},
            {"shape": "often", "dtype": "float64", "size": "list"},
            {"shape": "cube", "seeded": "no"},
            {"out": "transposed", "size": "tuple"},
            {"out": "strided", "dtype": "float64"},
            {"shape": "0-d", "size": "tuple"},
            {"shape": "empty"},
        ),
        calls=14,
    ),
    promises=(
        Promise(
            "() is 0-d, and a size may be 0.",
            "shape",
            ("0-d", "empty"),
            wrong.refuses(
                rand,
                "refuses what has no dimension or no element",
                lambda *size: not size or size[0] in (0, (), []),
            ),
        ),
        Promise(
            "dtype is float32 (None) or float64.",
            "dtype",
            ("float64",),
            Mutant(
                "always float32",
                lambda *size, **options: rand(*size, **options | {"dtype": None}),
                ("dtype",),
            ),
        ),
        out_is_written(
            _changed(lambda values: values),
            "With out, a tensor of that shape and of any memory layout, the numbers are written "
            "there, in its dtype, and out itself is returned.",
        ),
    ),
    timings=(
        # Large: who draws is timed from outside, where a call of 60 us shows how fast the host is.
        case(shape=(2**26,), dtype=torch.float32)
        + case(shape=(8192, 4096), dtype=torch.float32, out="contiguous")
        + case(shape=(2**26,), dtype=torch.float64)
        + case(shape=(8191, 8193), dtype=torch.float32)
    ),
    mutants=(
        Mutant("always the same numbers", _always_one_seed, ("generator", "I-RNG")),
        Mutant("a seed of its own", _own_seed, ("generator",)),
        Mutant("seeds share one stream, shifted", _one_shifted_stream, ("generator",)),
        *(Mutant(name, _changed(one), ("I-RNG",)) for name, one in WRONG_NUMBERS.items()),
        Mutant(
            "size reversed",
            _changed(lambda x: x.permute(*range(x.dim())[::-1]).contiguous()),
            ("size",),
        ),
        wrong.out_ignored(_changed(lambda values: values)),
    ),
    dtypes=FLOATS,
    difficulty=2,
    writes=("out",),
    inert=("layout", "device", "requires_grad", "pin_memory"),
    randomness="generator",
    audit=("I-RNG",),
)
