"""Layer norm of the rectified output of a linear layer: layer_norm(relu(input @ weight^T + bias)).

input (..., K), weight (N, K), bias (N,) or None; r = max(input @ weight^T + bias, 0) is (..., N),
and the result is (r - mean) / sqrt(variance + eps) in the input's dtype, with mean and biased
variance over the trailing dimensions of r given by normalized_shape. There are no layer norm
parameters, so elementwise_affine changes nothing. A row that is zero after the rectifier gives
zeros.

The published reference fails without normalized_shape; here None is the last dimension.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignored, linear_layer, wide_linear
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import OMITTED, Axis, Fresh, Option


def fused_layer_norm_relu_linear(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    normalized_shape: int | tuple[int, ...] | torch.Size | None = None,
    eps: float = 1e-05,
    elementwise_affine: bool = True,
) -> torch.Tensor:
    over = _sizes(normalized_shape, weight)
    rectified = torch.relu(wide_linear(input, weight, bias))
    return torch.nn.functional.layer_norm(rectified, over, eps=eps).to(input.dtype)


def eager(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """The same operators in the dtype of input, each of which rounds to it."""
    rectified = torch.relu(torch.nn.functional.linear(input, weight, bias))
    return torch.nn.functional.layer_norm(rectified, _sizes(normalized_shape, weight), eps=eps)


def _sizes(given, weight):
    if given is None:
        return (weight.shape[0],)
    return (given,) if isinstance(given, int) else tuple(given)


def scale_of(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """How far rounding of the product moves an element, its mean and its deviation."""
    dims = tuple(range(-len(_sizes(normalized_shape, weight)), 0))
    rectified = torch.relu(wide_linear(input, weight, bias))
    growth = max(1.0, math.sqrt(input.shape[-1]) / 8)
    moved = growth * wide_linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    # An element that is below zero by more than its rounding stays zero.
    moved = torch.where(wide_linear(input, weight, bias) > -1e-5 * moved, moved, 0.0)
    away = rectified - rectified.mean(dims, keepdim=True)
    width = (away.square().mean(dims, keepdim=True) + eps).sqrt()
    moved = (moved + moved.mean(dims, keepdim=True)) / width
    y = away / width
    return moved + y.abs() * (1.0 + (y.abs() * moved).mean(dims, keepdim=True))


def _before(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    over = _sizes(normalized_shape, weight)
    normal = torch.nn.functional.layer_norm(wide_linear(input, weight, bias), over, eps=eps)
    return torch.relu(normal).to(input.dtype)


def _made_with(width, between=lambda r, _: r):
    """Divides by another deviation, or changes the rectified product in between."""

    def answer(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
        over = _sizes(normalized_shape, weight)
        dims = tuple(range(-len(over), 0))
        r = between(torch.relu(wide_linear(input, weight, bias)), input.dtype)
        mean = r.mean(dims, keepdim=True)
        return ((r - mean) / width(r, mean, dims, eps)).to(input.dtype)

    return answer


def _right(r, mean, dims, eps):
    return ((r - mean).square().mean(dims, keepdim=True) + eps).sqrt()


def _unbiased(r, mean, dims, eps):
    count = math.prod(r.shape[dim] for dim in dims)
    return ((r - mean).square().sum(dims, keepdim=True) / max(count - 1, 1) + eps).sqrt()


def _eps_outside(r, mean, dims, eps):
    return (r - mean).square().mean(dims, keepdim=True).sqrt() + eps


def _one_pass(r, mean, dims, eps):
    variance = r.square().mean(dims, keepdim=True) - mean.square()
    return (variance.clamp(min=0) + eps).sqrt()


def _of_shape(over):
    return Fresh(lambda _chance, before: over(before["shape"]))


def _fits(chosen):
    if chosen["values"] == "far above" and chosen["shape"] in ("rows", "whole blocks", "long sum"):
        return False  # torch's own sum, begun with the bias, is at the border there
    return chosen["normalized_shape"] not in ("two", "all") or chosen["shape"] == "batches"


OVER = Axis(
    "normalized_shape",
    (
        Option("not given", OMITTED),
        Option("int", _of_shape(lambda shape: shape[-1])),
        Option("one", _of_shape(lambda shape: shape[-1:])),
        Option("Size", _of_shape(lambda shape: torch.Size(shape[-1:]))),
        Option("two", _of_shape(lambda shape: (shape[-3], shape[-1]))),
        Option("all", _of_shape(lambda shape: (*shape[:-2], shape[-1]))),
    ),
)
WITH_BIAS = {"bias": "contiguous"}

TASK = linear_layer(
    fused_layer_norm_relu_linear,
    rounded_between=_made_with(_right, lambda r, dtype: r.to(dtype).float()),
    flops=8,
    scales={"small": 1e-3, "large": 1e3},
    # Far above 0 little variance is left, below it rows are dead.
    bias_means={"far above": 100.0, "dead": -3.0},
    arguments=(
        OVER,
        argument("eps", not_given=None, half=0.5, thousandth=1e-3),
        argument("elementwise_affine", not_given=None, no=False),
    ),
    valid=_fits,
    corners=(
        {"values": "far above", "shape": "batches", **WITH_BIAS},
        {"values": "far above", "shape": "wide", **WITH_BIAS},
        {"values": "small", "eps": "half"},
        {"shape": "batches", "normalized_shape": "two"},
    ),
    promises=(
        Promise(
            "normalized_shape is an int, tuple or torch.Size that equals the trailing sizes of r; "
            "None means (N,).",
            "normalized_shape",
            ("int", "one", "Size", "two", "all"),
            ignored(fused_layer_norm_relu_linear, "normalized_shape"),
        ),
    ),
    eager=eager,
    contract=Close(scale=scale_of),
    timings=case(shape=(32, 8192, 4096), dtype=torch.float32, **WITH_BIAS)
    + case(shape=(32, 8192, 4096), dtype=torch.bfloat16, **WITH_BIAS)
    + case(shape=(8, 512, 2048, 2048), dtype=torch.float32, **WITH_BIAS)
    + case(shape=(31, 8191, 4093), dtype=torch.bfloat16, **WITH_BIAS),
    mutants=(
        Mutant("normalised before the rectifier", _before, ("input",)),
        ignored(fused_layer_norm_relu_linear, "bias"),
        ignored(fused_layer_norm_relu_linear, "eps"),
        Mutant("the variance is unbiased", _made_with(_unbiased)),
        Mutant("eps is added to the deviation", _made_with(_eps_outside), ("eps",)),
        Mutant("variance as E[x^2] - m^2", _made_with(_one_pass)),
    ),
    difficulty=4,
    inert=("elementwise_affine",),
)
