"""Distribution: random answers are judged by their law, never by one stream of numbers.

False alarms: each case splits `chance.CASE_ALPHA` evenly over its tests, every one of which is a
proven bound. What is never left to chance (support, exact zeros, kept values) is exact.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from kernelbenchx.spec.applied import applied
from kernelbenchx.spec.call import Call, GeneratorSeed
from kernelbenchx.spec.chance import (
    Statistic,
    binomial,
    duplicates,
    kolmogorov,
    most_surprising,
    multiplicity,
)
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.elements import INF, multiples, verdict
from kernelbenchx.spec.independence import between, within

RESOLUTION = 2.0**-23
"""The coarsest honest sampler: the bits of a float32 mantissa."""

SEGMENTS = 8
"""Parts of a tensor whose keep rate is tested apart."""


@dataclass(frozen=True)
class Uniform:
    """Independent numbers, uniform on [low, high), with at least 23 random bits.

    Called three times: with a seed, with another, and with the first again. Needs one case of at
    least 32,768 elements; small tensors are judged by their support alone.
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
        seeded = has_generator(evidence.call)
        broken = _copies_differ(evidence) or (seeded and len(drawn) > 2 and _differ(drawn))
        if broken:
            return _wrong(INF, broken)
        return _by_surprise(self._tests(drawn[:2] if seeded else drawn))

    def _tests(self, drawn: list[torch.Tensor]) -> list[Statistic]:
        shape = drawn[0].shape
        cell = self._cell(drawn[0].dtype)
        units = [self._unit(x).flatten() for x in drawn]
        tests = [test for x in drawn for test in _law(self._unit(_ordered(x)), cell)]
        known = torch.ones_like(units[0], dtype=torch.bool)
        for scale in (2, 4):  # the first and the second bit
            coins = (units[0] * scale).long() % 2 == 0
            tests += within(coins, known, shape, 0.5)
        halves = [unit < 0.5 for unit in units]
        for one in range(len(halves)):
            for two in range(one):
                tests += between(halves[one], halves[two], known, shape, 0.5)
        return tests

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
    Needs one case of at least 20,000 elements to reject a keep rate that is off by 0.05 or a mask
    that is repeated; smaller ones are judged by their values.
    """

    keep: Callable[..., float]
    given: Callable[..., torch.Tensor]
    close: Close
    calls: int = 2

    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """Values exactly; rate and independence by surprise."""
        call = evidence.call
        rate = float(applied(self.keep, call.copy().concrete()))
        kept = applied(self.given, call.widened().concrete())
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


def _ordered(values: torch.Tensor) -> torch.Tensor:
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


def mask_statistics(
    masks: list[torch.Tensor], known: torch.Tensor, shape: torch.Size, rate: float
) -> list[Statistic]:
    """Rate, rate of parts, independence within a call and between calls."""
    tests: list[Statistic] = []
    for mask in masks:
        tests.append(_rate(mask, known, rate, "the keep rate is not the one asked for"))
        segments = zip(mask.chunk(SEGMENTS), known.chunk(SEGMENTS), strict=True)
        for part, seen in segments:
            tests.append(_rate(part, seen, rate, "a part of the tensor has another keep rate"))
        tests += within(mask, known, shape, rate)
    for one in range(len(masks)):
        for two in range(one):
            tests += between(masks[one], masks[two], known, shape, rate)
    return tests


def _rate(mask: torch.Tensor, known: torch.Tensor, rate: float, detail: str) -> Statistic:
    return Statistic(binomial(int((mask & known).sum()), int(known.sum()), rate), detail)


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


def _differ(drawn: list[torch.Tensor]) -> str:
    return "" if torch.equal(drawn[0], drawn[2]) else "the same seed gives other numbers"


def _count(bad: torch.Tensor, what: str) -> str:
    return f"{int(bad.sum())} of {bad.numel()} elements are {what}"


def _by_surprise(tests: list[Statistic]) -> Verdict:
    worst, detail = most_surprising(tests)
    return Verdict(ok=True, worst=worst) if worst <= 1.0 else _wrong(worst, detail)


def _wrong(worst: float, detail: str) -> Verdict:
    return Verdict(ok=False, worst=worst, detail=detail)
