"""Monte Carlo arithmetic: every step of a computation off by a random rounding of its own size."""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

aten = torch.ops.aten

PRODUCTS = {
    aten.mm.default, aten.bmm.default, aten.addmm.default, aten.baddbmm.default, aten.mv.default,
    aten.dot.default, aten.addmv.default, aten.convolution.default,
}  # fmt: skip
"""Sums of products: what is rounded there is the size of the products, not that of their sum."""
SUMS = {
    "sum",
    "mean",
    "cumsum",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "_adaptive_avg_pool2d",
    "_adaptive_avg_pool3d",
}
MOVES = frozenset(
    [
        "view",
        "_unsafe_view",
        "reshape",
        "t",
        "transpose",
        "permute",
        "expand",
        "slice",
        "select",
        "unsqueeze",
        "squeeze",
        "split",
        "split_with_sizes",
        "chunk",
        "unbind",
        "as_strided",
        "alias",
        "detach",
        "clone",
        "copy_",
        "contiguous",
        "_to_copy",
        "empty",
        "new_empty",
        "empty_like",
        "zeros",
        "ones",
        "arange",
        "full",
        "zeros_like",
        "ones_like",
        "new_zeros",
        "new_ones",
        "lift_fresh",
        "_reshape_alias",
        "fill_",
        "zero_",
        "constant_pad_nd",
        "cat",
        "stack",
        "diagonal",
        "unfold",
        "index",
        "gather",
        "scatter",
        "flip",
        "roll",
        "repeat",
        "tril",
        "triu",
        "masked_fill",
        "masked_fill_",
        "where",
        "is_same_size",
        "equal",
        "_local_scalar_dense",
        "eq",
        "lt",
        "gt",
        "le",
        "ge",
        "ne",
        "bitwise_not",
        "logical_not",
        "argmax",
        "argmin",
        "scalar_tensor",
        "relu",
        "relu_",
        "max",
        "min",
        "amax",
        "amin",
        "max_pool2d_with_indices",
        "max_pool3d_with_indices",
        "neg",
        "abs",
        "hardtanh",
        "clamp",
        "clamp_min",
        "clamp_max",
        "set_",
        "random_",
        "uniform_",
        "normal_",
        "kaiming_uniform_",
    ]
)
"""What rounds nothing."""


class RoundedSteps(TorchDispatchMode):
    """Each result is moved by up to one roundoff of its local scale, each operand of a function
    whose slope may be steep by up to one of its own size."""

    def __init__(self, seed: int, roundoff: float, device: torch.device) -> None:
        super().__init__()
        self._chance = torch.Generator(device).manual_seed(seed)
        self._u = roundoff

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = name_of(func)
        if name in MOVES:
            return func(*args, **kwargs)
        if func in PRODUCTS or (name in SUMS and is_float(args[0])):
            return self._summed(func, args, kwargs)
        if name.endswith("_") and is_float(args[0]):
            out = func(*args, **kwargs)
            args[0].copy_(self._moved(args[0].clone()))
            return out
        moved = tuple(self._moved(one) for one in args)
        return tree_map(self._moved, func(*moved, **kwargs))

    def _summed(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        out = func(*args, **kwargs)
        if not is_float(out):
            return out
        sizes = tuple(one.abs() if is_float(one) else one for one in args)
        words = {key: abs(one) if is_number(one) else one for key, one in kwargs.items()}
        return out + self._u * func(*sizes, **words) * self._coin(out)

    def _moved(self, value: Any) -> Any:
        if not is_float(value) or not value.numel():
            return value
        return value * (1 + self._u * self._coin(value))

    def _coin(self, like: torch.Tensor) -> torch.Tensor:
        drawn = torch.rand(like.shape, generator=self._chance, device=like.device)
        return drawn.to(like.dtype) * 2 - 1


def name_of(func: Any) -> str:
    """Without namespace and overload."""
    return str(func._schema.name.split("::")[1])


def is_float(value: Any) -> bool:
    """Whether roundings move it."""
    return isinstance(value, torch.Tensor) and value.dtype.is_floating_point


def is_number(value: Any) -> bool:
    """A scalar argument; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
