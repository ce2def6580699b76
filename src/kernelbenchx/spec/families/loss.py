"""Losses: one number for each position, perhaps weighted, then reduced."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    FLOATS,
    LONG,
    SCALE,
    VALUES,
    argument,
    draw_shape,
    fresh,
    is_flat,
    layouts,
    optional,
    shapes,
)
from kernelbenchx.spec.families.axes import dtypes as dtype_axis
from kernelbenchx.spec.families.standard_promises import any_strides
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option, Space
from kernelbenchx.spec.task import Task

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
Scores = Callable[[Draw, Shape, torch.dtype, str], torch.Tensor]
"""Draws the input, and targets that are numbers, for a word of the axis `values`."""

IGNORED = 0.2
"""The share of positions that a target says to ignore, where nothing else is asked for."""


def loss(  # noqa: PLR0913 - a form to fill in
    function: Function,
    *,
    scores: Scores,
    values: tuple[str, ...],
    classes: bool = True,
    dtypes: tuple[torch.dtype, ...] = FLOATS,
    arguments: tuple[Axis, ...] = (),
    corners: tuple[Mapping[str, str], ...] = (),
    promises: tuple[Promise, ...] = (),
    valid: Callable[[Mapping[str, str]], bool] = lambda _: True,
    **rest: Any,
) -> Task:
    """A task of the family; `function` is the reference: input, target, then options by name.

    `classes`: targets are class indices, else numbers in the shape of the input. `values`: words
    for kinds of inputs that `scores` draws beside "ordinary" ones. Parameters `weight` and
    `ignore_index` give axes of their own. `valid`: which choices go together, beside what the
    family knows. `rest`: fields of `Task`.
    """
    parameters = inspect.signature(function).parameters
    axes = (
        class_shapes() if classes else shapes(),
        dtype_axis(dtypes),
        layouts(),
        layouts("target_layout", ("transposed", "strided", "expanded")),
        argument("reduction", not_given=None, none="none", mean="mean", sum="sum"),
        *((optional("weight"),) if "weight" in parameters else ()),
        *(_ignoring() if "ignore_index" in parameters else ()),
        *arguments,
        Axis("values", (Option("ordinary", OMITTED), *(Option(w, w, VALUES) for w in values))),
    )
    fits = _valid_classes if classes else _valid_values
    fixed = tuple({"dtype": str(one).removeprefix("torch.")} for one in dtypes)
    fixed += (
        {"layout": "transposed", "reduction": "none", "shape": axes[0].options[2].name},
        {"shape": "empty"},
        {"shape": "empty", "reduction": "none"},
    )
    return Task(
        reference=function,
        inputs=_Inputs(scores, classes, "ignore_index" in parameters),
        space=Space(
            axes, valid=lambda chosen: fits(chosen) and valid(chosen), corners=fixed + corners
        ),
        promises=tuple(_promises(function, axes, classes)) + promises,
        dtypes=dtypes,
        **rest,
    )


def reduced_size(
    each: torch.Tensor,
    losses: torch.Tensor,
    reduction: str,
    shares: torch.Tensor | None = None,
) -> torch.Tensor:
    """What rounding moves a loss by, from what it moves each position by.

    A sum of n terms grows with sqrt(n) / 4. `shares`: what a mean divides by, a part each.
    """
    if reduction == "none":
        return each
    total = each.sum() + math.sqrt(losses.numel()) / 4 * losses.abs().sum()
    count = losses.numel() if shares is None else shares.sum()
    return total / count if reduction == "mean" else total


def split_shape(shape: Shape) -> tuple[int, Shape]:
    """How many classes, and the shape of the positions."""
    return (shape[1], shape[:1] + shape[2:]) if len(shape) > 1 else (shape[0], ())


def class_shapes() -> Axis:
    """(N, C, d1, ..) or (C,): classes and positions below and above common blocks."""
    return Axis(
        "shape",
        (
            Option("rows", fresh(lambda c: (c.randrange(17, 60), c.randrange(130, 310)))),
            Option("many classes", fresh(lambda c: (c.randrange(2, 5), c.randrange(4100, 4400)))),
            Option("few classes", fresh(lambda c: (c.randrange(1030, 1300), c.randrange(2, 7)))),
            Option("sequences", fresh(lambda c: tuple(c.randrange(3, 20) for _ in range(3)))),
            Option("images", fresh(lambda c: tuple(c.randrange(2, 9) for _ in range(4)))),
            Option("one sample", fresh(lambda c: (c.randrange(2, 40),)), DEGENERATE),
            Option("one position", fresh(lambda c: (1, c.randrange(2, 40))), DEGENERATE),
            Option("one class", fresh(lambda c: (c.randrange(2, 40), 1)), DEGENERATE),
            Option("empty", fresh(lambda c: c.choice(((0, 4), (0, 3, 2)))), DEGENERATE),
            Option("long rows", draw_shape(2, (66_000, 74_000)), SCALE, after=draw_shape(2, LONG)),
            Option(
                "long batch", draw_shape((4100, 5000), 3), SCALE, after=draw_shape((2050, 2300), 3)
            ),
        ),
    )


def _ignoring() -> tuple[Axis, Axis]:
    def of_classes(index: Callable[[int, float], int]) -> FreshValue:
        return FreshValue(lambda c, before: index(split_shape(before["shape"])[0], c.random()))

    index = Axis(
        "ignore",
        (
            Option("not given", OMITTED),
            Option("a class", of_classes(lambda count, at: int(at * count))),
            Option("negative", -1),
            Option("beyond", of_classes(lambda count, at: count + int(9 * at))),
        ),
    )
    share = Axis(
        "ignored", (Option("some", OMITTED), Option("none", 0.0), Option("all", 1.0, VALUES))
    )
    return index, share


_PLAIN = {"contiguous", "ordinary"}


def _valid_classes(chosen: Mapping[str, str]) -> bool:
    shape, ways = chosen["shape"], (chosen["layout"], chosen["target_layout"])
    if shape in ("empty", "one sample") and set(ways) != {"contiguous"}:
        return False
    if shape == "empty" and chosen["values"] != "ordinary":
        return False
    if chosen.get("ignored") == "all" and (set(ways) | {chosen["values"]}) - _PLAIN:
        return False  # nothing is left in which a mistake could be seen
    return ways[1] != "transposed" or shape in ("sequences", "images")


def _valid_values(chosen: Mapping[str, str]) -> bool:
    ways = {chosen["layout"], chosen["target_layout"]}
    if is_flat(chosen):
        return ways == {"contiguous"} and (
            chosen["shape"] != "empty" or chosen["values"] == "ordinary"
        )
    return not ("transposed" in ways and chosen["shape"] in ("vector", "long"))


class _Inputs:
    """Draws the arguments of one call."""

    def __init__(self, scores: Scores, classes: bool, takes_ignored: bool) -> None:
        self.scores, self.classes, self.takes_ignored = scores, classes, takes_ignored

    def __call__(  # noqa: PLR0913 - a parameter for each axis
        self,
        draw: Draw,
        shape: Shape,
        dtype: torch.dtype,
        layout: str = "contiguous",
        target_layout: str = "contiguous",
        weight: str | None = None,
        ignore: int | None = None,
        ignored: float = IGNORED,
        values: str = "ordinary",
        **words: Any,
    ) -> Call:
        x = self.scores(draw, shape, dtype, values)
        if self.classes:
            target = self._indices(draw, shape, -100 if ignore is None else ignore, ignored)
        else:
            target = self.scores(draw, shape, dtype, values)
        if weight is not None:
            size = split_shape(shape)[:1] if self.classes else shape
            words["weight"] = draw.laid_out(draw.uniform(size, dtype, 0.2, 3.0), weight)
        if ignore is not None:
            words["ignore_index"] = ignore
        return call(draw.laid_out(x, layout), draw.laid_out(target, target_layout), **words)

    def _indices(self, draw: Draw, shape: Shape, ignore: int, ignored: float) -> torch.Tensor:
        count, places = split_shape(shape)
        target = draw.integers(places, 0, count)
        if not self.takes_ignored:
            return target
        return torch.where(draw.booleans(places, ignored), ignore, target)


def _promises(function: Function, axes: tuple[Axis, ...], classes: bool) -> Iterator[Promise]:
    known = {axis.name: axis for axis in axes}
    yield any_strides(function, known["layout"], 0, "input")
    yield any_strides(function, known["target_layout"], 1, "target")
    if "weight" in known:
        yield any_strides(function, known["weight"], 2, "weight")
    by = "their number"
    if classes and "ignore" in known:
        by = "the sum of the weights of the positions that are kept (each 1 without `weight`)"
        yield Promise(
            "A position whose target equals ignore_index has loss 0 and weight 0, whatever its "
            "input is. ignore_index may lie inside or outside of 0..C-1; all other targets lie "
            "inside.",
            "ignore",
            ("not given", "a class", "negative", "beyond"),
            Mutant("ignored positions multiplied by 0", _times_zero(function)),
        )
    yield Promise(
        "reduction='none' gives the losses in the shape of `target`, 'sum' their sum, 'mean' that "
        f"sum divided by {by}: NaN if that is 0. Sums and means are 0-d.",
        "reduction",
        ("none", "mean", "sum"),
        mistakes.ignore_argument(function, "reduction"),
    )
    yield Promise(
        "The result has the dtype of `input`; 16-bit inputs are computed in float32 and rounded "
        "once, after the reduction.",
        "dtype",
        tuple(one.name for one in known["dtype"].options if "16" in one.name),
        Mutant("summed in 16 bits", _narrow_sum(function)),
    )
    yield Promise(
        "There may be no position at all.",
        "shape",
        ("empty",),
        mistakes.refuses(function, "empty input refused", lambda x, *_: not x.numel()),
    )


def _times_zero(function: Function) -> Function:
    """Computes them all with some class and multiplies by a mask, which keeps their NaN."""

    def answer(
        input: torch.Tensor, target: torch.Tensor, ignore_index: int = -100, **words: Any
    ) -> torch.Tensor:
        reduction = words.pop("reduction", "mean")
        kept = target != ignore_index
        known = torch.where(kept, target, 0)
        nowhere = -(10**6)
        losses = function(input, known, ignore_index=nowhere, reduction="none", **words) * kept
        if reduction == "none":
            return losses
        weight = words.get("weight")
        shares = kept.float() if weight is None else weight[known].float() * kept
        total = losses.float().sum()
        return (total / shares.sum() if reduction == "mean" else total).to(input.dtype)

    return answer


def _narrow_sum(function: Function) -> Function:
    """Rounds each loss, and the running sum of every 16, to the dtype of the input."""

    def answer(*args: torch.Tensor, **words: Any) -> torch.Tensor:
        right = function(*args, **words)
        if right.dim() or words.get("reduction", "mean") == "none":
            return right
        total = function(*args, **words | {"reduction": "sum"})
        losses = function(*args, **words | {"reduction": "none"}).flatten()
        summed = torch.zeros((), dtype=losses.dtype, device=losses.device)
        for part in torch.split(losses, 16):
            summed = summed + part.sum()
        return summed if words.get("reduction") == "sum" else summed * (right / total)

    return answer
