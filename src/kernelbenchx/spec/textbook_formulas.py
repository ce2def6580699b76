"""Operations that torch does in one step, taken apart into the steps of the textbook's formula.

A kernel computes them by such steps, and each step rounds. `1 + erf(x)` loses digits where erf is
near -1, whatever the size of the result is.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

Tensor = torch.Tensor


def _gelu(x: Tensor, *, approximate: str = "none") -> Tensor:
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
        return 0.5 * x * (1 + torch.tanh(inner))
    return 0.5 * x * (1 + torch.erf(x * math.sqrt(0.5)))


def _tanh(x: Tensor) -> Tensor:
    small = torch.exp(-2 * x.abs())
    return torch.sign(x) * ((1 - small) / (1 + small))


def _sigmoid(x: Tensor) -> Tensor:
    return 1 / (1 + torch.exp(-x))


def _silu(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x)


def _softplus(x: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    scaled = x * beta
    soft = (scaled.clamp_min(0) + torch.log(1 + torch.exp(-scaled.abs()))) / beta
    return torch.where(scaled > threshold, x, soft)


def _mish(x: Tensor) -> Tensor:
    return x * torch.tanh(torch.nn.functional.softplus(x))


def _elu(x: Tensor, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Tensor:
    below = (scale * alpha) * (torch.exp(x.clamp_max(0) * input_scale) - 1)
    return torch.where(x > 0, x * scale, below)


def _softmax(x: Tensor, dim: int, _: bool) -> Tensor:
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)


def _log_softmax(x: Tensor, dim: int, _: bool) -> Tensor:
    lower = x - x.amax(dim, keepdim=True)
    return lower - torch.log(torch.exp(lower).sum(dim, keepdim=True))


def _logsumexp(x: Tensor, dim: list[int], keepdim: bool = False) -> Tensor:
    largest = x.amax(dim, keepdim=True)
    total = torch.log(torch.exp(x - largest).sum(dim, keepdim=True)) + largest
    return total if keepdim else total.squeeze(tuple(dim))


def _vector_norm(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    dims = list(range(x.dim())) if dim is None else dim
    if ord == 2:
        return (x * x).sum(dims, keepdim=keepdim, dtype=dtype).sqrt()
    if ord == 1:
        return x.abs().sum(dims, keepdim=keepdim, dtype=dtype)
    if abs(ord) == math.inf:
        return x.abs().amax(dims, keepdim) if ord > 0 else x.abs().amin(dims, keepdim)
    return x.abs().pow(ord).sum(dims, keepdim=keepdim, dtype=dtype).pow(1 / ord)


def _norm(x: Tensor, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Tensor:
    return _vector_norm(x, 2 if p is None else p, dim, keepdim)


def _var(x: Tensor, dim: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Tensor:
    dims = list(range(x.dim())) if dim is None else dim
    apart = x - x.mean(dims, keepdim=True)
    total = (apart * apart).sum(dims, keepdim=keepdim)
    count = x.numel() // max(1, total.numel())
    return total / (count - (1 if correction is None else correction))


def _std(x: Tensor, dim: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Tensor:
    return _var(x, dim, correction=correction, keepdim=keepdim).sqrt()


def _normalise(
    x: Tensor, dims: list[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    mean = x.mean(dims, keepdim=True)
    apart = x - mean
    inverse = torch.rsqrt((apart * apart).mean(dims, keepdim=True) + eps)
    return _scale_and_shift(x, mean, inverse, weight, bias), mean, inverse


def _scale_and_shift(
    x: Tensor, mean: Tensor, inverse: Tensor, weight: Tensor | None, bias: Tensor | None
) -> Tensor:
    """One multiplication and one addition for each element, as fast kernels do it."""
    scale = inverse if weight is None else inverse * weight
    shift = -mean * scale
    return x * scale + (shift if bias is None else shift + bias)


def _along(value: Tensor | None, rank: int) -> Tensor | None:
    """A weight for each channel, ready to be multiplied."""
    return None if value is None else value.view(1, -1, *[1] * (rank - 2))


def _batch_norm(  # noqa: PLR0913 - as torch's own
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    _: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    w, b = _along(weight, x.dim()), _along(bias, x.dim())
    if not training:
        mean, variance = _along(running_mean, x.dim()), _along(running_var, x.dim())
        assert mean is not None and variance is not None
        inverse = torch.rsqrt(variance + eps)
        return _scale_and_shift(x, mean, inverse, w, b), mean.flatten()[:0], inverse.flatten()[:0]
    dims = [dim for dim in range(x.dim()) if dim != 1]
    result, mean, inverse = _normalise(x, dims, w, b, eps)
    return result, mean.flatten(), inverse.flatten()


def _layer_norm(
    x: Tensor, shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    return _normalise(x, list(range(x.dim() - len(shape), x.dim())), weight, bias, eps)


def _group_norm(  # noqa: PLR0913 - as torch's own
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    rows: int,
    channels: int,
    _: int,
    groups: int,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    parts = x.reshape(rows, groups, channels // groups, -1)
    mean = parts.mean([2, 3], keepdim=True)
    apart = parts - mean
    inverse = torch.rsqrt((apart * apart).mean([2, 3], keepdim=True) + eps)
    by_channel = (1, groups, channels // groups, 1)
    w = None if weight is None else weight.view(by_channel)
    b = None if bias is None else bias.view(by_channel)
    result = _scale_and_shift(parts, mean, inverse, w, b).view(x.shape)
    return result, mean.view(rows, groups), inverse.view(rows, groups)


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    _: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.matmul(query, key.transpose(-1, -2)) * factor
    if is_causal:
        late = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(late, -math.inf)
    if attn_mask is not None:
        scores = scores + attn_mask
    return torch.matmul(torch.softmax(scores, -1), value), scores[..., 0]


def _safe_softmax(x: Tensor, dim: int, _: Any = None) -> Tensor:
    return torch.softmax(x, dim)


def _cudnn_batch_norm(*args: Any) -> tuple[Tensor, ...]:
    result, mean, inverse = _batch_norm(*args)
    return result, mean, inverse, torch.empty(0, dtype=torch.uint8, device=result.device)


def _reduce_terms(terms: Tensor, reduction: int) -> Tensor:
    """By torch's numbers for `none`, `mean` and `sum`."""
    if reduction == 1:
        return terms.mean()
    return terms.sum() if reduction else terms


