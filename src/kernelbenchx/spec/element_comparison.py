"""Compare two tensors element by element, in multiples of a budget."""

import math
from collections.abc import Sequence

import torch

from kernelbenchx.spec.contract import Verdict
from kernelbenchx.spec.ulps import overflow_edge, real_dtype

INF = float("inf")


def multiples(got: torch.Tensor, truth: torch.Tensor, budget: torch.Tensor) -> torch.Tensor:
    """Error of each element as a multiple of its budget; infinite where the kinds differ.

    NaN, +inf and -inf must stand where they stand in the truth. Where the truth is finite and so
    near the largest number of the output's dtype that its budget reaches the overflow, infinity
    is right as well.
    """
    if not (got.dtype.is_floating_point or got.dtype.is_complex):
        return _unequal(got, truth)
    wide = torch.complex128 if got.dtype.is_complex else torch.float64
    mine, true = got.to(wide), truth.to(wide)
    if got.dtype.is_complex or got.dim() == 0:
        return _by_kind(mine, true, budget, got.dtype)
    ratio = (mine - true).abs_().div_(budget)
    odd = (~(ratio < INF)).nonzero(as_tuple=True)  # a few elements, as a rule
    ratio[odd] = _by_kind(mine[odd], true[odd], budget.expand(mine.shape)[odd], got.dtype)
    return ratio


def _by_kind(
    mine: torch.Tensor, true: torch.Tensor, budget: torch.Tensor, dtype: torch.dtype
) -> torch.Tensor:
    """As `multiples`, for elements that need not be finite."""
    mine = _pulled_back(mine, true, overflow_edge(dtype))
    same = _same_kind(mine, true)
    finite = _finite(mine) & _finite(true)
    error = torch.where(finite, (mine - true).abs(), 0.0)
    ratio = torch.where(error > 0, error / budget, 0.0)
    return torch.where(same, ratio, INF)


def signed_zeros(got: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Infinite where both are zero and only their signs differ, else 0."""
    mine, true = _parts(got), _parts(truth)
    differ = (mine == 0) & (true == 0) & (torch.signbit(mine) != torch.signbit(true))
    if got.dtype.is_complex:
        differ = differ.any(-1)
    return torch.where(differ, INF, 0.0).double()


def verdict(
    ratios: Sequence[torch.Tensor],
    got: Sequence[torch.Tensor],
    expected: Sequence[torch.Tensor],
    note: str = "",
) -> Verdict:
    """The worst element of all outputs; `note` is added to what is said of a wrong one."""
    worst, where = 0.0, 0
    for position, ratio in enumerate(ratios):
        largest = float(ratio.max()) if ratio.numel() else 0.0
        if largest > worst:
            worst, where = largest, position
    if worst <= 1.0:
        return Verdict(ok=True, worst=worst)
    ratio = ratios[where]
    index = unravel(int(ratio.argmax()), ratio.shape)
    bad = ratio > 1.0
    mine, true = got[where][index], expected[where][index]
    return Verdict(
        ok=False,
        worst=worst,
        detail=_detail(mine, true, bad, exact=worst == INF) + note,
        output=where,
        index=index,
        expected=format_element(true, got[where].dtype),
        got=format_element(mine, got[where].dtype),
        bad=bad,
        errors=ratio,
    )


def unravel(flat: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The index of the `flat`-th element of a tensor of that shape."""
    index: list[int] = []
    for size in reversed(shape):
        index.append(flat % size)
        flat //= size
    return tuple(reversed(index))


def format_element(value: torch.Tensor, dtype: torch.dtype) -> str:
    """One element with as many digits as its dtype can tell apart."""
    item = value.item()
    if isinstance(item, bool | int):
        return str(item)
    real = real_dtype(dtype) if dtype.is_floating_point or dtype.is_complex else torch.float64
    bits = 1 - math.log2(torch.finfo(real).eps)
    return f"{item:.{1 + math.ceil(bits * math.log10(2))}g}"


def _detail(mine: torch.Tensor, true: torch.Tensor, bad: torch.Tensor, *, exact: bool) -> str:
    count = f"{int(bad.sum())} of {bad.numel()} elements"
    if not bool(_finite(mine)) and bool(_finite(true)):
        return f"{count} are wrong, the worst is {mine.item()} where a number is expected"
    if bool(_finite(mine)) and not bool(_finite(true)):
        return f"{count} are wrong, the worst is a number where {true.item()} is expected"
    if exact:
        return f"{count} differ from the only right value"
    return f"{count} are further from the exact result than rounding explains"


def _unequal(got: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    if truth.dtype.is_floating_point:
        return torch.where(got.double() == truth, 0.0, INF).double()
    return torch.where(got == truth.to(got.dtype), 0.0, INF).double()


def _pulled_back(mine: torch.Tensor, true: torch.Tensor, edge: float) -> torch.Tensor:
    """Infinity where the truth is finite counts as the smallest number that rounds to it."""
    if mine.dtype.is_complex:
        parts = _pulled_back(_parts(mine), _parts(true), edge)
        return torch.view_as_complex(parts.contiguous())
    over = torch.isinf(mine) & torch.isfinite(true) & (torch.sign(mine) == torch.sign(true))
    stand_in = torch.sign(true) * true.abs().clamp(min=edge)
    return torch.where(over, stand_in, mine)


def _finite(value: torch.Tensor) -> torch.Tensor:
    parts = torch.isfinite(_parts(value))
    return parts.all(-1) if value.dtype.is_complex else parts


def _same_kind(mine: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
    a, b = _parts(mine), _parts(true)
    same = (torch.isnan(a) == torch.isnan(b)) & (_infinity(a) == _infinity(b))
    return same.all(-1) if mine.dtype.is_complex else same


def _infinity(parts: torch.Tensor) -> torch.Tensor:
    return torch.where(torch.isinf(parts), torch.sign(parts), 0.0)


def _parts(value: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(value.resolve_conj()) if value.dtype.is_complex else value
