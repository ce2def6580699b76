"""Binomial: factors times independent binomial numbers, judged by their law.

A number k of Binomial(n, p) becomes u = P(K < k) + v P(K = k) with v uniform, drawn by the judge.
Under the law u is uniform whatever n and p are, so one test fits elements with laws of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.correlation import LONGEST, Coins
from kernelbenchx.spec.element_comparison import INF, verdict
from kernelbenchx.spec.independence import block_statistics, lag_statistics
from kernelbenchx.spec.rate_statistics import rate_statistics
from kernelbenchx.spec.tail_bounds import Statistic, fetch_statistics, kolmogorov, most_surprising

RESOLUTION = 2.0**-16
"""How far an honest sampler's distribution function may be off: 100 sums rounded to float32, from a
number of 23 bits, are off by 2^-17 at most."""
FEW = 3
"""Trials, of which a normal distribution is no likeness."""
_SEED = 20_231
"""Of the numbers v: they need not be secret, as no answer is known when a kernel is written."""

Law = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


@dataclass(frozen=True)
class Binomial:
    """Each element is exactly a factor times a number of Binomial(n, p) of its own.

    `law(*args, **kwargs)`, on widened arguments, gives factors, n and p, broadcastable to the
    result. Needs one case of more than 65,536 elements, so that a period of 2^16 shows; small
    tensors are judged by their support alone.
    """

    law: Callable[..., Law]
    calls: int = 2

    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """Support exactly; law and independence by surprise."""
        given: Any = apply_function(self.law, evidence.call.widen().concrete())
        shape = evidence.native[0].shape
        factor, n, p = (one.double().expand(shape) for one in given)
        counts = []
        for outputs in evidence.outputs:
            if outputs[0].shape != shape:
                return Verdict(ok=False, worst=INF, detail="the output has another shape")
            found, bad = _counts(outputs[0].double(), factor, n, p)
            if bool(bad.any()):
                wrong = verdict([torch.where(bad, INF, 0.0)], outputs[:1], [factor * n * p])
                what = "not the factor times a number that can be drawn"
                return replace(
                    wrong, detail=f"{int(bad.sum())} of {bad.numel()} elements are {what}"
                )
            counts.append(found)
        known = ((factor != 0) & (n > 0) & (p > 0) & (p < 1)).flatten()
        if not bool(known.any()):
            return Verdict(ok=True, worst=0.0)
        units = [_uniform(k, n, p, number) for number, k in enumerate(counts)]
        law = "the numbers do not have the distribution asked for"
        tests = [
            Statistic(kolmogorov(u.sort().values, RESOLUTION), law)
            for u in (*(one[known] for one in units), *_strata(units, known, n, p))
        ]
        worst, detail = most_surprising(tests + _independence(units, known, shape))
        return Verdict(ok=worst <= 1.0, worst=worst, detail=detail if worst > 1.0 else "")


def _counts(
    got: torch.Tensor, factor: torch.Tensor, n: torch.Tensor, p: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """What was drawn, and where it cannot have been."""
    counts = torch.where(factor == 0, 0.0, got / factor).round()
    low, high = torch.where(p >= 1, n, 0.0), torch.where(p <= 0, 0.0, n)
    possible = (counts >= low) & (counts <= high)
    return counts, ~((counts * factor == got) & (possible | (factor == 0)))


def _uniform(k: torch.Tensor, n: torch.Tensor, p: torch.Tensor, call: int) -> torch.Tensor:
    """The number u of each element, flat; it means nothing where p is 0 or 1."""
    generator = torch.Generator(k.device).manual_seed(_SEED + call)
    v = torch.rand(k.shape, generator=generator, dtype=torch.float64, device=k.device)
    inside = p.clamp(1e-300, 1.0 - 2.0**-53)
    up, down, total = inside.log(), torch.log1p(-inside), torch.lgamma(n + 1)
    below = torch.zeros_like(k)
    here = torch.zeros_like(k)
    for i in range(int(k.max()) + 1 if k.numel() else 0):
        ways = total - torch.lgamma(torch.tensor(i + 1.0)).item() - torch.lgamma(n - i + 1)
        mass = torch.where(n >= i, torch.exp(ways + i * up + (n - i) * down), 0.0)
        below += torch.where(k > i, mass, 0.0)
        here = torch.where(k == i, mass, here)
    return (below + v * here).clamp(0.0, 1.0 - 2.0**-53).flatten()


def _strata(
    units: list[torch.Tensor], known: torch.Tensor, n: torch.Tensor, p: torch.Tensor
) -> Iterator[torch.Tensor]:
    """Of all calls, those of few and of many trials: what is wrong with few is lost among many.

    What is too seldom for p is too often for 1 - p: turned around, both say the same.
    """
    small = p.flatten() < 0.5
    turned = [torch.where(small, u, 1.0 - u) for u in units]
    for some in (known & (n.flatten() <= FEW), known & (n.flatten() > FEW)):
        yield torch.cat([u[some] for u in turned])


def _independence(
    units: list[torch.Tensor], known: torch.Tensor, shape: torch.Size
) -> list[Statistic]:
    """Rates at every place, then independence within a call and between calls."""
    begun = known[:LONGEST]
    halves, quarters = ([(u[:LONGEST] * 2**bit).long() % 2 == 1 for u in units] for bit in (1, 2))
    coins = [Coins.of(one, begun, 0.5) for one in halves]
    rate = "rate of numbers above the median"
    return fetch_statistics(
        rate_statistics(halves, begun, shape, 0.5, rate)
        + rate_statistics(quarters, begun, shape, 0.5, "rate of numbers in a quarter")
        + lag_statistics(coins)
        + block_statistics(coins, shape)
    )
