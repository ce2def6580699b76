"""Layer norm of the rectified output of a linear layer: layer_norm(relu(input @ weight^T + bias)).

input (..., K), weight (N, K), bias (N,) or None; r = max(input @ weight^T + bias, 0) is (..., N),
and the result is (r - mean) / sqrt(variance + eps) in the input's dtype, with mean and biased
variance over the trailing dimensions of r given by normalized_shape: an int, tuple or torch.Size
that equals the trailing sizes of r; None means (N,). There are no layer norm parameters, so
elementwise_affine changes nothing. A row that is zero after the rectifier gives zeros. All
tensors have one dtype and any strides. 16-bit inputs are computed in float32 and rounded once;
float32 products do not use TF32. Leading sizes may be 0.

The published reference fails without normalized_shape; here None is the last dimension.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Shape = tuple[int, ...]


def fused_layer_norm_relu_linear(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    normalized_shape: int | tuple[int, ...] | torch.Size | None = None,
    eps: float = 1e-05,
    elementwise_affine: bool = True,
) -> torch.Tensor:
    over = _sizes(normalized_shape, weight)
    rectified = torch.relu(_linear(input, weight, bias))
    return torch.nn.functional.layer_norm(rectified, over, eps=eps).to(input.dtype)


def eager(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """The same operators in the dtype of input, each of which rounds to it."""
    rectified = torch.relu(torch.nn.functional.linear(input, weight, bias))
    return torch.nn.functional.layer_norm(rectified, _sizes(normalized_shape, weight), eps=eps)


def _sizes(
    normalized_shape: int | tuple[int, ...] | torch.Size | None, weight: torch.Tensor
) -> tuple[int, ...]:
    if normalized_shape is None:
        return (weight.shape[0],)
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


def _linear(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    added = None if bias is None else _wide(bias)
    return torch.nn.functional.linear(_wide(input), _wide(weight), added)


def _wide(x: torch.Tensor) -> torch.Tensor:
    return x if x.dtype == torch.float64 else x.float()


def inputs(
    draw: Draw,
    lead: Shape,
    sizes: tuple[int, int],
    dtype: torch.dtype,
    bias: float | None = 0.0,
    layout: str = "contiguous",
    scale: float = 1.0,
    **options: object,
) -> Call:
    """`bias` is its mean: a large one leaves little variance, a negative one dead rows."""
    k, n = sizes
    x = draw.normal((*lead, k), dtype, scale)
    w = draw.laid_out(draw.normal((n, k), dtype, k**-0.5), layout)
    x.view(-1, k)[:1] *= 4  # rows of unlike size
    added = None if bias is None else (draw.normal((n,), torch.float32) + bias).to(dtype)
    return call(draw.laid_out(x, layout), w, added, **options)


def cost(
    lead: Shape,
    sizes: tuple[int, int],
    dtype: torch.dtype,
    bias: float | None = 0.0,
    **_: object,
) -> Cost:
    (k, n), rows = sizes, math.prod(lead)
    elements = rows * k + n * k + rows * n + (0 if bias is None else n)
    return Cost(flops=2 * rows * k * n + 8 * rows * n, bytes=elements * dtype.itemsize)


def scale_of(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    normalized_shape: int | tuple[int, ...] | torch.Size | None = None,
    eps: float = 1e-05,
    elementwise_affine: bool = True,
) -> torch.Tensor:
    """How far rounding of the product moves an element, its mean and its deviation."""
    dims = tuple(range(-len(_sizes(normalized_shape, weight)), 0))
    rectified = torch.relu(_linear(input, weight, bias))
    growth = max(1.0, math.sqrt(input.shape[-1]) / 8)
    moved = growth * _linear(input.abs(), weight.abs(), None if bias is None else bias.abs())
    # An element that is below zero by more than its rounding stays zero.
    moved = torch.where(_linear(input, weight, bias) > -1e-5 * moved, moved, 0.0)
    away = rectified - rectified.mean(dims, keepdim=True)
    width = (away.square().mean(dims, keepdim=True) + eps).sqrt()
    moved = (moved + moved.mean(dims, keepdim=True)) / width
    y = away / width
    return moved + y.abs() * (1.0 + (y.abs() * moved).mean(dims, keepdim=True))


def _before(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """Normalises before the rectifier."""
    linear, over = _linear(input, weight, bias), _sizes(normalized_shape, weight)
    return torch.relu(torch.nn.functional.layer_norm(linear, over, eps=eps)).to(input.dtype)


def _last(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    return fused_layer_norm_relu_linear(input, weight, bias, None, eps)


def _no_bias(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    return fused_layer_norm_relu_linear(input, weight, None, normalized_shape, eps)


def _own_eps(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    return fused_layer_norm_relu_linear(input, weight, bias, normalized_shape)


def _twice(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """Rounds the rectified product to the input's dtype."""
    rectified = torch.relu(_linear(input, weight, bias)).to(input.dtype).float()
    over = _sizes(normalized_shape, weight)
    return torch.nn.functional.layer_norm(rectified, over, eps=eps).to(input.dtype)


