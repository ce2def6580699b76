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

from kernelbenchx.spec import (
    Close,
    Mutant,
    argument,
    case,
    ignore_argument,
    linear_layer,
    wide_linear,
)
from kernelbenchx.spec.families.layer_norm import (
    moved_by_rounding,
    normalized_shape_promise,
    normalized_shapes,
    normalized_sizes,
    rounded_before,
    wrong_widths,
)
from kernelbenchx.spec.float32_compute import product_in_float32


def fused_layer_norm_relu_linear(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    normalized_shape: int | tuple[int, ...] | torch.Size | None = None,
    eps: float = 1e-05,
    elementwise_affine: bool = True,
) -> torch.Tensor:
    over = normalized_sizes(normalized_shape, weight.shape[0])
    normal = torch.nn.functional.layer_norm(_apply_linear_relu(input, weight, bias), over, eps=eps)
    return normal.to(input.dtype)


def eager(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """Operator by operator; at 16 bits the product stays in float32, as the contract asks."""
    product = product_in_float32(input.flatten(0, -2), weight.mT).unflatten(0, input.shape[:-1])
    rectified = torch.relu(product if bias is None else product + bias)
    over = normalized_sizes(normalized_shape, weight.shape[0])
    return torch.nn.functional.layer_norm(rectified, over, eps=eps).to(input.dtype)


def _apply_linear_relu(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    return torch.relu(wide_linear(input, weight, bias))


def rounding(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    growth = max(1.0, math.sqrt(input.shape[-1]) / 8)
    moved = growth * wide_linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    product = wide_linear(input, weight, bias)
    # An element that is below zero by more than its rounding stays zero.
    moved = torch.where(product > -1e-5 * moved, moved, 0.0)
    dims = tuple(range(-len(normalized_sizes(normalized_shape, 1)), 0))
    return moved_by_rounding(torch.relu(product), moved, dims, eps)


def _before(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    over = normalized_sizes(normalized_shape, weight.shape[0])
    normal = torch.nn.functional.layer_norm(wide_linear(input, weight, bias), over, eps=eps)
    return torch.relu(normal).to(input.dtype)


def _fits(chosen):
    if chosen["values"] == "far above" and chosen["shape"] in ("rows", "whole blocks", "long sum"):
        return False  # torch's own sum, begun with the bias, is at the border there
    return chosen["normalized_shape"] not in ("two", "all") or chosen["shape"] == "batches"


WITH_BIAS = {"bias": "contiguous"}

TASK = linear_layer(
    fused_layer_norm_relu_linear,
    rounded_between=rounded_before(_apply_linear_relu),
    flops=8,
    scales={"small": 1e-3, "large": 1e3},
    # Far above 0 little variance is left, below it rows are dead.
    bias_means={"far above": 100.0, "dead": -3.0},
    arguments=(
        normalized_shapes(),
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
    promises=(normalized_shape_promise(fused_layer_norm_relu_linear),),
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(32, 8192, 4096), dtype=torch.float32, **WITH_BIAS)
    + case(shape=(8, 512, 2048, 2048), dtype=torch.float32, **WITH_BIAS)
    + case(shape=(31, 8191, 4093), dtype=torch.bfloat16, **WITH_BIAS),
    mutants=(
        Mutant("normalised before the rectifier", _before, ("input",)),
        ignore_argument(fused_layer_norm_relu_linear, "bias"),
        ignore_argument(fused_layer_norm_relu_linear, "eps"),
        *wrong_widths(_apply_linear_relu),
    ),
    difficulty=4,
    inert=("elementwise_affine",),
)
