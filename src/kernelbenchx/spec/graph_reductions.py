"""What can be wrong with sums, extrema, scans and norms."""

import math
from collections.abc import Iterator
from typing import Any

import torch

from kernelbenchx.spec.forward_interceptor import is_float
from kernelbenchx.spec.operation import Change, Operation

_NORMS = ("native_batch_norm", "native_layer_norm", "native_group_norm", "_native_batch_norm_legit")
_EPS_GROWS = 100


def statistics(op: Operation) -> Iterator[Change]:
    """Mistakes of norms and variances."""
    if op.name in ("var", "std", "var_mean") and "correction" in op.values:
        other = 0 if op.values["correction"] else 1
        yield Change("with the other divisor", lambda now: now.call_with(correction=other))
    if op.name not in _NORMS:
        return
    if op.float_at("weight") is not None:
        yield Change(
            "without its weight", lambda now: now.call_with(weight=_plain(now, "weight", 1))
        )
    if op.float_at("bias") is not None:
        yield Change("without its bias", lambda now: now.call_with(bias=_plain(now, "bias", 0)))
    eps = op.values["eps"] * _EPS_GROWS
    yield Change("with eps 100 times as large", lambda now: now.call_with(eps=eps))
    if _count_averaged(op) > 1:
        yield Change("with the other divisor of the variance", _change_divisor)
    if op.float_at("running_mean") is not None and op.values["training"]:
        yield Change("with running statistics", lambda now: now.call_with(training=False))
    if op.values.get("group", 1) > 1:
        yield Change("with one group", lambda now: now.call_with(group=1))


def _plain(op: Operation, name: str, value: float) -> torch.Tensor:
    return torch.full_like(op.values[name], value)


def _count_averaged(op: Operation) -> int:
    """How many values a mean and a variance are taken of."""
    x: torch.Tensor = op.values["input"]
    if op.name == "native_layer_norm":
        return math.prod(op.values["normalized_shape"])
    if op.name == "native_group_norm":
        return x[0].numel() // int(op.values["group"]) if len(x) else 0
    return x.numel() // x.shape[1] if x.numel() else 0


def _change_divisor(op: Operation) -> Any:
    """The variance divided by one less."""
    count = _count_averaged(op)
    before = op.call_with()
    bias = op.float_at("bias")
    if bias is None:
        bias = torch.zeros((), dtype=before[0].dtype, device=before[0].device)
    elif op.name != "native_layer_norm":
        bias = bias.view(1, -1, *[1] * (before[0].dim() - 2))
    return ((before[0] - bias) * math.sqrt((count - 1) / count) + bias, *before[1:])


_OPPOSITES = {
    "max": "min", "min": "max", "amax": "amin", "amin": "amax", "maximum": "minimum",
    "minimum": "maximum", "argmax": "argmin", "argmin": "argmax", "cummax": "cummin",
}  # fmt: skip
_SUMS = {"sum": 0.0, "mean": 0.0, "linalg_vector_norm": 0.0, "norm": 0.0, "logsumexp": -math.inf}
"""Reductions, and what adds nothing to them."""
_SCANS = {"cumsum": 0.0, "cumprod": 1.0}
_BY_ONE_DIM = ("_softmax", "_log_softmax", *_SCANS)
_REDUCTIONS = (*_SUMS, "amax", "amin", "max", "min", "argmax", "argmin", "prod")


def reductions(op: Operation) -> Iterator[Change]:
    """Mistakes of what goes over a dimension."""
    if op.name in _OPPOSITES:
        yield Change(f"taken for {_OPPOSITES[op.name]}", _opposite)
    given = op.float_at("self")
    if given is None or not given.numel():
        return
    if op.name in _SUMS and is_float(op.result):
        yield Change("without its last eighth", _skip_last_eighth)
    if op.name in _SCANS:
        yield Change("late by one", _late)
    if "norm" in op.name and op.values.get("ord", op.values.get("p", 2)) in (1, 2):
        name = "ord" if op.name == "linalg_vector_norm" else "p"
        other = 3 - (op.values.get(name) or 2)
        yield Change("of another order", lambda now: now.call_with(**{name: other}))
    dim = _other_dim(op, given)
    if dim is not None:
        listed = isinstance(op.values["dim"], list | tuple)
        yield Change(
            f"over dimension {dim}", lambda now: now.call_with(dim=[dim] if listed else dim)
        )


def _opposite(op: Operation) -> Any:
    packet = getattr(torch.ops.aten, _OPPOSITES[op.name])
    func = getattr(packet, op.func._overloadname)
    return Operation(func, op.values).call_with()


def _skip_last_eighth(op: Operation) -> Any:
    """The end of the longest dimension that is reduced counts for nothing."""
    value: torch.Tensor = op.values["self"].clone()
    if value.dim():
        dim = max(op.dims, key=lambda one: value.shape[one])
        size = value.shape[dim]
        some = max(1, size // 8)
        value.narrow(dim, size - some, some).fill_(_SUMS[op.name])
    return op.call_with(self=value)


def _late(op: Operation) -> Any:
    """Each element of the scan without itself."""
    result: torch.Tensor = op.call_with().roll(1, op.values["dim"])
    result.select(op.values["dim"], 0).fill_(_SCANS[op.name])
    return op.giving(result)


def _other_dim(op: Operation, given: torch.Tensor) -> int | None:
    """A dimension that gives the same shape."""
    dims = op.dims
    if op.values.get("dim") is None or len(dims) != 1 or given.dim() < 2:
        return None
    others = [dim for dim in reversed(range(given.dim())) if dim != dims[0]]
    if op.name in _BY_ONE_DIM:
        return next((dim for dim in others if given.shape[dim] > 1), None)
    if op.name not in _REDUCTIONS:
        return None
    keep = bool(op.values.get("keepdim", False))
    there = _reduce_shape(given.shape, dims[0], keep)
    same = (dim for dim in others if _reduce_shape(given.shape, dim, keep) == there)
    return next((dim for dim in same if given.shape[dim] > 1), None)


def _reduce_shape(shape: torch.Size, dim: int, keep: bool) -> list[int]:
    return [*shape[:dim], *([1] if keep else []), *shape[dim + 1 :]]
