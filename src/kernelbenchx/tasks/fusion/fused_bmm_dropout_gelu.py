"""GELU of a batched matrix product with dropout in between: gelu(dropout(bmm(input1, input2), p)).

input1 (B, N, M) and input2 (B, M, P) of one dtype and any strides give (B, N, P) in that dtype.
Dropout comes before GELU: in training each element of the product is dropped with probability p,
independently and anew in every call, and a kept one is z / (1 - p); a dropped one gives exactly
0. With training=False, or p = 0, nothing is dropped or scaled; with p = 1 in training all is 0.
GELU is 0.5 * x * (1 + erf(x / sqrt(2))) for approximate='none' and 0.5 * x * (1 + tanh(sqrt(2 /
pi) * (x + 0.044715 * x**3))) for 'tanh'. All is computed in float32 and rounded once; float32
products do not use TF32. `inplace` concerns the intermediate product alone and changes nothing
that a caller can see. With `out` (of the result's shape and dtype, any strides) the result is
written there and `out` is returned. Sizes may be 0.

The published test compares with torch's own random stream, which no kernel can follow; here the
law of the mask is judged. The reference gives the value of every element if none is dropped.
"""

import math

import torch

from kernelbenchx.spec import (
    Call,
    Close,
    Cost,
    Draw,
    Dropout,
    Mutant,
    Patch,
    Task,
    call,
    called,
    case,
    grid,
)

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Sizes = tuple[int, int, int, int]


