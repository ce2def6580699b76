"""Distribution: random answers are judged by their law, never by one stream of numbers.

False alarms: each judgement splits `tail_bounds.CASE_ALPHA` evenly over its tests, every one of
which is a proven bound. What is never left to chance (support, exact zeros, kept values) is exact.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.call import Call, GeneratorSeed, same_generators
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.correlation import LONGEST, Coins
from kernelbenchx.spec.element_comparison import INF, multiples, verdict
from kernelbenchx.spec.independence import block_statistics, lag_statistics
from kernelbenchx.spec.rate_statistics import rate_statistics
from kernelbenchx.spec.tail_bounds import (
    Statistic,
    duplicates,
    fetch_statistics,
    kolmogorov,
    most_surprising,
    multiplicity,
    rare_events,
)

RESOLUTION = 2.0**-23
"""The coarsest honest sampler: the bits of a float32 mantissa."""

BITS = (1, 20, 2, 11)
"""Bits of a number that are tested as coins, the first and about the last that any honest sampler
gets right; the other two at every lag only."""


@dataclass(frozen=True)
class Uniform:
    """Independent numbers, uniform on [low, high), with at least 23 random bits.

    Called three times: with a seed, with another, and with the first again; more often where a
    case asks for it. Needs one case of more than 65,536 elements, so that a period of 2^16 shows,
    and one with four seeds; small tensors are judged by their support alone.
    """

    low: float = 0.0
    high: float = 1.0

    calls = 3
    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """Support exactly; the rest by surprise."""
        drawn = [outputs[0] for outputs in evidence.outputs]
        for values in drawn:
            outside = ~((values.double() >= self.low) & (values.double() < self.high))
            if bool(outside.any()):
                law = f"in [{self.low:g}, {self.high:g})"
                found = verdict([torch.where(outside, INF, 0.0)], [values], [values])
                return replace(found, detail=_count(outside, f"not {law}"), expected=law)
        again: dict[int, int] = {}
        if has_generator(evidence.call):
            again = {n: same_generators(n) for n in range(len(drawn)) if same_generators(n) < n}
        broken = _copies_differ(evidence)
        if any(not torch.equal(drawn[n], drawn[first]) for n, first in again.items()):
            broken = broken or "the same seed gives other numbers"
        if broken:
            return _wrong(INF, broken)
        return _by_surprise(self._tests([one for n, one in enumerate(drawn) if n not in again]))

    def _tests(self, drawn: list[torch.Tensor]) -> list[Statistic]:
        shape, cell = drawn[0].shape, self._cell(drawn[0].dtype)
        tests = [test for x in drawn for test in _law(self._unit(_sort_values(x)), cell)]
        tests += _repeated_numbers([x.flatten() for x in drawn], cell)
        units = [self._unit(x.flatten()[:LONGEST]) for x in drawn]
        known = torch.ones_like(units[0], dtype=torch.bool)
        bits = [[_bit(unit, bit) for unit in units] for bit in BITS]
        coins = [[Coins.of(one, known, 0.5) for one in calls] for calls in bits]
        what = "rate of bits that are 1"
        found = [one for x in bits[:2] for one in rate_statistics(x, known, shape, 0.5, what)]
        found += [one for calls in coins for one in lag_statistics(calls)]
        found += [one for calls in coins[:2] for one in block_statistics(calls, shape)]
        return tests + fetch_statistics(found)

    def _unit(self, values: torch.Tensor) -> torch.Tensor:
        """In float64, on [0, 1)."""
        return (values.double() - self.low) / (self.high - self.low)

    def _cell(self, dtype: torch.dtype) -> float:
        """The largest probability of a single value of an honest sampler."""
        reach = max(abs(self.low), abs(self.high)) / (self.high - self.low)
        return max(RESOLUTION, torch.finfo(dtype).eps * reach)


@dataclass(frozen=True)
class Dropout:
    """Each element is exactly zero, or its kept value within the budget of `close`.

    `keep(*args, **kwargs)` is the probability of being kept (1 when not training), and
    `given(*args, **kwargs)` (on widened arguments) the float64 output if nothing is dropped.
    Needs one case of more than 65,536 elements, so that a period of 2^16 shows, and two that are
    called often: one with a tiny probability, one with a probability near 1, where a position
    that is never kept or never dropped shows. Small tensors are judged by their values.
    """

    keep: Callable[..., float]
    given: Callable[..., torch.Tensor]
    close: Close
    calls: int = 2

    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """Values exactly; rate and independence by surprise."""
        call = evidence.call
        rate = float(apply_function(self.keep, call.copy().concrete()))
        kept = apply_function(self.given, call.widen().concrete())
        dtype = evidence.native[0].dtype
        budget = self.close.budgets(call, (kept,), (dtype,), evidence.rung)[0]
        for outputs in evidence.outputs:
            if outputs[0].shape != kept.shape:
                return _wrong(INF, "the output has another shape")
            ratio = _zero_or_kept(outputs[0], kept, budget, rate)
            found = verdict([ratio], outputs[:1], [kept])
            if found.bad is not None:
                what = "neither dropped nor the value to be kept"
                return replace(found, detail=_count(found.bad, what))
        broken = _copies_differ(evidence)
        if broken:
            return _wrong(INF, broken)
        if rate in (0.0, 1.0):
            return Verdict(ok=True, worst=0.0)
        # An element whose kept value may itself round to zero says nothing about the mask.
        known = (kept.abs() > 2 * budget).flatten()
        masks = [(outputs[0] != 0).flatten() for outputs in evidence.outputs]
        return _by_surprise(mask_statistics(masks, known, kept.shape, rate))


def has_generator(call: Call) -> bool:
    """Whether the case hands a generator to the call."""
    return _holds_seed((*call.args, *call.kwargs.values(), *call.init))


def _holds_seed(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(_holds_seed(item) for item in value)
    return isinstance(value, GeneratorSeed)


def _sort_values(values: torch.Tensor) -> torch.Tensor:
    """In rising order, sorted in the dtype at hand: the narrower, the faster."""
    return values.flatten().sort().values


def _law(ordered: torch.Tensor, cell: float) -> list[Statistic]:
    """Marginal law and resolution of one call."""
    counts = torch.unique_consecutive(ordered, return_counts=True)[1]
    total = ordered.numel()
    most = int(counts.max()) if total else 0
    return [
        Statistic(kolmogorov(ordered, cell), "the numbers are not uniform"),
        Statistic(duplicates(total - counts.numel(), total, cell), "the numbers have too few bits"),
        Statistic(multiplicity(most, total, cell), "one number occurs too often"),
    ]


def _repeated_numbers(drawn: list[torch.Tensor], cell: float) -> list[Statistic]:
    """Numbers that come again in another call: in place, or anywhere."""
    total = drawn[0].numel()
    if total == 0 or len(drawn) < 2:
        return []
    same = [(one == two) for one, two in itertools.combinations(drawn, 2)]
    tests = [
        Statistic(
            rare_events(int(equal.sum()), total, cell),
            "two calls give the same numbers at the same places",
        )
        for equal in same
    ]
    stuck = bool(torch.stack([one == drawn[0] for one in drawn]).all(0).any())
    surprise = -(len(drawn) - 1) * math.log(cell) - math.log(total) if stuck else 0.0
    tests.append(Statistic(surprise, "a position has the same number in every call"))
    pool = _sort_values(torch.cat([one[:LONGEST] for one in drawn]))
    repeats = pool.numel() - torch.unique_consecutive(pool).numel()
    tests.append(
        Statistic(duplicates(repeats, pool.numel(), cell), "calls share too many of their numbers")
    )
    return tests


def _bit(unit: torch.Tensor, bit: int) -> torch.Tensor:
    """The first bit after the point is 1."""
    return (unit * 2.0**bit).long() % 2 == 1


def mask_statistics(
    masks: list[torch.Tensor], known: torch.Tensor, shape: torch.Size, rate: float
) -> list[Statistic]:
    """Rates, then independence within a call and between calls."""
    tests = rate_statistics(masks, known, shape, rate, "keep rate")
    calls = [Coins.of(mask, known, rate) for mask in masks]
    return fetch_statistics(tests + lag_statistics(calls) + block_statistics(calls, shape))


def _zero_or_kept(
    got: torch.Tensor, kept: torch.Tensor, budget: torch.Tensor, rate: float
) -> torch.Tensor:
    """How wrong each element is; exact zeros are right unless nothing may be dropped."""
    if rate == 0.0:
        return torch.where(got == 0, 0.0, INF).double()
    ratio = multiples(got, kept, budget)
    return ratio if rate == 1.0 else torch.where(got == 0, 0.0, ratio)


def _copies_differ(evidence: Evidence) -> str:
    """A written argument (`out=`) must hold what was returned."""
    for outputs in evidence.outputs:
        if any(not torch.equal(outputs[0], other) for other in outputs[1:]):
            return "what was written differs from what was returned"
    return ""


def _count(bad: torch.Tensor, what: str) -> str:
    return f"{int(bad.sum())} of {bad.numel()} elements are {what}"


def _by_surprise(tests: list[Statistic]) -> Verdict:
    worst, detail = most_surprising(tests)
    return Verdict(ok=True, worst=worst) if worst <= 1.0 else _wrong(worst, detail)


def _wrong(worst: float, detail: str) -> Verdict:
    return Verdict(ok=False, worst=worst, detail=detail)