def _unbiased(input, weight, bias=None, normalized_shape=None, eps=1e-5, elementwise_affine=True):
    """Divides by one less."""
    count = max(math.prod(_sizes(normalized_shape, weight)), 2)
    return (
        fused_layer_norm_relu_linear(
            input, weight, bias, normalized_shape, eps * (count - 1) / count
        )
        * ((count - 1) / count) ** 0.5
    )


TASK = Task(
    reference=fused_layer_norm_relu_linear,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=(
        grid(lead=((35,),), sizes=((129, 67),), dtype=FLOATS)
        + grid(lead=((3, 5),), sizes=((40, 17),), dtype=FLOATS, layout=("transposed", "strided"))
        + grid(lead=((3, 5),), sizes=((40, 12),), dtype=FLOATS, normalized_shape=((5, 12),))
        + grid(
            lead=((2, 3),),
            sizes=((7, 4),),
            dtype=(torch.float32,),
            normalized_shape=(4, (4,), (2, 3, 4)),
            bias=(None,),
        )
        + case(lead=(3,), sizes=(33, 1100), dtype=torch.float32)  # several blocks of a row
        + case(lead=(4,), sizes=(64, 300), dtype=torch.float32, bias=100.0)
        + case(lead=(6,), sizes=(16, 9), dtype=torch.float32, bias=-3.0, elementwise_affine=False)
        + grid(lead=((4,),), sizes=((31, 23),), dtype=FLOATS, scale=(1e-3,), bias=(None,))
        + case(lead=(4,), sizes=(31, 23), dtype=torch.float32, scale=0.1, bias=None, eps=0.5)
        + grid(lead=((), (0,)), sizes=((5, 3),), dtype=(torch.float32,))
        + case(lead=(2,), sizes=(1, 1), dtype=torch.float32)
    ),
    timings=(
        grid(lead=((32,),), sizes=((8192, 4096),), dtype=(torch.float32, torch.bfloat16))
        + case(lead=(8, 512), sizes=(2048, 2048), dtype=torch.float32)
    ),
    mutants=(
        Mutant("normalised before the rectifier", _before, ("input",)),
        Mutant("only the last dimension is normalised", _last, ("normalized_shape",)),
        Mutant("the bias is ignored", _no_bias, ("bias",)),
        Mutant("eps is ignored", _own_eps, ("eps",)),
        Mutant("16-bit results are rounded in between", _twice),
        Mutant("the variance is unbiased", _unbiased),
        Patch(
            "the weight is taken for contiguous",
            "cols * w_row + down * w_col",
            "cols * k + down",
            ("weight",),
        ),
        Patch(
            "the padded tail counts in the variance",
            "tl.where(at < n, tl.load(r + row * n + at, mask=at < n, other=0.0) - mean, 0.0)",
            "tl.load(r + row * n + at, mask=at < n, other=0.0) - mean",
        ),
        Patch(
            "eps is added to the deviation",
            "tl.sqrt(tl.sum(part, axis=0) / n + eps)",
            "tl.sqrt(tl.sum(part, axis=0) / n) + eps",
            ("eps",),
        ),
        Patch(
            "the variance is a mean of squares less a square",
            "part += away * away",
            "part += tl.where(at < n, (away + mean) * (away + mean) - mean * mean, 0.0)",
        ),
        Patch("only the first block of K", "range(0, k, BK)", "range(0, BK, BK)", ("weight",)),
    ),
    dtypes=FLOATS,
    difficulty=4,
    inert=("elementwise_affine",),
)
