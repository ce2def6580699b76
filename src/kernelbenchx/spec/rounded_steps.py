"""Monte Carlo arithmetic: every step of a computation off by a random rounding of its own size."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_map

from kernelbenchx.spec.forward_interceptor import ForwardInterceptor, first_of, is_float, name_of
from kernelbenchx.spec.product_terms import (
    PRODUCTS,
    SUMS,
    sum_squared_terms,
    terms_of_product,
    terms_of_sum,
)
from kernelbenchx.spec.textbook_formulas import PARTS

_FLOAT32 = 2.0**-24
_TF32 = 2.0**-11
_MOVES = frozenset(
    [
        "_unsafe_view", "clone", "copy_", "_to_copy", "empty", "new_empty", "empty_like", "zeros",
        "ones", "arange", "full", "zeros_like", "ones_like", "full_like", "new_zeros", "new_ones",
        "new_full", "lift_fresh", "_reshape_alias", "fill_", "zero_", "constant_pad_nd", "cat",
        "stack", "index", "index_select", "embedding", "gather", "scatter", "flip", "roll",
        "repeat", "tril", "triu", "masked_fill", "masked_fill_", "where", "equal",
        "_local_scalar_dense", "argmax", "argmin", "scalar_tensor", "relu", "relu_", "max", "min",
        "amax", "amin", "maximum", "minimum", "sign", "max_pool2d_with_indices",
        "max_pool3d_with_indices", "neg", "abs", "hardtanh", "hardtanh_", "clamp", "clamp_",
        "clamp_min", "clamp_min_", "clamp_max", "clamp_max_", "set_", "random_", "uniform_",
        "normal_", "bernoulli_", "unsafe_split", "upsample_nearest2d", "diag_embed", "topk", "sort",
        "pixel_shuffle", "channel_shuffle", "im2col", "one_hot", "rand", "randn", "squeeze_",
        "unsqueeze_", "t_", "transpose_",
    ]
)  # fmt: skip
"""What rounds nothing."""


@dataclass(frozen=True)
class Roundings:
    """How precise the steps of an honest kernel are."""

    stored: float = _FLOAT32
    """Of each result that one operation of torch hands to the next."""
    within: float = _FLOAT32
    """Of sums, and of the steps inside of an operation: 16-bit kernels compute in float32."""
    operands: float = 0.0
    """Of what products multiply, where it may be rounded once more."""
    least: float = 0.0
    """Half the distance of the smallest numbers: float16 has few of them."""
    narrow: torch.dtype | None = None
    """A 16-bit dtype to which products inside of an operation may round what they multiply."""

    def times(self, factor: float) -> "Roundings":
        """Coarser ones."""
        return Roundings(
            factor * self.stored, factor * self.within, factor * self.operands, factor * self.least,
            self.narrow,
        )  # fmt: skip


FLOAT32 = Roundings()
TF32 = Roundings(operands=_TF32)
FLOAT16 = Roundings(stored=2.0**-11, least=2.0**-25, narrow=torch.float16)
BFLOAT16 = Roundings(stored=2.0**-8, narrow=torch.bfloat16)


class RoundedSteps(ForwardInterceptor):  # type: ignore[no-untyped-call]
    """Each result is moved at random by as much as rounding may move it.

    A sum of K terms is moved by the random walk of its K roundings in some order. What torch
    does in one step is taken apart; its steps are moved, too.
    """

    def __init__(self, seed: int, roundings: Roundings, device: torch.device) -> None:
        super().__init__()
        self._chance = torch.Generator(device).manual_seed(seed)
        self._roundings = roundings
        self._stored = roundings.stored

    def answer(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the operation gives, moved."""
        name = name_of(func)
        if name in _MOVES or func.is_view or not any(is_float(one) for one in args):
            return func(*args, **kwargs)
        plain = name.removesuffix("_")
        if plain != name and is_float(args[0]):
            moved = self._perturb_operation(getattr(torch.ops.aten, plain), func, args, kwargs)
            return args[0].copy_(first_of(moved))
        return self._perturb_operation(func, func, args, kwargs)

    def _perturb_operation(
        self, plain: Any, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        name = name_of(func).removesuffix("_")
        if name in PARTS:
            with self._inside():
                result = PARTS[name](*args, **kwargs)
        elif name in PRODUCTS:
            result = self._product(func, args, kwargs)
        elif name in SUMS:
            result = self._sum(func, args, kwargs)
        elif name in ("cumsum", "cumprod"):
            result = self._scan(func, args, kwargs)
        else:
            given = tuple(self._off(one, self._roundings.within) for one in args)
            result = plain(*given, **kwargs)
        return tree_map(self._perturb_stored, result)

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """The steps of one operation: in the precision of sums, under this mode again."""
        before, self._stored = self._stored, self._roundings.within
        with self.again():
            yield
        self._stored = before

    def _product(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._stored < self._roundings.stored:
            args = tuple(map(self._round_to_narrow, args))
        total = func(*args, **kwargs)
        squares = sum_squared_terms(func, args, kwargs)
        result = self._perturb_partial_sums(total, squares, terms_of_product(func, args))
        if not self._roundings.operands:
            return result
        # Both factors of each term are rounded, or cut, which all terms of one sign add up.
        scale = (2 * squares + 4 * total.square()).sqrt()
        return result + self._roundings.operands * scale * self._coin(total)

    def _round_to_narrow(self, value: Any) -> Any:
        """Attention multiplies its probabilities in the dtype of the values, as torch's does."""
        narrow = self._roundings.narrow
        if narrow is None or not is_float(value) or torch.equal(value.to(narrow).to(value), value):
            return value  # what is stored in 16 bits is not rounded again
        return self._off(value, self._roundings.stored, self._roundings.least)

    def _sum(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        total = func(*args, **kwargs)
        if not is_float(total):
            return total
        count = terms_of_sum(total, args[0], func, args)
        squares = func(args[0].square(), *args[1:], **kwargs)
        if name_of(func) != "sum":
            squares = squares / max(1, count)
        return self._perturb_partial_sums(total, squares, count)

    def _perturb_partial_sums(
        self, total: torch.Tensor, squares: torch.Tensor, count: int
    ) -> torch.Tensor:
        """The partial sums in a random order have the mean square total²/3 + squares/6; each of
        them is rounded, and so is each term."""
        scale = (1 + count / 3) * total.square() + (1 + count / 6) * squares
        return total + self._roundings.within * scale.sqrt() * self._coin(total)

    def _scan(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Each partial result is rounded, and all later ones have its error."""
        result = func(*args, **kwargs)
        coins = self._roundings.within * self._coin(result)
        if name_of(func).startswith("cumsum"):
            return result + (coins * result).cumsum(args[1])
        return result * (1 + coins.cumsum(args[1]))

    def _perturb_stored(self, value: Any) -> Any:
        return self._off(value, self._stored, self._roundings.least)

    def _off(self, value: Any, roundoff: float, least: float = 0.0) -> Any:
        if not is_float(value) or not value.numel():
            return value
        size = value.abs() * roundoff
        moved = value + (size.clamp_min(least) if least else size) * self._coin(value)
        # A mask of minus infinity rounds to itself.
        return torch.where(value.isinf(), value, moved)

    def _coin(self, like: torch.Tensor) -> torch.Tensor:
        drawn = torch.rand(like.shape, generator=self._chance, device=like.device)
        return drawn.to(like.dtype) * 2 - 1
