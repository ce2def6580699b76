"""Tasks that resize signals, images and volumes, to a size or by a factor."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, argument
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.shapes import per_dimension
from kernelbenchx.spec.space import Axis, Chosen, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., Any]
Shape = tuple[int, ...]
Factors = float | tuple[float, ...]
RESIZED = (torch.float32, torch.float16)
_LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}
_POOLS = (torch.nn.functional.max_pool1d, torch.nn.functional.max_pool2d)


def resizing(
    function: Function,
    *,
    corners: Sequence[Chosen] = (),
    promises: tuple[Promise, ...] = (),
    mutants: tuple[Mutant, ...] = (),
    **rest: Any,
) -> Task:
    """A task of the family; `function(input, size, scale_factor, mode, align_corners)` is the
    reference.

    `corners` follow those of every task. `rest`: fields of `Task`.
    """
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        contract=Close(scale=moved_by_rounding),
        dtypes=RESIZED,
        space=Space(_AXES, valid=_is_valid, corners=(*_CORNERS, *corners)),
        promises=(
            Promise(
                "Output in the dtype of input; 16-bit inputs are computed in float32, coordinates "
                "too, and rounded once.",
                "dtype",
                ("float16", "bfloat16"),
                Mutant("16-bit inputs answered in float32", _in_float32(function)),
            ),
            mistakes.strides_promise(function),
            *promises,
        ),
        mutants=(
            *(
                mistakes.ignore_argument(function, one, "W-ARG")
                for one in ("mode", "align_corners")
            ),
            mistakes.first_elements_only(function, 512, "W-BLOCK"),
            *mutants,
        ),
        **rest,
    )


def compute_output_sizes(shape: Sequence[int], size: Any = None, scale_factor: Any = None) -> Shape:
    """Sizes of the output's spatial dimensions."""
    rank = len(shape) - 2
    if size is not None:
        return per_dimension(size, rank)
    return tuple(
        math.floor(n * f) for n, f in zip(shape[2:], _each(scale_factor, rank), strict=True)
    )


def nearest_places(
    shape: Sequence[int], size: Any = None, scale_factor: Any = None
) -> list[torch.Tensor]:
    """For each spatial dimension the places that are read, by exact quotients."""
    found = []
    for d, count in enumerate(compute_output_sizes(shape, size, scale_factor)):
        k = torch.arange(count)
        if size is None:
            f = _each(scale_factor, len(shape) - 2)[d]
            places = (k.double() / f).floor().long()
        else:
            places = k * shape[2 + d] // count
        found.append(places.clamp(max=shape[2 + d] - 1))
    return found


