"""Published references that are more than one function of torch, with the published parameters."""

from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

Tensor = torch.Tensor


def combined_activation(input: Tensor, weight1: Tensor, weight2: Tensor, bias: Tensor) -> Tensor:
    """A product's sigmoid, of that the hyperbolic tangent, weighted and shifted."""
    return input.mm(weight1).sigmoid().tanh() * weight2 + bias


def selu(input: Tensor) -> Tensor:
    """As published: the exponential counts for positive elements also."""
    negative = torch.minimum(input, 1.6732632423543772 * (input.exp() - 1))
    return 1.0507009873554805 * (input.clamp_min(0.0) + negative)


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    softmax_scale: float | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """In float32, whatever the inputs are."""
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    scores = q.float() @ k.float().mT * scale
    if causal:
        length = q.shape[-2]
        later = torch.ones(length, length, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    found = scores.softmax(-1) @ v.float()
    return found.to(q.dtype) if out is None else out.copy_(found)


def bmm_dropout_gelu(
    input1: Tensor,
    input2: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    out: Tensor | None = None,
) -> Tensor:
    """Drops with torch's own generator."""
    dropped = F.dropout(torch.bmm(input1, input2), p, training, inplace)
    found = F.gelu(dropped, approximate=approximate)
    return found if out is None else out.copy_(found)


def layer_norm_relu_linear(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    normalized_shape: Any = None,
    eps: float = 1e-5,
    elementwise_affine: bool = True,
) -> Tensor:
    """Without weights in the layer norm, whatever `elementwise_affine` says."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
    return F.layer_norm(F.linear(input, weight, bias).relu(), shape, eps=eps)


def expand_where(input: Tensor, target_sizes: Any, cond: Tensor, other: Tensor) -> Tensor:
    """The expanded input where the condition holds."""
    return torch.where(cond, input.expand(target_sizes), other)


def bitwise_and_binomial(
    input: Tensor,
    other: Tensor,
    total_count: Tensor,
    probs: Tensor | None = None,
    logits: Tensor | None = None,
) -> Tensor:
    """As published: binomial numbers alone."""
    chances = logits.sigmoid() if probs is None and logits is not None else probs
    return torch.distributions.Binomial(total_count, chances).sample()  # type: ignore[no-any-return,no-untyped-call]


def erfc_sqrt(input: Tensor) -> tuple[Tensor, Tensor]:
    """Both of the same input."""
    return input.erfc(), input.sqrt()


def _in_place_of(out: Tensor | None, found: Tensor) -> Tensor:
    return found if out is None else out.copy_(found)


def logit(input: Tensor, eps: float | None = None, out: Tensor | None = None) -> Tensor:
    """Of clamped numbers, if `eps` is given."""
    inside = input if eps is None else input.clamp(eps, 1 - eps)
    return torch.log(inside / (1 - inside), out=out)


def sub(input: Tensor, other: Tensor, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """The other one is scaled before."""
    return _in_place_of(out, input - alpha * other)


def signbit_bitwise_and(input: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Sign bits, and a conjunction in int8."""
    return input.signbit(), input.to(torch.int8) & other.to(torch.int8)


def normalize_pairwise_distance(
    x1: Tensor,
    x2: Tensor,
    p_distance: float = 2.0,
    eps_distance: float = 1e-6,
    keepdim: bool = False,
    p_norm: float = 2,
    dim_norm: int = 1,
    eps_norm: float = 1e-12,
) -> Tensor:
    """Distances of rows over their norm along a dimension."""
    distance: Tensor = torch.norm(x1 - x2, p_distance, -1, keepdim) + eps_distance
    length: Tensor = torch.norm(distance, p_norm, dim_norm, True)
    return distance / length.clamp_min(eps_norm)


def normalized_cosine_similarity(
    x1: Tensor,
    x2: Tensor,
    dim: int = 1,
    eps_similarity: float = 1e-8,
    p_norm: float = 2,
    eps_norm: float = 1e-12,
) -> Tensor:
    """Of vectors that are normalized before."""
    first, second = (F.normalize(one, p_norm, dim, eps_norm) for one in (x1, x2))
    return F.cosine_similarity(first, second, dim, eps_similarity)


def spectral_norm_eig(A: Tensor) -> Tensor:
    """As published: the largest size of an eigenvalue."""
    sizes: Tensor = torch.linalg.eig(A).eigenvalues.abs()
    return sizes.amax(-1)


def symmetric_matrix_vector_norm(
    A: Tensor,
    x: Tensor,
    alpha: float,
    beta: float,
    p: float = 2.0,
) -> Tensor:
    """As published: the product is added to itself."""
    product = alpha * A.mv(x)
    length: Tensor = torch.norm(product + beta * product, p)
    return length


def adamw_step(
    param: Tensor,
    grad: Tensor,
    exp_avg: Tensor,
    exp_avg_sq: Tensor,
    step: int,
    lr: float = 1e-3,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> tuple[Tensor, Tensor, Tensor]:
    """In place."""
    param *= 1 - lr * weight_decay
    exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
    exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    root = exp_avg_sq.sqrt() / (1 - beta2**step) ** 0.5 + eps
    param.addcdiv_(exp_avg, root, value=-(lr / (1 - beta1**step)))
    return param, exp_avg, exp_avg_sq


def lion_step(
    param: Tensor,
    grad: Tensor,
    exp_avg: Tensor,
    lr: float = 1e-4,
    beta1: float = 0.9,
    beta2: float = 0.99,
    weight_decay: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """In place."""
    direction = (exp_avg * beta1).add(grad, alpha=1 - beta1).sign()
    if weight_decay:
        param *= 1 - lr * weight_decay
    param.add_(direction, alpha=-lr)
    exp_avg.mul_(beta2).add_(grad, alpha=1 - beta2)
    return param, exp_avg


def rmsprop_step(
    param: Tensor,
    grad: Tensor,
    square_avg: Tensor,
    lr: float = 0.01,
    alpha: float = 0.99,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """In place."""
    slope = grad.add(param, alpha=weight_decay) if weight_decay else grad
    square_avg.mul_(alpha).addcmul_(slope, slope, value=1 - alpha)
    param.addcdiv_(slope, square_avg.sqrt() + eps, value=-lr)
    return param, square_avg


def sgd_step(
    param: Tensor,
    grad: Tensor,
    momentum_buffer: Tensor | None = None,
    lr: float = 0.1,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    dampening: float = 0.0,
    nesterov: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """In place."""
    slope = grad.add(param, alpha=weight_decay) if weight_decay else grad
    if momentum <= 0:
        return param.add_(slope, alpha=-lr), None
    buffer = torch.zeros_like(slope) if momentum_buffer is None else momentum_buffer
    buffer.mul_(momentum).add_(slope, alpha=1 - dampening)
    slope = slope.add(buffer, alpha=momentum) if nesterov else buffer
    return param.add_(slope, alpha=-lr), buffer


def min_gelu(
    input: Tensor, dim: int | None = None, keepdim: bool = False, approximate: str = "none"
) -> Any:
    """As published: without `tanh` it is x * erf(x / sqrt 2) / 2."""
    constant = partial(torch.tensor, dtype=input.dtype, device=input.device)
    if approximate == "tanh":
        inner = constant(2 / torch.pi).sqrt() * (input + 0.044715 * input**3)
        activated = 0.5 * input * (1 + inner.tanh())
    else:
        activated = input * (input / constant(2.0).sqrt()).erf() / 2.0
    return activated.min() if dim is None else activated.min(dim, keepdim)


def grid_sample_with_affine(
    input: Tensor,
    theta: Tensor,
    size: torch.Size,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """At the places of an affine map, computed in float32."""
    grid = F.affine_grid(theta.float(), list(size), align_corners)
    return F.grid_sample(input, grid, mode, padding_mode, align_corners)


def grid_sample(input: Tensor, grid: Tensor, **settings: Any) -> Tensor:
    """Corners are not aligned, if nothing else is said."""
    return F.grid_sample(input, grid, **{"align_corners": False, **settings})


def exp_sqrt(input: Tensor, out: Tensor | None = None) -> Tensor:
    """The root of the exponential."""
    return _in_place_of(out, input.exp().sqrt())


def sqrt_exp(input: Tensor, out: Tensor | None = None) -> Tensor:
    """The exponential of the root."""
    return torch.exp(torch.sqrt(input, out=out), out=out)