def fused_bmm_dropout_gelu(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = _gelu(_product(input1, input2) * _factor(p, training), approximate, input1.dtype)
    return result if out is None else out.copy_(result)


def eager(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    kept = torch.nn.functional.dropout(torch.bmm(input1, input2), p, training, inplace)
    return _filled(torch.nn.functional.gelu(kept, approximate=approximate), out)


def _product(input1: torch.Tensor, input2: torch.Tensor) -> torch.Tensor:
    if input1.dtype == torch.float64:
        return torch.bmm(input1, input2)
    return torch.bmm(input1.float(), input2.float())


def _gelu(x: torch.Tensor, approximate: str, dtype: torch.dtype) -> torch.Tensor:
    return torch.nn.functional.gelu(x, approximate=approximate).to(dtype)


def _factor(p: float, training: bool) -> float:
    if not training:
        return 1.0
    return 0.0 if p == 1 else 1.0 / (1.0 - p)


def inputs(
    draw: Draw,
    sizes: Sizes,
    dtype: torch.dtype,
    layout: str = "contiguous",
    scale: float = 1.0,
    into: str = "",
    **options: object,
) -> Call:
    """`scale` is the size of the product."""
    b, n, m, p = sizes
    x = draw.laid_out(draw.normal((b, n, m), dtype, scale * max(m, 1) ** -0.5), layout)
    y = draw.laid_out(draw.normal((b, m, p), dtype), layout)
    written = {"out": draw.laid_out(draw.normal((b, n, p), dtype), into)} if into else {}
    return call(x, y, **options, **written)


def cost(sizes: Sizes, dtype: torch.dtype, **_: object) -> Cost:
    b, n, m, p = sizes
    elements = b * (n * m + m * p + n * p)
    return Cost(flops=b * n * p * (2 * m + 10), bytes=elements * dtype.itemsize)


def keep(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    *_: object,
    **__: object,
) -> float:
    return 1.0 - p if training else 1.0


def scale_of(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    *_: object,
    **__: object,
) -> torch.Tensor:
    """The product of absolute values, scaled; GELU magnifies it by 1.13 at most.

    It is as large as the argument of 1 + erf, which cancels in the negative tail.
    """
    growth = 1.25 * max(1.0, math.sqrt(input1.shape[2]) / 8)
    return growth * _factor(p, training) * torch.bmm(input1.abs(), input2.abs())


def _dropped(x: torch.Tensor, p: float, training: bool) -> torch.Tensor:
    kept = torch.rand_like(x) >= p if training else torch.ones_like(x, dtype=torch.bool)
    return torch.where(kept, x * _factor(p, training), 0.0)


def _filled(result: torch.Tensor, out: torch.Tensor | None) -> torch.Tensor:
    return result if out is None else out.copy_(result)


def _after(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Drops after GELU."""
    whole = _gelu(_product(input1, input2), approximate, torch.float32)
    return _filled(_dropped(whole, p, training).to(input1.dtype), out)


def _always(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Drops outside training too."""
    dropped = _dropped(_product(input1, input2), p, True)
    return _filled(_gelu(dropped, approximate, input1.dtype), out)


def _half_p(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Takes p for 0.5, with the right factor."""
    product = _product(input1, input2)
    kept = torch.rand_like(product) >= 0.5 if training and p else torch.ones_like(product) > 0
    dropped = torch.where(kept, product * _factor(p, training), 0.0)
    return _filled(_gelu(dropped, approximate, input1.dtype), out)


def _plain(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    dropped = _dropped(_product(input1, input2), p, training)
    return _filled(_gelu(dropped, "none", input1.dtype), out)


def _torch(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Right, but `out` is left alone."""
    return _gelu(_dropped(_product(input1, input2), p, training), approximate, input1.dtype)


_DRAWN = "tl.rand(tl.load(seed), place)"
_PLACE = "place = (batch * n + rows) * width + cols"
_MASKS = tuple(
    Patch(name, old, new, ("I-RNG",))
    for name, old, new in (
        ("the same mask in every call", _DRAWN, "tl.rand(17, place)"),
        ("the same mask in every row", _PLACE, "place = cols + 0 * rows"),
        ("the same mask in every batch entry", "(batch * n + rows)", "rows"),
        ("the same mask in every program", _PLACE, "place = (rows % BN) * BP + cols % BP"),
        ("the same mask along diagonals", _PLACE, "place = batch * n * width + rows + cols"),
        ("the mask repeats after 2^16 elements", "seed), place)", "seed), place % 65536)"),
        ("calls share one shifted stream", _DRAWN, "tl.rand(17, place + tl.load(seed) % 4096)"),
        ("positions that are never kept", _DRAWN, f"(place % 700 != 77) * {_DRAWN}"),
        ("positions that are never dropped", _DRAWN, f"(place % 700 == 78) + {_DRAWN}"),
    )
)

TASK = Task(
    reference=fused_bmm_dropout_gelu,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Dropout(keep=keep, given=fused_bmm_dropout_gelu, close=Close(scale=scale_of)),
    checks=(
        # More than 2^16 elements: a mask that repeats after 2^16 shows.
        case(sizes=(2, 130, 16, 300), dtype=torch.float32, p=0.5)
        + grid(sizes=((2, 67, 33, 100),), dtype=FLOATS, p=(0.3,), approximate=("none", "tanh"))
        # Called often: the rate of each position shows.
        + called(6, case(sizes=(3, 50, 20, 80), dtype=torch.float32, p=0.0005))
        + called(6, case(sizes=(1, 90, 20, 130), dtype=torch.float16, p=0.9995, approximate="tanh"))
        + grid(sizes=((2, 35, 70, 41),), dtype=FLOATS, training=(False,), layout=("transposed",))
        + grid(
            sizes=((3, 20, 67, 9),),
            dtype=FLOATS,
            training=(False,),
            scale=(4.0,),
            approximate=("tanh",),
            layout=("strided",),
        )
        + grid(sizes=((2, 9, 16, 70),), dtype=(torch.float32,), p=(0.0, 1.0, 0.25))
        + grid(
            sizes=((2, 40, 17, 30),), dtype=FLOATS, p=(0.3,), into=("transposed",), inplace=(True,)
        )
        + grid(sizes=((1, 1, 1, 1), (2, 3, 0, 4), (2, 0, 3, 4)), dtype=(torch.float32,), p=(0.0,))
    ),
    timings=(
        # Large: who draws is timed from outside, where a call of 80 us shows how fast the host is.
        grid(sizes=((32, 1024, 1024, 1024),), dtype=FLOATS[:2], p=(0.5,))
        + case(sizes=(8, 2048, 2048, 2048), dtype=torch.bfloat16, p=0.1, approximate="tanh")
    ),
    mutants=(
        Mutant("dropout after GELU", _after, ("p",)),
        Mutant("dropout outside training", _always, ("training",)),
        Mutant("no dropout", fused_bmm_dropout_gelu, ("p", "training")),
        Mutant("p is taken for 0.5", _half_p, ("p",)),
        Mutant("approximate is ignored", _plain, ("approximate",)),
        Mutant("out is not written", _torch, ("out",)),
        *_MASKS,
        Patch("a keep rate that is off by 0.05", ">= p", ">= p + 0.05", ("I-RNG", "p")),
        Patch("p of eight bits", ">= p", ">= tl.floor(p * 256) / 256", ("p",)),
        Patch("kept values are not scaled", "z *= factor", "z *= 1.0", ("p",)),
        Patch(
            "input1 is taken for contiguous",
            "batch * a_b + rows * a_row",
            "batch * a_b + rows * m",
            ("input1",),
        ),
        Patch(
            "only the first block of the sum", "range(0, m, BM)", "range(0, BM, BM)", ("input2",)
        ),
    ),
    dtypes=FLOATS,
    difficulty=3,
    writes=("out",),
    inert=("inplace",),
    randomness="randint",
    audit=("I-RNG",),
)
