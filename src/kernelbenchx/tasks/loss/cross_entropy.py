"""Cross entropy between logits and class indices.

input has shape (N, C, d1, .., dk) with k >= 0, or (C,); the classes are dimension 1 (0 for (C,)).
target holds int64 class indices and has the shape of input without the class dimension. weight,
if given, has shape (C,) and the dtype of input. For each position with class t:
    l = weight[t] * (log(sum_c exp(x_c)) - x_t)        (weight 1 where none is given)
A position whose target equals ignore_index has l = 0 and weight 0, whatever its logits are;
ignore_index may lie inside or outside 0..C-1, and every other target lies inside.
reduction='none' gives l in the shape of target, 'sum' the sum of l, 'mean' the sum of l divided by
the sum of the weights of the positions that are kept: NaN if none is kept. Both are 0-d.
Logits may be large (no overflow) or -inf (probability zero: l is +inf if that is the target); a row
that holds NaN or +inf, or only -inf, gives NaN. N may be 0. Output in the dtype of input; 16-bit
inputs are computed in float32 and rounded once, after the reduction.
"""

import math
from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.traffic import in_a_sector, needed

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def cross_entropy(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    loss = torch.nn.functional.cross_entropy(
        input.to(wide),
        target,
        None if weight is None else weight.to(wide),
        ignore_index=ignore_index,
        reduction=reduction,
    )
    return loss.to(input.dtype)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    reduction: str,
    weighted: bool = False,
    ignore: int = -100,
    logits: str = "normal",
    layout: str = "contiguous",
    ignored: float = 0.2,
) -> Call:
    x = draw.normal(shape, dtype, {"small": 1e-2, "large": 30.0}.get(logits, 2.0))
    classes = shape[1] if len(shape) > 1 else shape[0]
    places = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if logits == "shifted":  # exp overflows here unless the maximum is taken off first
        rows = (shape[0],) + (1,) * (len(shape) - 1)
        x = x + torch.where(draw.booleans(rows), 200.0, -200.0).to(dtype)
    if logits == "spiked":
        x = draw.planted(x, (float("-inf"),) * (x.numel() // 9) + (float("inf"), float("nan")))
    target = draw.integers(places, 0, classes)
    target = torch.where(draw.booleans(places, ignored), ignore, target)
    options: dict[str, Any] = {"ignore_index": ignore} if ignore != -100 else {}
    weight = draw.uniform((classes,), dtype, 0.2, 3.0) if weighted else None
    return call(draw.laid_out(x, layout), target, weight, reduction=reduction, **options)


def cost(
    shape: tuple[int, ...],
    dtype: torch.dtype,
    reduction: str,
    weighted: bool = False,
    ignore: int = -100,
    ignored: float = 0.2,
    **_: Any,
) -> Cost:
    """Logits of an ignored position need not be read, unless others share their sector."""
    count, classes = math.prod(shape), shape[1] if len(shape) > 1 else shape[0]
    places = count // classes
    spared = ignored + (1 - ignored) / classes if 0 <= ignore < classes else ignored
    together = min(math.prod(shape[2:]), in_a_sector(dtype.itemsize))
    read = int(count * needed(spared, together, draws=places // together))
    moved = read + weighted * classes + (places if reduction == "none" else 1)
    return Cost(flops=4 * read, bytes=moved * dtype.itemsize + 8 * places)


def rounding(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    """What is added and subtracted, without signs; a sum of n terms grows with sqrt(n)."""
    axis = 1 if input.dim() > 1 else 0
    kept = target != ignore_index
    known = torch.where(kept, target, 0)
    picked = input.gather(axis, known.unsqueeze(axis)).squeeze(axis)
    share = kept.double() if weight is None else weight[known] * kept
    terms = input.amax(axis).abs() + picked.abs() + 2 + math.sqrt(input.shape[axis]) / 4
    each = torch.where(kept, share * terms, 0.0)
    if reduction == "none":
        return each
    losses = cross_entropy(input, target, weight, ignore_index, "none").abs().sum()
    total = each.sum() + math.sqrt(target.numel()) / 4 * losses
    return total / share.sum() if reduction == "mean" else total


def _without(name: str) -> Callable[..., torch.Tensor]:
    """The answer of someone who never looks at one argument."""

    def answer(
        input: torch.Tensor,
        target: torch.Tensor,
        weight: torch.Tensor | None = None,
        **options: Any,
    ) -> torch.Tensor:
        options.pop(name, None)
        return cross_entropy(input, target, None if name == "weight" else weight, **options)

    return answer


def _mean_over_positions(
    input: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    if reduction != "mean":
        return cross_entropy(input, target, weight, ignore_index, reduction)
    return cross_entropy(input, target, weight, ignore_index, "none").mean()


def _last_dimension(input: torch.Tensor, target: torch.Tensor, *rest: Any, **options: Any) -> Any:
    classes = input.shape[1] if input.dim() > 1 else input.shape[0]
    moved = input.reshape(-1, classes)
    loss = cross_entropy(moved, target.flatten(), *rest, **options)
    return loss.reshape(target.shape) if loss.dim() else loss


TASK = Task(
    reference=cross_entropy,
    eager=torch.nn.functional.cross_entropy,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    checks=(
        # 37 positions and 301 classes: several blocks of each, both with a masked tail.
        grid(shape=((37, 301),), dtype=FLOATS, reduction=("mean", "none"), weighted=(True,))
        + grid(shape=((3, 17, 5, 7),), dtype=FLOATS, reduction=("sum",), ignore=(3,))
        + grid(shape=((21, 13),), dtype=(torch.float32,), reduction=("mean",), ignore=(0, -1))
        + case(shape=(19, 150), dtype=torch.float32, reduction="none", logits="spiked")
        + case(shape=(19, 150), dtype=torch.bfloat16, reduction="mean", logits="shifted")
        + case(shape=(40, 7, 3), dtype=torch.float32, reduction="none", logits="shifted")
        + case(shape=(4, 11, 6), dtype=torch.float32, reduction="none", layout="transposed")
        + case(shape=(33, 40), dtype=torch.float32, reduction="sum", logits="small", weighted=True)
        + case(shape=(33, 40), dtype=torch.float32, reduction="mean", logits="large")
        + case(shape=(5, 3), dtype=torch.float32, reduction="mean", ignored=1.0)
        + case(shape=(10,), dtype=torch.float32, reduction="mean", ignored=0.0, weighted=True)
        + case(shape=(1, 1), dtype=torch.float32, reduction="sum", ignored=0.0)
        + grid(shape=((0, 4),), dtype=(torch.float32,), reduction=("none", "mean", "sum"))
    ),
    timings=(
        case(shape=(16384, 1000), dtype=torch.float32, reduction="mean", weighted=True)
        + case(shape=(4096, 32000), dtype=torch.bfloat16, reduction="none")
        + case(shape=(8, 64, 512, 512), dtype=torch.float32, reduction="sum", ignore=3)
    ),
    mutants=(
        Mutant("weight ignored", _without("weight"), ("weight", "W-ARG")),
        Mutant("ignore_index ignored", _without("ignore_index"), ("ignore_index",)),
        Mutant("reduction ignored", _without("reduction"), ("reduction",)),
        Mutant("mean over all positions", _mean_over_positions, ("weight", "reduction")),
        Mutant("classes in the last dimension", _last_dimension, ("input",)),
        Patch(
            "target off by one",
            "picked = tl.load(row + t",
            "picked = tl.load(row + (t - 1)",
            ("target",),
        ),
        Patch(
            "no maximum taken off",
            'base = tl.where(higher == float("-inf"), 0.0, higher)',
            "base = higher * 0.0",
        ),
        Patch("first block of classes only", "range(0, classes, BLOCK)", "range(0, BLOCK, BLOCK)"),
        Patch(
            "tail counted as zero logits", 'mask=mask, other=float("-inf")', "mask=mask, other=0.0"
        ),
        Patch(
            "half sums",
            "tl.sum(tl.exp(v - base[:, None]), axis=1)",
            "tl.sum(tl.exp(v - base[:, None]), axis=1).to(tl.float16)",
        ),
    ),
    dtypes=FLOATS,
    difficulty=2,
    audit=("W-ARG",),
)
