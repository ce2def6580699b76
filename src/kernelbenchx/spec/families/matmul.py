"""Products of matrices and vectors, alone or added to something: beta * input + alpha * (A @ B)."""

import inspect
import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    LONG,
    SCALE,
    argument,
    draw_shape,
    fresh,
    layouts,
    outs,
    trivial,
    values,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.matmul_promises import product_promises
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
Sizes = tuple[int, int, int]
"""Rows of the first operand, length of the sum, columns of the second operand."""
Ranks = tuple[Shape | None, Shape | None]
"""Leading dimensions of each operand; None for a vector."""

MATRICES: Ranks = ((), ())
_PLANTED = (math.inf, -math.inf, math.nan, -0.0, 1e-7)


def matmul(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    ranks: Axis | None = None,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    growth: float = 8.0,
    arguments: tuple[Axis, ...] = (),
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference, its two operands are matrices.

    With parameters `beta` and `alpha` the first argument is added to the product. `ranks`: other
    operands than matrices, such as `any_ranks()`. `growth`: a sum of n terms may be wrong by
    sqrt(n) / growth roundings. `rest`: fields of `Task`.
    """
    parameters = inspect.signature(function).parameters
    added, has_out = "beta" in parameters, "out" in parameters
    axes = (
        sizes(),
        dtype_axis(dtypes),
        *((ranks,) if ranks else ()),
        layouts(),
        layouts("second_layout", ("transposed", "strided", "expanded")),
        *(_make_bias_axes() if added else ()),
        *arguments,
        *((outs(),) if has_out else ()),
        _values(added),
    )
    fields: dict[str, Any] = {
        "contract": Close(scale=_Size(added, growth)),
        "writes": ("out",) if has_out else (),
    }
    return Task(
        reference=function,
        inputs=_Inputs(added),
        cost=_Cost(added),
        space=Space(axes, valid=_is_valid, corners=_corners(dtypes, added) + corners),
        promises=product_promises(function, axes, dtypes) + promises,
        dtypes=dtypes,
        **fields | rest,
    )


def sizes() -> Axis:
    """Of one product: below, at and above common blocks, each way, and sums of any length."""
    return Axis(
        "sizes",
        (
            Option("ordinary", fresh(_ordinary)),
            Option("whole blocks", fresh(lambda c: (64, c.choice((32, 128)), c.choice((64, 128))))),
            Option("square", fresh(lambda c: (c.randrange(17, 66),) * 3)),
            Option("small", fresh(lambda c: tuple(c.randrange(2, 10) for _ in range(3)))),
            Option(
                "wide",
                draw_shape((2, 5), 9, (4100, 4300)),
                after=draw_shape((2, 5), 9, (1030, 1300)),
            ),
            Option(
                "tall",
                draw_shape((4100, 4300), 9, (2, 5)),
                after=draw_shape((1030, 1300), 9, (2, 5)),
            ),
            Option("one row", fresh(lambda c: (1, *_two(c))), DEGENERATE),
            Option("one column", fresh(lambda c: (*_two(c), 1)), DEGENERATE),
            Option(
                "one term", fresh(lambda c: (c.randrange(1, 9), 1, c.choice((1, 5)))), DEGENERATE
            ),
            Option("empty", fresh(lambda c: c.choice(((0, 5, 3), (4, 3, 0)))), DEGENERATE),
            Option("empty sum", fresh(lambda c: (c.randrange(2, 9), 0, 3)), DEGENERATE),
            Option(
                "long sum", draw_shape(2, (66_000, 74_000), 3), SCALE, after=draw_shape(2, LONG, 3)
            ),
        ),
    )


def _ordinary(chance: random.Random) -> Sizes:
    return chance.randrange(33, 71), chance.randrange(65, 131), chance.randrange(33, 71)


def _two(chance: random.Random) -> tuple[int, int]:
    return chance.randrange(17, 70), chance.randrange(17, 70)


def any_ranks() -> Axis:
    """Vectors, matrices and batches, as `torch.matmul` takes them."""

    def with_batch(pair: Callable[[Shape], Ranks]) -> FreshValue:
        return FreshValue(lambda chance, _before: pair((chance.randrange(2, 5),)))

    return Axis(
        "ranks",
        (
            Option("matrices", MATRICES),
            Option("batch by batch", with_batch(lambda b: (b, b))),
            Option("batch by matrix", with_batch(lambda b: (b, ()))),
            Option("matrix by batch", with_batch(lambda b: ((), b))),
            Option("batches that broadcast", with_batch(lambda b: ((*b, 1), (3,)))),
            Option("vector by matrix", (None, ())),
            Option("matrix by vector", ((), None)),
            Option("vector by batch", with_batch(lambda b: (None, b))),
            Option("batch by vector", with_batch(lambda b: ((2, *b), None))),
            Option("vector by vector", (None, None)),
            Option("empty batch", ((0,), (0,)), DEGENERATE),
        ),
    )


def shapes_of(given: Sizes, ranks: Ranks = MATRICES) -> tuple[Shape, Shape, Shape]:
    """Of both operands and of their product."""
    n, m, p = given
    first, second = ranks
    batch = broadcast(first or (), second or ())
    rows: Shape = () if first is None else (n,)
    columns: Shape = () if second is None else (p,)
    return (*(first or ()), *rows, m), (*(second or ()), m, *columns), batch + rows + columns


class _Cost:
    """Two operations for each product, three for what is added."""

    def __init__(self, added: bool) -> None:
        self.added = added

    def __call__(
        self,
        sizes: Sizes,
        dtype: torch.dtype,
        ranks: Ranks = MATRICES,
        bias: Shape | None = None,
        **_: Any,
    ) -> Cost:
        first, second, result = map(math.prod, shapes_of(sizes, ranks))
        elements, each = first + second + result, 2 * sizes[1]
        if self.added:
            elements += result if bias is None else math.prod(bias)
            each += 3
        return Cost(flops=each * result, bytes=elements * dtype.itemsize)


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, added: bool) -> None:
        self.added = added

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        sizes: Sizes,
        dtype: torch.dtype,
        ranks: Ranks = MATRICES,
        layout: str = "contiguous",
        second_layout: str = "contiguous",
        bias: Shape | None = None,
        bias_layout: str = "contiguous",
        out: str | None = None,
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        first, second, result = shapes_of(sizes, ranks)
        x, y = _operands(draw, first, second, dtype, values)
        given = [draw.laid_out(x, layout), draw.laid_out(y, second_layout)]
        if self.added:
            term = draw.normal(result if bias is None else bias, dtype)
            term = draw.plant(term, _PLANTED if values == "special input" else ())
            given.insert(0, draw.laid_out(term, bias_layout))
        if out is not None:
            words["out"] = draw.laid_out(draw.normal(result, dtype), out)
        return call(*given, **words)


def _operands(
    draw: Draw, first: Shape, second: Shape, dtype: torch.dtype, values: str
) -> tuple[torch.Tensor, torch.Tensor]:
    large = 2e3 if dtype == torch.float16 else 1e20
    x = draw.normal(first, dtype, {"tiny": 1e-4, "large": large}.get(values, 1.0))
    y = draw.normal(second, dtype)
    if values == "special":
        x = draw.plant(x, _PLANTED)
    if values == "cancelling":  # every second product takes back the one before it
        down = y if y.dim() == 1 else y.mT
        for whole, sign in ((x, -1), (down, 1)):
            pairs = whole.shape[-1] // 2 * 2
            whole[..., 1:pairs:2] = sign * whole[..., 0:pairs:2]
    return x, y


class _Size:
    """The formula on absolute values; rounding grows with the square root of the length at most."""

    def __init__(self, added: bool, growth: float) -> None:
        self.added, self.growth = added, growth

    def __call__(
        self, *args: torch.Tensor, beta: float = 1, alpha: float = 1, out: Any = None, **_: Any
    ) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
        roundings = math.sqrt(args[-2].shape[-1])
        growth = max(1.0, roundings / self.growth)
        terms = growth * abs(alpha) * torch.matmul(args[-2].abs(), args[-1].abs())
        if self.added:
            # A sum may begin with what is added: then each product is rounded at its size.
            terms = terms + (max(1.0, roundings) * abs(beta) * args[0].abs() if beta else 0.0)
        return terms if out is None else (terms, terms)


def _make_bias_axes() -> tuple[Axis, ...]:
    """What is added to a product of matrices, and the two factors."""

    def of_sizes(shape: Callable[[Sizes], Shape]) -> FreshValue:
        return FreshValue(lambda _chance, before: shape(before["sizes"]))

    return (
        Axis(
            "bias",
            (
                Option("full", OMITTED),
                Option("vector", of_sizes(lambda nmp: nmp[2:])),
                Option("row", of_sizes(lambda nmp: (1, nmp[2]))),
                Option("column", of_sizes(lambda nmp: (nmp[0], 1))),
                Option("0-d", (), DEGENERATE),
            ),
        ),
        layouts("bias_layout", ("transposed", "strided", "expanded")),
        argument("beta", not_given=None, zero=0, half=0.5, negative=-2),
        trivial(argument("alpha", not_given=None, zero=0, tenth=0.1, negative=-1.25), "zero"),
    )


def _values(added: bool) -> Axis:
    return values(("tiny", "large", "cancelling", "special", *(("special input",) * added)))


def _is_valid(chosen: Mapping[str, str]) -> bool:
    ranks, size = chosen.get("ranks", "matrices"), chosen["sizes"]
    first, _, second = ranks.partition(" by ")
    if size in ("wide", "tall", "long sum") and "batch" in ranks:
        return False  # much work that shows nothing new
    nothing = "empty" in size or ranks == "empty batch"
    ways = [chosen[name] for name in chosen if "layout" in name or name == "out"]
    if nothing and (chosen["values"] != "ordinary" or not set(ways) <= {"contiguous", "not given"}):
        return False
    lines = {"layout": first, "second_layout": second, "bias_layout": chosen.get("bias")}
    for name, line in lines.items():
        if line in ("vector", "column", "0-d") and chosen[name] == "transposed":
            return False
    if chosen.get("bias") == "0-d" and chosen["bias_layout"] != "contiguous":
        return False
    # A kernel may leave out a product with 0, or not; torch's own leaves `out` alone for two zeros.
    zero = chosen.get("alpha") == "zero"
    return not (zero and (chosen["values"] in ("special", "large") or chosen["beta"] == "zero"))


def _corners(dtypes: tuple[torch.dtype, ...], added: bool) -> tuple[Mapping[str, str], ...]:
    found = [{"dtype": str(dtype).removeprefix("torch.")} for dtype in dtypes]
    found += [
        {"layout": "transposed", "second_layout": "transposed"},
        *({"sizes": one} for one in ("wide", "tall", "empty", "empty sum")),
        {"values": "special"},
    ]
    if added:
        ignored = {"beta": "zero", "values": "special input"}
        found += [ignored, ignored | {"sizes": "small", "bias": "vector", "alpha": "tenth"}]
    return tuple(found)
