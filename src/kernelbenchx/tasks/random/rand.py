"""Independent numbers, uniform on [0, 1).

size is given as ints, rand(2, 3), or as one sequence of ints, rand((2, 3)); () is 0-d, and a size
may be 0. dtype is float32 (None) or float64; 1.0 never occurs. With out, a tensor of that shape and
of any memory layout, the numbers are written there, in its dtype, and out itself is returned. The
result lies on the device of out, else on `device`, else on the generator's: every call gives one.
The only source of randomness is one torch.randint, from generator where one is given: the same
state of the generator gives the same tensor again, another state an independent one. Without a
generator every call gives other numbers.
The published test asks for the very numbers of torch.rand; here any stream that keeps the law is
right.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import (
    Call,
    CaseDevice,
    Cost,
    Draw,
    GeneratorSeed,
    Mutant,
    Patch,
    Task,
    Uniform,
    call,
    called,
    case,
    grid,
)

FLOATS = (torch.float32, torch.float64)
F32 = torch.float32
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
    sequence: bool = False,
    out: str = "",
) -> Call:
    options: dict[str, Any] = {"device": CaseDevice()}
    if seeded:
        options = {"generator": GeneratorSeed(draw.seed())}
    if out:
        options["out"] = draw.laid_out(draw.normal(shape, dtype), out)
    elif dtype != torch.float32:
        options["dtype"] = dtype
    return call(*((shape,) if sequence else shape), **options)


def cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    """What `out` held before is overwritten, never read."""
    count = math.prod(shape)
    return Cost(flops=count, bytes=count * dtype.itemsize)


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


def _rows_repeat(values: torch.Tensor) -> torch.Tensor:
    return values[:1].expand_as(values).clone() if values.dim() else values


def _diagonals_repeat(values: torch.Tensor) -> torch.Tensor:
    if values.dim() < 2:
        return values
    places = torch.stack(
        torch.meshgrid(
            *(torch.arange(n, device=values.device) for n in values.shape), indexing="ij"
        )
    ).sum(0)
    return values.flatten()[places]


def _counted(values: torch.Tensor) -> torch.Tensor:
    """Eleven random bits, then twelve of the position."""
    low = torch.arange(values.numel(), device=values.device).view(values.shape) % 4096
    return ((values.double() * 2048).floor() / 2048 + low * 2.0**-23).to(values.dtype)


def _folded(values: torch.Tensor) -> torch.Tensor:
    flat = values.flatten()
    half = flat.numel() // 2
    return torch.cat((flat[: flat.numel() - half], flat[:half].flip(0))).view(values.shape)


def _reversed(values: torch.Tensor) -> torch.Tensor:
    return values.permute(tuple(range(values.dim()))[::-1]).contiguous()


def _always_one_seed(*size: Any, **options: Any) -> torch.Tensor:
    return rand(*size, **{**options, "generator": torch.Generator().manual_seed(5)})


def _own_seed(*size: Any, **options: Any) -> torch.Tensor:
    return rand(*size, **{**options, "generator": torch.default_generator})


def _float32_always(*size: Any, **options: Any) -> torch.Tensor:
    return rand(*size, **{**options, "dtype": None})


def _fresh_tensor(*size: Any, out: Any = None, **options: Any) -> torch.Tensor:
    kind = {} if out is None else {"dtype": out.dtype}
    values: torch.Tensor = _changed(lambda values: values)(*size, **{**options, **kind})
    return values


TASK = Task(
    reference=rand,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Uniform(),
    checks=(
        # More than 2^16 numbers, in rows that are no multiple of a block.
        case(shape=(173, 521), dtype=F32)
        # Four seeds, of which some differ in high bits only.
        + called(5, grid(shape=((29, 300),), dtype=FLOATS))
        + case(shape=(7, 3, 331), dtype=F32, seeded=False)
        + case(shape=(9001,), dtype=F32, sequence=True)
        + grid(shape=((97, 53),), dtype=FLOATS, out=("contiguous", "transposed"))
        + case(shape=(2, 3), dtype=torch.float64, sequence=True, seeded=False)
        + case(shape=(1,), dtype=F32)
        + case(shape=(), dtype=F32, sequence=True)
        + case(shape=(0, 4), dtype=F32)
    ),
    timings=(
        # Large: who draws is timed from outside, where a call of 60 us shows how fast the host is.
        case(shape=(2**26,), dtype=F32)
        + case(shape=(8192, 4096), dtype=F32, out="contiguous")
        + case(shape=(2**26,), dtype=torch.float64)
    ),
    mutants=(
        Mutant("always the same numbers", _always_one_seed, ("generator", "I-RNG")),
        Mutant("a seed of its own", _own_seed, ("generator",)),
        Mutant("1.0 occurs", _changed(lambda values: (values * 4096).round() / 4096)),
        Mutant("8 bits", _changed(lambda values: (values * 256).floor() / 256)),
        Mutant("squared", _changed(lambda values: values * values), ("I-RNG",)),
        Mutant("rows repeat", _changed(_rows_repeat)),
        Mutant("diagonals repeat", _changed(_diagonals_repeat)),
        Mutant("low bits that count", _changed(_counted)),
        Mutant("the second half is the first, reversed", _changed(_folded)),
        Mutant("size reversed", _changed(_reversed), ("size",)),
        Mutant("always float32", _float32_always, ("dtype",)),
        Mutant("a fresh tensor for out", _fresh_tensor, ("out",)),
        Patch(
            "every program the same",
            "tl.randint4x(tl.load(seed), at)",
            "tl.randint4x(tl.load(seed), at % BLOCK)",
            ("I-RNG",),
        ),
        Patch(
            "every call the same",
            "tl.randint4x(tl.load(seed), at)",
            "tl.randint4x(7, at)",
            ("generator",),
        ),
        Patch(
            "a period of 2^16",
            "tl.randint4x(tl.load(seed), at)",
            "tl.randint4x(tl.load(seed), at % 65536)",
            ("I-RNG",),
        ),
        Patch(
            "seeds share one stream, shifted",
            "tl.randint4x(tl.load(seed), at)",
            "tl.randint4x(7, at + tl.load(seed) % 4096)",
            ("generator",),
        ),
        Patch(
            "the last block has no seed",
            "tl.randint4x(tl.load(seed), at)",
            "tl.randint4x(tl.load(seed) * (at < n // BLOCK * BLOCK), at)",
            ("generator",),
        ),
        Patch(
            "a position has one number for all seeds",
            "value, mask=at < n",
            "tl.where(at == 77, 0.25, value), mask=at < n",
            ("I-RNG",),
        ),
        Patch("first block only", "_uniform[(triton.cdiv(n, 1024),)]", "_uniform[(1,)]"),
        Patch("only below one half", "(first >> 8).to", "(first >> 9).to"),
        Patch("out not written", "out.copy_(values)", "values.copy_(values)", ("out",)),
    ),
    dtypes=FLOATS,
    difficulty=2,
    writes=("out",),
    inert=("layout", "device", "requires_grad", "pin_memory"),
    randomness="generator",
    audit=("I-RNG",),
)
