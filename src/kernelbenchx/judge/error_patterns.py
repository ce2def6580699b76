"""Describes where the wrong elements lie, in words that help the author of the kernel."""

from dataclasses import dataclass

import torch

_MOST = 1 << 20
"""At most so many wrong elements are searched for a factor."""

_BLOCKS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


@dataclass(frozen=True)
class _OutputErrors:
    actual: torch.Tensor
    truth: torch.Tensor
    bad: torch.Tensor


def describe(actual: torch.Tensor, truth: torch.Tensor, bad: torch.Tensor) -> str:
    """The first pattern that explains every wrong element; empty when none does."""
    if not bool(bad.any()):
        return ""
    seen = _OutputErrors(actual, truth, bad)
    for pattern in (_not_finite, _not_finite_expected, _factor, _zeros, _whole, _place):
        words = pattern(seen)
        if words:
            return words
    return ""


def _not_finite(seen: _OutputErrors) -> str:
    actual, bad = seen.actual, seen.bad
    if not (actual.is_floating_point() or actual.is_complex()):
        return ""
    if bool(torch.isnan(actual[bad]).all()):
        return "NaN in every wrong element" + _where(bad)
    if bool(torch.isinf(actual[bad]).all()):
        return "infinite in every wrong element" + _where(bad)
    return ""


def _not_finite_expected(seen: _OutputErrors) -> str:
    """Elements expected to be NaN or infinite; what came instead does not matter."""
    truth, bad = seen.truth, seen.bad
    if not (truth.is_floating_point() or truth.is_complex()):
        return ""
    if bool(torch.isnan(truth[bad]).all()):
        return "NaN is expected in every wrong element" + _where(bad)
    if bool(torch.isinf(truth[bad]).all()):
        return "an infinity is expected in every wrong element" + _where(bad)
    return ""


def _factor(seen: _OutputErrors) -> str:
    actual, truth, bad = seen.actual, seen.truth, seen.bad
    if not actual.is_floating_point() or int(bad.sum()) < 4:
        return ""
    expected, got = _some(truth[bad]).double(), _some(actual[bad]).double()
    usable = expected.isfinite() & got.isfinite() & (expected.abs() > 1e-30)
    if int(usable.sum()) < 4:
        return ""
    ratios = got[usable] / expected[usable]
    middle = float(ratios.median())
    apart = (ratios - middle).abs()
    # A factor that differs from 1 by less than ratios do from it is none.
    close = min(0.01 * abs(middle), 0.1 * abs(middle - 1))
    if abs(middle) > 1e-6 and abs(middle - 1) > 1e-3 and float(apart.quantile(0.9)) < close:
        many = "every wrong element is" if float(apart.max()) < close else "most wrong elements are"
        return f"{many} off by the factor {middle:.4g}" + _where(bad)
    return ""


def _some(values: torch.Tensor) -> torch.Tensor:
    """A sample, evenly spread, of at most what a quantile can be taken of."""
    return values[:: -(-values.numel() // _MOST) or 1]


def _zeros(seen: _OutputErrors) -> str:
    if bool((seen.actual[seen.bad] == 0).all()):
        return "zero in every wrong element, as if never written" + _where(seen.bad)
    return ""


def _whole(seen: _OutputErrors) -> str:
    return "every element is wrong" if bool(seen.bad.all()) else ""


def _place(seen: _OutputErrors) -> str:
    return _where(seen.bad).removeprefix(", ")


def _tail(bad: torch.Tensor) -> str:
    """All wrong elements behind the last full block, flattened or along the last dimension."""
    places = bad.flatten().nonzero().flatten()
    first = int(places[0])
    blocks = _blocks_of(first, bad.numel())
    if blocks:
        return f"only in the tail after the last full block{_of(blocks)} (from element {first} on)"
    if bad.dim() < 2:
        return ""
    columns = bad.reshape(-1, bad.shape[-1]).any(dim=0).nonzero().flatten()
    first = int(columns[0])
    blocks = _blocks_of(first, bad.shape[-1])
    if blocks:
        return f"only in columns from {first} on, the tail after the last full block{_of(blocks)}"
    return ""


def _blocks_of(first: int, count: int) -> list[int]:
    return [b for b in _BLOCKS if first > 0 and first == count // b * b and first < count]


def _of(blocks: list[int]) -> str:
    """Where several sizes fit, none is named: a guess would send its reader the wrong way."""
    return f" of {blocks[0]}" if len(blocks) == 1 else ""


def _where(bad: torch.Tensor) -> str:
    """The tail of the last block, or the one index of a dimension that holds all wrong elements."""
    if bool(bad.all()):
        return ""
    tail = _tail(bad)
    if tail:
        return f", {tail}"
    for dimension in range(bad.dim() if bad.dim() > 1 else 0):
        others = [d for d in range(bad.dim()) if d != dimension]
        hit = bad.amax(dim=others).nonzero().flatten()
        if hit.numel() == 1 and bad.shape[dimension] > 1:
            word = {bad.dim() - 2: "row", bad.dim() - 1: "column"}.get(
                dimension, f"index of dimension {dimension}:"
            )
            return f", all in {word} {int(hit[0])}"
    return ""