def _mse_loss(x: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    apart = x - target
    return _reduce_terms(apart * apart, reduction)


def _smooth_l1_loss(x: Tensor, target: Tensor, reduction: int = 1, beta: float = 1.0) -> Tensor:
    apart = (x - target).abs()
    near = 0.5 * apart * apart / beta if beta else apart
    return _reduce_terms(torch.where(apart < beta, near, apart - 0.5 * beta), reduction)


def _huber_loss(x: Tensor, target: Tensor, reduction: int = 1, delta: float = 1.0) -> Tensor:
    apart = (x - target).abs()
    far = delta * (apart - 0.5 * delta)
    return _reduce_terms(torch.where(apart < delta, 0.5 * apart * apart, far), reduction)


def _nll_loss(
    x: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> tuple[Tensor, Tensor]:
    kept = target != ignore_index
    picked = -x.gather(-1, torch.where(kept, target, 0).unsqueeze(-1)).squeeze(-1)
    weights = kept.to(x.dtype)
    if weight is not None:
        weights = weights * weight[torch.where(kept, target, 0)]
    count = weights.sum()
    if reduction == 1:
        return (picked * weights).sum() / count, count
    return _reduce_terms(picked * weights, reduction), count


PARTS: dict[str, Callable[..., Any]] = {
    "gelu": _gelu,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "silu": _silu,
    "softplus": _softplus,
    "mish": _mish,
    "elu": _elu,
    "_softmax": _softmax,
    "_log_softmax": _log_softmax,
    "logsumexp": _logsumexp,
    "linalg_vector_norm": _vector_norm,
    "norm": _norm,
    "var": _var,
    "std": _std,
    "native_batch_norm": _batch_norm,
    "native_layer_norm": _layer_norm,
    "native_group_norm": _group_norm,
    "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_safe_softmax": _safe_softmax,
    "cudnn_batch_norm": _cudnn_batch_norm,
    "mse_loss": _mse_loss,
    "smooth_l1_loss": _smooth_l1_loss,
    "huber_loss": _huber_loss,
    "nll_loss_forward": _nll_loss,
}
"""By torch's name, without the sign of being in place; called as torch's own operation is."""