def moved_by_rounding(
    input: torch.Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Any:
    """A coordinate is rounded in units of itself; that moves the result by a tap or two.

    Cubic weights sum to 1.4 in absolute value along an axis, change by 2.3 for a step of one, and
    come from polynomials whose terms reach 12.
    """
    if mode == "nearest":
        return (None,)
    rank = input.dim() - 2
    reach = 5 if mode == "bicubic" else 3
    pool = (*_POOLS, torch.nn.functional.max_pool3d)[rank - 1]
    largest = pool(input.abs(), reach, 1, reach // 2)
    taps = torch.nn.functional.interpolate(
        largest, size, scale_factor, _LINEAR[rank], align_corners
    )
    sums = torch.zeros((), dtype=torch.float64, device=input.device)
    for n, count in zip(input.shape[2:], taps.shape[2:], strict=True):
        k = torch.arange(1, count + 1, dtype=torch.float64, device=input.device)
        sums = sums.unsqueeze(-1) + 1 + k * (n / count)
    return taps * (12 + 3.2 * sums if mode == "bicubic" else 1 + sums)


def _each(factors: Factors, rank: int) -> tuple[float, ...]:
    return tuple(factors) if isinstance(factors, tuple) else (factors,) * rank


def _inputs(
    draw: Draw,
    shape: Shape,
    to: Any,
    dtype: torch.dtype,
    layout: str = "contiguous",
    **options: Any,
) -> Call:
    """`to`: the arguments that say how large the output is."""
    x = draw.plant(draw.normal(shape, dtype), (0.0, 100.0, -100.0))
    return call(draw.laid_out(x, layout), **dict(to), **options)


def _cost(shape: Shape, to: Any, dtype: torch.dtype, mode: str = "nearest", **_: Any) -> Cost:
    """Where the output is smaller, some of the input need not be read."""
    sizes = compute_output_sizes(shape, **dict(to))
    outputs = math.prod(shape[:2]) * math.prod(sizes)
    taps = {"nearest": 1, "bicubic": 16}.get(mode, 2 ** len(sizes))
    lines = [
        min(1.0, m * (1 if mode == "nearest" else 2) / n)
        for n, m in zip(shape[2:], sizes, strict=True)
    ]
    seen = math.prod(lines[:-1]) * min(1.0, lines[-1] * 8)
    moved = int(seen * math.prod(shape)) + outputs
    return Cost(flops=2 * taps * outputs, bytes=moved * dtype.itemsize)


def _rank(chance: random.Random, before: Mapping[str, Any]) -> int:
    ranks = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
    return ranks.get(before.get("mode", "nearest")) or chance.choice((1, 2, 3))


def _shape(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    rank = _rank(chance, before)
    most = (80, 20, 8)[rank - 1]
    lead = (chance.randrange(1, 4), chance.randrange(1, 4))
    return (*lead, *(chance.randrange(3, most) for _ in range(rank)))


def _long(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    rank = _rank(chance, before)
    return (1, 1, *(1,) * (rank - 1), chance.randrange(1100, 1900))


def _to(kind: str) -> FreshValue:
    def draw(chance: random.Random, before: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        sizes = before["shape"][2:]
        nearest = before.get("mode", "nearest") == "nearest"
        up, down = (1.5, 2.5, 3.0, 1.25), (0.75, 0.5)

        def factor(among: tuple[float, ...]) -> float:
            return chance.choice(among) if nearest else among[0] + chance.uniform(-0.2, 0.2)

        kinds: dict[str, Callable[[], Any]] = {
            "larger": lambda: tuple(n + chance.randrange(1, n + 2) for n in sizes),
            "smaller": lambda: tuple(max(n - chance.randrange(1, max(n, 2)), 1) for n in sizes),
            "int": lambda: chance.randrange(2, 16),
            "ones": lambda: 1,
            "twice": lambda: 2.0,
            "larger by": lambda: factor(up),
            "smaller by": lambda: factor(down),
            "by several": lambda: tuple(factor(chance.choice((up, down))) for _ in sizes),
        }
        name = "scale_factor" if kind in _FACTORS else "size"
        return ((name, kinds[kind]()),)

    return FreshValue(draw)


_FACTORS = ("twice", "larger by", "smaller by", "by several")
_AXES = (
    argument(
        "mode",
        not_given=None,
        nearest="nearest",
        linear="linear",
        bilinear="bilinear",
        bicubic="bicubic",
        trilinear="trilinear",
    ),
    argument("align_corners", not_given=None, yes=True, no=False),
    Axis(
        "shape",
        (
            Option("small", FreshValue(_shape)),
            Option(
                "one pixel",
                FreshValue(lambda c, b: (1, c.randrange(1, 4), *(1,) * _rank(c, b))),
                DEGENERATE,
            ),
            Option("none", FreshValue(lambda c, b: (0, *_shape(c, b)[1:])), DEGENERATE),
            Option("long", FreshValue(_long), SCALE),
        ),
    ),
    Axis(
        "to",
        (
            Option("larger", _to("larger")),
            *(Option(one, _to(one)) for one in ("smaller", "int", *_FACTORS)),
            Option("ones", _to("ones"), DEGENERATE),
        ),
    ),
    axes.dtypes(RESIZED, (torch.bfloat16,)),
    axes.layouts(),
)
_CORNERS: tuple[Chosen, ...] = (
    {"to": "larger by"},
    {"mode": "bilinear", "align_corners": "yes"},
    {"mode": "bilinear", "to": "by several", "dtype": "float16"},
    {"mode": "linear", "to": "smaller", "align_corners": "yes"},
    {"mode": "trilinear", "align_corners": "no"},
    {"mode": "bicubic", "to": "larger by"},
    {"mode": "bicubic", "to": "smaller", "align_corners": "yes"},
    {"mode": "bilinear", "layout": "transposed"},
    {"mode": "trilinear", "to": "ones", "align_corners": "yes"},
    {"shape": "none"},
)


def _is_valid(chosen: Chosen) -> bool:
    if chosen["mode"] in ("not given", "nearest") and chosen["align_corners"] != "not given":
        return False
    if chosen["shape"] in ("one pixel", "none") and chosen["layout"] not in (
        "contiguous",
        "offset",
    ):
        return False
    return chosen["to"] not in ("smaller by", "by several") or chosen["shape"] in ("small", "none")


def _in_float32(function: Function) -> Function:
    return lambda input, **options: function(input.float(), **options)
