"""Results of a published test compared as KernelBench-X compares them: one mismatch fails the task.

Both sides are what `as_plain` of `worker/published_program.py` makes of them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from kernelbenchx.catalog.published_tests import Thresholds
from kernelbenchx.worker.published_program import ARRAY

HALF, SINGLE, EXACT = 5e-3, 1e-5, 0.0
_HALVES = (torch.float16, torch.bfloat16)
_SINGLES = (torch.float32, torch.float64)
_MOVED_ELEMENTS = 200_000
"""With thresholds, larger tensors are moved to the host, and so may lie anywhere."""
_NOTHING = 1e-12
_NUMBERS = (int, float, complex)


class Mismatch(NamedTuple):
    """The first result that differs."""

    key: str
    """`test_case_2[0]`"""
    what: str
    tolerance: str


def compare_results(
    candidate: Any,
    reference: Any,
    thresholds: Thresholds | None = None,
    devices: Sequence[str] | None = None,
    expected_devices: Sequence[str] | None = None,
) -> Mismatch | None:
    """None if all is equal by the published rule.

    Devices are those of all tensors, in order; where one list lacks, they are not compared.
    """
    places = None
    if devices is not None and expected_devices is not None:
        places = dict(zip(map(id, _tensors(candidate)), devices, strict=True))
        places |= zip(map(id, _tensors(reference)), expected_devices, strict=True)
    return _ResultComparison(thresholds, places).compare(candidate, reference, "")


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    for item in _items(value):
        yield from _tensors(item)


def _items(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, tuple | list) else ()


@dataclass(frozen=True)
class _ResultComparison:
    thresholds: Thresholds | None
    places: dict[int, str] | None
    """Identity of a tensor → its device."""

    def compare(self, got: Any, wanted: Any, key: str) -> Mismatch | None:
        """What is behind one key."""
        if isinstance(got, torch.Tensor) and isinstance(wanted, torch.Tensor):
            return self._tensors_differ(got, wanted, key)
        if _is_array(got) or _is_array(wanted):
            return self._arrays_differ(got, wanted, key)
        if isinstance(got, list | tuple) and isinstance(wanted, list | tuple):
            return self._sequences_differ(got, wanted, key)
        if isinstance(got, dict) and isinstance(wanted, dict):
            return self._dicts_differ(got, wanted, key)
        if isinstance(got, _NUMBERS) or isinstance(wanted, _NUMBERS):
            return self._numbers_differ(got, wanted, key)
        return _values_differ(got, wanted, key)

    def _sequences_differ(
        self, got: Sequence[Any], wanted: Sequence[Any], key: str
    ) -> Mismatch | None:
        if len(got) != len(wanted):
            return Mismatch(key, f"{len(got)} results, expected {len(wanted)}", "")
        for number, (mine, theirs) in enumerate(zip(got, wanted, strict=True)):
            if found := self.compare(mine, theirs, f"{key}[{number}]"):
                return found
        return None

    def _dicts_differ(
        self, got: dict[str, Any], wanted: dict[str, Any], key: str
    ) -> Mismatch | None:
        if got.keys() != wanted.keys():
            name = min(got.keys() ^ wanted.keys(), key=str)
            what = "is missing" if name in wanted else "is not expected"
            return Mismatch(_join_key(key, name), what, "")
        for name in sorted(wanted):
            if found := self.compare(got[name], wanted[name], _join_key(key, name)):
                return found
        return None

    def _tensors_differ(self, got: torch.Tensor, wanted: torch.Tensor, key: str) -> Mismatch | None:
        if found := _forms_differ(got, wanted, key):
            return found
        if self._is_elsewhere(got, wanted):
            assert self.places is not None
            what = f"on {self.places[id(got)]}, expected on {self.places[id(wanted)]}"
            return Mismatch(key, what, "")
        if self.thresholds is not None:
            return _quality_differs(got, wanted, key, self.thresholds)
        return _elements_differ(got, wanted, key, _tolerance(got.dtype))

    def _is_elsewhere(self, got: torch.Tensor, wanted: torch.Tensor) -> bool:
        if self.places is None or self.places[id(got)] == self.places[id(wanted)]:
            return False
        return self.thresholds is None or got.numel() <= _MOVED_ELEMENTS

    def _arrays_differ(self, got: Any, wanted: Any, key: str) -> Mismatch | None:
        if not (_is_array(got) and _is_array(wanted)):
            kinds = ("an array" if _is_array(one) else type(one).__name__ for one in (got, wanted))
            return Mismatch(key, "{}, expected {}".format(*kinds), "")
        mine, theirs = got[ARRAY], wanted[ARRAY]
        if found := _forms_differ(mine, theirs, key):
            return found
        return _elements_differ(mine, theirs, key, _tolerance(mine.dtype))

    def _numbers_differ(self, got: Any, wanted: Any, key: str) -> Mismatch | None:
        mine, theirs = (self._as_scalar(one) for one in (got, wanted))
        if mine is None or theirs is None:
            return _values_differ(got, wanted, key)
        inexact = np.result_type(mine, theirs) == np.float64
        tolerance = SINGLE if inexact else EXACT
        if mine == theirs or (mine != mine and theirs != theirs):
            return None
        is_finite = inexact and math.isfinite(theirs.item())
        if is_finite and abs(mine - theirs) <= tolerance + tolerance * abs(theirs):
            return None
        return Mismatch(
            key, f"{got!r:.60}, expected {wanted!r:.60}", _describe_tolerance(tolerance)
        )

    def _as_scalar(self, value: Any) -> np.ndarray[Any, Any] | None:
        """As numpy reads a number, or a tensor of no dimensions on the host."""
        if isinstance(value, torch.Tensor):
            if value.ndim or value.dtype in (torch.bool, torch.bfloat16):
                return None
            if self.places is not None and self.places[id(value)] != "cpu":
                return None
            return value.detach().numpy()
        if isinstance(value, bool) or not isinstance(value, _NUMBERS):
            return None
        return np.asarray(value)


def _is_array(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {ARRAY}


def _join_key(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _tolerance(dtype: torch.dtype) -> float:
    if dtype in _HALVES:
        return HALF
    return SINGLE if dtype in _SINGLES else EXACT


def _describe_tolerance(tolerance: float) -> str:
    return f"atol = rtol = {tolerance:g}" if tolerance else "exact"


def _values_differ(got: Any, wanted: Any, key: str) -> Mismatch | None:
    """Whether values differ; values without a rule of their own must be equal."""
    try:
        differ = bool(got != wanted)
    except (RuntimeError, TypeError, ValueError):
        differ = True
    return Mismatch(key, f"{got!r:.60}, expected {wanted!r:.60}", "exact") if differ else None


def _forms_differ(got: torch.Tensor, wanted: torch.Tensor, key: str) -> Mismatch | None:
    if got.shape != wanted.shape:
        return Mismatch(key, f"shape {tuple(got.shape)}, expected {tuple(wanted.shape)}", "")
    if got.dtype != wanted.dtype:
        mine, theirs = (str(one.dtype).removeprefix("torch.") for one in (got, wanted))
        return Mismatch(key, f"dtype {mine}, expected {theirs}", "")
    return None


def _elements_differ(
    got: torch.Tensor, wanted: torch.Tensor, key: str, tolerance: float
) -> Mismatch | None:
    wanted = wanted.to(got.device)
    close = torch.isclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    if bool(close.all()):
        return None
    count = int((~close).sum())
    what = f"{count} of {got.numel()} values differ{_largest(got, wanted, close)}"
    return Mismatch(key, what, _describe_tolerance(tolerance))


def _largest(got: torch.Tensor, wanted: torch.Tensor, close: torch.Tensor) -> str:
    if got.dtype is torch.bool:
        return ""
    wide = torch.complex128 if got.is_complex() else torch.float64
    gap = (got.to(wide) - wanted.to(wide)).abs()[~close]
    largest = float(gap.max())
    return f", at most by {largest:.3g}" if math.isfinite(largest) else ", NaN or infinity"


def _quality_differs(
    got: torch.Tensor, wanted: torch.Tensor, key: str, thresholds: Thresholds
) -> Mismatch | None:
    """The mismatch where the quality is too low or NaN."""
    quality = quality_of(got, wanted)
    near = quality.cosine >= thresholds.cosine
    if near and quality.l1 <= thresholds.l1 and quality.rmse <= thresholds.rmse:
        return None
    what = f"cosine {quality.cosine:.4g}, L1 {quality.l1:.4g}, RMSE {quality.rmse:.4g}"
    limits = f"cosine >= {thresholds.cosine}, L1 <= {thresholds.l1}, RMSE <= {thresholds.rmse}"
    return Mismatch(key, what, limits)


def quality_of(got: torch.Tensor, wanted: torch.Tensor) -> Thresholds:
    """The three numbers, in float32 over a whole tensor."""
    mine, theirs = got.float().reshape(-1), wanted.to(got.device).float().reshape(-1)
    gap = mine - theirs
    l1 = gap.abs().sum() / theirs.abs().sum().clamp_min(_NOTHING)
    return Thresholds(
        cosine=_cosine(mine, theirs),
        l1=float(l1),
        rmse=float(gap.square().mean().sqrt()),
    )


def _cosine(mine: torch.Tensor, theirs: torch.Tensor) -> float:
    norms = [float(torch.linalg.vector_norm(one)) for one in (mine, theirs)]
    nothing = [norm < _NOTHING for norm in norms]
    if any(nothing):
        return float(all(nothing))
    return float(torch.nn.functional.cosine_similarity(mine[None], theirs[None]))
