"""Factors times binomial numbers: shapes of what is given, n and p, and wrong numbers."""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, draw_shape, fits, layouts, words
from kernelbenchx.spec.families.random_mistakes import WRONG_NUMBERS, Change
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import OMITTED, Axis, Chosen, FreshValue, Option

Shape = tuple[int, ...]

Numbers = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""From n and p, of one shape, to a number for each element."""
_REPEATED = ("rows repeat", "diagonals repeat", "a period of 2^16")


def quantile(unit: torch.Tensor, n: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    """The number that a uniform one stands for: how many sums of probabilities lie below it."""
    inside = p.double().clamp(1e-300, 1.0 - 2.0**-53)
    total, mass, below = n.double(), (1 - inside) ** n, torch.zeros_like(inside)
    found = torch.zeros_like(inside)
    for i in range(int(n.max()) if n.numel() else 0):
        below = below + mass
        found += (unit > below) & (i < n)
        mass = mass * (total - i) / (i + 1) * (inside / (1 - inside))
    return torch.where(p <= 0, 0.0, torch.where(p >= 1, total, found)).to(n.dtype)


def _from(change: Change) -> Numbers:
    """Of uniform numbers to which something was done."""
    return lambda n, p: quantile(change(torch.rand(n.shape)), n, p)


def _from_one_stream(n: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    unit = torch.rand(n.shape, generator=torch.Generator().manual_seed(17))
    return quantile(unit, n, p)


def _bell(n: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    drawn = n * p + (n * p * (1 - p)).sqrt() * torch.randn(n.shape)
    return torch.minimum(drawn.round().clamp(min=0.0), n)


WRONG_COUNTS: dict[str, Numbers] = {
    "the mean, rounded": lambda n, p: (n * p).round(),
    "one coin for all trials": lambda n, p: n * (torch.rand(n.shape) < p),
    "a normal number, rounded": _bell,
    "p taken for 0.5": lambda n, p: torch.binomial(n, torch.where(p % 1 > 0, 0.5, p)),
    "p and 1 - p swapped": lambda n, p: torch.binomial(n, 1 - p),
    "one trial too few": lambda n, p: torch.binomial((n - 1).clamp(min=0.0), p),
    "the same numbers in every call": _from_one_stream,
    **{name: _from(WRONG_NUMBERS[name]) for name in _REPEATED},
}


def _trials(
    draw: Draw, n_shape: Shape, p_shape: Shape, edges: bool, logits: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """n, mostly small, and p or its logit; with `edges` what is certain, or nearly so, too."""
    n = (1.0 + 12.0 * draw.uniform(n_shape, torch.float32) ** 4).floor()
    p = draw.uniform(p_shape, torch.float32, 0.2, 0.8)
    if edges:
        n = draw.plant(n, (0.0, 1.0, 100.0, 60.0, 0.0, 3.0))
        # Many are certain: what is cut off shortly before 0 and 1 shows.
        certain, sure = draw.booleans(p_shape, 0.5), draw.booleans(p_shape)
        p = draw.plant(torch.where(certain, sure.to(p.dtype), p), (0.01, 0.999))
    if not logits:
        return n, p
    return n, 240.0 * (p - 0.5) ** 3 if edges else 4.0 * (p - 0.5)


_SHAPES = (
    Option("matrix", draw_shape((31, 60), (61, 90))),
    Option("vector", draw_shape((3000, 4500))),
    Option("cube", draw_shape((5, 9), (3, 6), (111, 171))),
    Option("0-d", (), DEGENERATE),
    Option("empty", draw_shape(3, 0), DEGENERATE),
    # More than 2^16 numbers, in rows that are no multiple of a block.
    Option(
        "long", draw_shape((131, 140), (503, 540)), SCALE, after=draw_shape((31, 40), (103, 120))
    ),
)
_OTHERS = (
    Option("same", OMITTED),
    Option("row", FreshValue(lambda _, before: before["shape"][-1:])),
    Option("column", FreshValue(lambda _, before: (*before["shape"][:-1], 1))),
    Option("0-d", (), trivial=True),
)
SHAPES = Axis("shape", _SHAPES)
AXES = (
    Axis("law", (Option("probs", OMITTED), Option("logits", "logits"))),
    *(Axis(name, _OTHERS) for name in ("other", "count", "chances")),
    layouts(),
    words("values", "edges"),
)
"""Of the argument that gives p, of the shapes of all tensors but the first, layouts and values."""


def is_valid(chosen: Chosen) -> bool:
    """Whether shapes and layouts go together."""
    plain = all(chosen[name] in ("same", "0-d") for name in ("other", "count", "chances"))
    dims = {"matrix": 2, "cube": 3, "long": 2, "vector": 1}.get(chosen["shape"], 0)
    return (plain or dims > 1) and fits(chosen["layout"], dims)


def factor_inputs(
    draw: Draw, shape: Shape, dtype: torch.dtype, law: str = "probs", **how: Any
) -> Call:
    """Two tensors of this integer dtype, n, and p by the argument `law`."""
    second, n_shape, p_shape = _shapes_of(shape, how)
    n, p = _trials(draw, n_shape, p_shape, "values" in how, law == "logits")
    given = (_integers(draw, shape, dtype), _integers(draw, second, dtype), n, p)
    layout = how.get("layout", "contiguous")
    x, y, n, p = (draw.laid_out(one, layout) if one.shape == shape else one for one in given)
    return call(x, y, n, **{law: p})


def factor_cost(shape: Shape, dtype: torch.dtype, **how: Any) -> Cost:
    """Each tensor is read once, and float32 numbers are written."""
    second, n, p = _shapes_of(shape, how)
    result = math.prod(broadcast(broadcast(shape, second), broadcast(n, p)))
    read = (math.prod(shape) + math.prod(second)) * dtype.itemsize
    return Cost(flops=10 * result, bytes=read + 4 * (math.prod(n) + math.prod(p) + result))


def _shapes_of(shape: Shape, how: dict[str, Any]) -> tuple[Shape, Shape, Shape]:
    """Of the second tensor, n and p: that of the first where a case names no other."""
    second, n, p = (how.get(name, shape) for name in ("other", "count", "chances"))
    return second, n, p


def _integers(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """So wide that a product with a number up to 100 is exact in float32."""
    if dtype == torch.bool:
        return draw.booleans(shape, 0.8)
    return draw.plant(draw.integers(shape, 1 - 2**17, 2**17, dtype), (0, 1, -1))
