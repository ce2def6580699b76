"""Generic wrong answers: every task must reject each of them on some case."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from kernelbenchx.spec.close import Close
from kernelbenchx.spec.distribution import Dropout, Uniform
from kernelbenchx.spec.properties import Property

Tensors = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Sabotage:
    """A way to spoil valid outputs."""

    name: str
    applies: Callable[[Tensors], bool]
    """Whether these outputs can be spoiled so that a judge could tell."""
    spoil: Callable[[Tensors, Tensors], Tensors]
    """`spoil(outputs, previous)`: new tensors; `previous` are valid outputs of another draw."""
    free_for: tuple[type, ...] = ()
    """Contracts for which the result may well be another valid answer."""

    free_under_tf32: bool = False
    """Whether contracts that allow TF32 operands allow the result."""

    def must_fail(self, contract: object) -> bool:
        """Whether a contract has to reject it on some case."""
        close = contract.close if isinstance(contract, Dropout) else contract
        if self.free_under_tf32 and isinstance(close, Close) and close.tf32:
            return False
        return not isinstance(contract, self.free_for)

    def attempt(self, outputs: Tensors, previous: Tensors) -> Tensors | None:
        """The spoiled outputs; None where nothing would differ."""
        if not self.applies(outputs):
            return None
        spoiled = self.spoil(outputs, previous)
        pairs = zip(outputs, spoiled, strict=True)
        return None if all(_identical(old, new) for old, new in pairs) else spoiled


def _each(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Tensors, Tensors], Tensors]:
    return lambda outputs, previous: tuple(change(value.clone()) for value in outputs)  # noqa: ARG005


def _any(test: Callable[[torch.Tensor], bool]) -> Callable[[Tensors], bool]:
    return lambda outputs: any(value.numel() > 0 and test(value) for value in outputs)


def _inexact(value: torch.Tensor) -> bool:
    return value.dtype.is_floating_point or value.dtype.is_complex


def _parts(value: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(value.resolve_conj()) if value.dtype.is_complex else value


def _matters(value: torch.Tensor) -> bool:
    """Finite and not all zero, so that a change of sign, size or place shows."""
    finite = value[torch.isfinite(value)] if _inexact(value) else value
    return bool((finite != 0).any())


def _largest(value: torch.Tensor) -> int:
    """Flat place of the largest finite element."""
    size = _parts(value).double().abs()
    size = size.amax(-1) if value.dtype.is_complex else size
    return int(torch.nan_to_num(size, nan=-1.0, posinf=-1.0).flatten().argmax())


def _with(value: torch.Tensor, place: int, new: torch.Tensor) -> torch.Tensor:
    flat = value.flatten()
    flat[place] = new
    return flat.reshape(value.shape)


def _poison_last(value: torch.Tensor) -> torch.Tensor:
    """The last element keeps what a poisoned buffer held."""
    if value.numel() == 0:
        return value
    if _inexact(value):
        return _with(value, -1, torch.tensor(float("nan"), dtype=value.dtype))
    if value.dtype == torch.bool:
        return _with(value, -1, ~value.flatten()[-1])
    lowest = torch.iinfo(value.dtype).min
    other = torch.iinfo(value.dtype).max
    held = int(value.flatten()[-1]) == lowest
    return _with(value, -1, torch.tensor(other if held else lowest, dtype=value.dtype))


def _round_narrower(value: torch.Tensor) -> torch.Tensor:
    """Rounded to the next narrower dtype; integers and bools off by one in one place."""
    if value.dtype.is_complex:
        return torch.view_as_complex(_round_narrower(_parts(value).clone()))
    if value.dtype == torch.float64:
        return value.to(torch.float32).to(value.dtype)
    if value.dtype == torch.float32:
        return value.to(torch.bfloat16).to(value.dtype)
    if value.dtype in (torch.float16, torch.bfloat16):
        return _cut(value.double(), 3).to(value.dtype)
    if value.numel() == 0:
        return value
    if value.dtype == torch.bool:
        return _with(value, 0, ~value.flatten()[0])
    return _with(value, 0, value.flatten()[0] + 1)


def _ten_bits(value: torch.Tensor) -> torch.Tensor:
    """Rounded to the ten explicit bits of TF32."""
    if value.dtype.is_complex:
        return torch.view_as_complex(_ten_bits(_parts(value).clone()))
    return _cut(value.double(), 10).to(value.dtype)


def _cut(value: torch.Tensor, bits: int) -> torch.Tensor:
    """Rounded to so many explicit bits, without a limit on the exponent."""
    mantissa, exponent = torch.frexp(value)
    step = 2.0 ** (bits + 1)
    cut = torch.round(mantissa * step) / step
    rounded = cut * torch.exp2(exponent.double())
    return torch.where(torch.isfinite(value), rounded, value)


def _wide(value: torch.Tensor) -> bool:
    return _parts(value).dtype in (torch.float32, torch.float64)


def _identical(one: torch.Tensor, two: torch.Tensor) -> bool:
    a, b = torch.nan_to_num(_wide_parts(one)), torch.nan_to_num(_wide_parts(two))
    return torch.equal(a, b) and torch.equal(torch.isnan(one), torch.isnan(two))


def _wide_parts(value: torch.Tensor) -> torch.Tensor:
    parts = _parts(value)
    return parts.double() if parts.dtype.is_floating_point else parts


def _loses(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], bool]:
    return lambda value: not _identical(value, change(value.clone()))


def _one_off(value: torch.Tensor) -> torch.Tensor:
    """The largest element off by 5 %."""
    if value.numel() == 0 or not _inexact(value):
        return value
    place = _largest(value)
    return _with(value, place, value.flatten()[place] * 1.05)


def _one_nan(value: torch.Tensor) -> torch.Tensor:
    if value.numel() == 0 or not _inexact(value):
        return value
    return _with(value, _largest(value), torch.tensor(float("nan"), dtype=value.dtype))


def _first_half(value: torch.Tensor) -> torch.Tensor:
    flat = value.flatten()
    flat[(flat.numel() + 1) // 2 :] = 0
    return flat.reshape(value.shape)


def _reverse_rows(value: torch.Tensor) -> torch.Tensor:
    return value.flip(-1) if value.dim() else value


def _flip_sign(value: torch.Tensor) -> torch.Tensor:
    if value.dtype == torch.bool:
        return ~value
    return -value


def _stale(outputs: Tensors, previous: Tensors) -> Tensors:
    """The previous answer where it has the shape, else the outputs unchanged."""
    alike = [(v.shape, v.dtype) for v in outputs] == [(v.shape, v.dtype) for v in previous]
    return tuple(value.clone() for value in (previous if alike else outputs))


def _zeroed_half(value: torch.Tensor) -> bool:
    return value.numel() > 1 and _matters(value.flatten()[(value.numel() + 1) // 2 :])


def _unsymmetric(value: torch.Tensor) -> bool:
    return _loses(_reverse_rows)(value)


SABOTAGES: tuple[Sabotage, ...] = (
    Sabotage("zeros", _any(_matters), _each(torch.zeros_like)),
    Sabotage("last element unwritten", _any(lambda value: True), _each(_poison_last)),  # noqa: ARG005
    Sabotage("narrower dtype", _any(_loses(_round_narrower)), _each(_round_narrower)),
    Sabotage(
        "ten bits",
        _any(lambda value: _wide(value) and _loses(_ten_bits)(value)),
        _each(lambda value: _ten_bits(value) if _wide(value) else value),
        free_under_tf32=True,
    ),
    Sabotage("previous output", _any(_matters), _stale, free_for=(Uniform,)),
    Sabotage("one NaN", _any(_inexact), _each(_one_nan)),
    Sabotage(
        "one element off",
        _any(lambda value: _inexact(value) and _matters(value)),
        _each(_one_off),
        free_for=(Uniform,),
    ),
    Sabotage("first half only", _any(_zeroed_half), _each(_first_half)),
    Sabotage("reversed rows", _any(_unsymmetric), _each(_reverse_rows), free_for=(Uniform,)),
    Sabotage("sign flipped", _any(_matters), _each(_flip_sign), free_for=(Property,)),
)
