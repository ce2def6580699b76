"""Correlation of coins: at every lag, at every xor of positions, between any two blocks.

A coin x is what was drawn minus its rate, 0 where nothing is known. Let K be the logarithm of its
moment generating function. If every x_j is drawn independently of the x_i it is multiplied with
and of all pairs before, exp(t * sum x_i x_j - sum K(t x_i)) has mean at most 1 for every t that is
fixed in advance. So the exponent is a surprise (Markov), for every rate and every sample size.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from kernelbenchx.spec.tail_bounds import Family

FEWEST_PAIRS = 32
"""Fewer pairs can never be surprising enough."""

LONGEST = 2**20
"""Coins looked at: a repetition that starts later has begun before."""

MOST_BLOCKS = 4096
"""Blocks of a call that are compared with each other."""

_AIM = 40.0
"""The surprise at which the choice of t is best; any number would be valid."""

_CANDIDATES = 64
"""The largest correlations of a family; whatever is left out could only lower a surprise."""


@dataclass(frozen=True)
class Coins:
    """Drawn with probability `rate` each; the first `LONGEST`, in flat order."""

    ones: torch.Tensor
    """float64: 1 where the coin is known and was drawn."""
    known: torch.Tensor
    """float64: 1 where the coin is known."""
    rate: float

    @classmethod
    def of(cls, drawn: torch.Tensor, known: torch.Tensor, rate: float) -> "Coins":
        """From flat booleans."""
        seen = known[:LONGEST]
        return cls((drawn[:LONGEST] & seen).double(), seen.double(), rate)

    @property
    def count(self) -> int:
        """How many there are, known or not."""
        return self.ones.numel()

    @cached_property
    def centred(self) -> torch.Tensor:
        """Mean zero, and zero where unknown."""
        return self.ones - self.rate * self.known

    @cached_property
    def spectrum(self) -> torch.Tensor:
        """Padded, so that no lag wraps around; a power of two, which every FFT can do."""
        spectrum: torch.Tensor = torch.fft.rfft(self.centred, 2 * _power_of_two(self.count))
        return spectrum

    @cached_property
    def walsh(self) -> torch.Tensor:
        """The transform whose square is the correlation by xor."""
        return _walsh(_pad_to_power_of_two(self.centred))

    def blocks(self, width: int) -> "Coins":
        """Rows of consecutive coins."""
        whole = min(self.count // width, MOST_BLOCKS)
        return self._cut(lambda x: x[: whole * width].view(whole, width))

    def columns(self, width: int) -> "Coins":
        """Every `width`-th coin, as rows."""
        whole = self.count // width
        return self._cut(lambda x: x[: whole * width].view(whole, width)[:, :MOST_BLOCKS].mT)

    def _cut(self, cut: Callable[[torch.Tensor], torch.Tensor]) -> "Coins":
        return Coins(cut(self.ones).contiguous(), cut(self.known).contiguous(), self.rate)


@dataclass(frozen=True)
class Pairs:
    """Sums over pairs of coins, one for each way to pair them."""

    sums: torch.Tensor
    ones: torch.Tensor
    """How many of the first coins of these pairs were drawn."""
    known: torch.Tensor
    """How many of the first coins are known."""
    rate: float

    def family(self, detail: Callable[[int], str]) -> Family:
        """The most surprising of all ways; `detail` is told which it is."""
        count = self.sums.numel()
        spread = (self.known.clamp(min=1.0)).sqrt() * self.rate * (1 - self.rate)
        far = (self.sums.abs() / spread).flatten().topk(min(_CANDIDATES, count)).indices
        where = torch.unravel_index(far, self.sums.shape)
        parts = (x.expand(self.sums.shape)[where] for x in (self.sums, self.ones, self.known))
        found = self._surprises(*parts)
        best = found.argmax()
        return Family(found[best] - math.log(count), far[best], detail)

    def _surprises(
        self, sums: torch.Tensor, ones: torch.Tensor, known: torch.Tensor
    ) -> torch.Tensor:
        """Two choices of t, for many pairs and for rare coins, and both signs: four tests."""
        drawn = 1 - self.rate
        zeros, variance = known - ones, (self.rate * (1 - self.rate)) ** 2
        many = (2 * _AIM / (known.clamp(min=1.0) * variance)).sqrt()
        rare = torch.full_like(many, -math.log(min(self.rate, 1 - self.rate)))
        found = [
            t * sums - ones * self._growth(t * drawn) - zeros * self._growth(t * (drawn - 1))
            for t in (many, -many, rare, -rare)
        ]
        return torch.stack(found).amax(0) - math.log(len(found))

    def _growth(self, u: torch.Tensor) -> torch.Tensor:
        """Logarithm of the mean of exp(u x) for one coin x."""
        up = math.log(self.rate) + u * (1 - self.rate)
        down = math.log1p(-self.rate) - u * self.rate
        return torch.logaddexp(up, down)


def lags_within(coins: Coins) -> Pairs:
    """Way k pairs each coin with the one k + 1 further on."""
    most = max(coins.count - FEWEST_PAIRS, 0)
    sums = _correlation(coins, coins)[1 : most + 1]
    return Pairs(sums, *_first(coins, most), coins.rate)


def lags_between(one: Coins, two: Coins) -> tuple[Pairs, Pairs]:
    """Coins of one call with those of another: way k is k places further on, or k + 1 before."""
    count = one.count
    most = max(count - FEWEST_PAIRS, 0)
    sums = _correlation(one, two)
    ahead = Pairs(sums[: most + 1], *_first(one, most, start=0), one.rate)
    behind = Pairs(sums.flip(0)[:most], *_first(two, most), two.rate)
    return ahead, behind


def xors_within(coins: Coins) -> Pairs:
    """Way k pairs the coins at i and i ^ (k + 1)."""
    size = coins.walsh.numel()
    sums = _walsh(coins.walsh.square())[1:] / (2 * size)  # each pair came twice
    ones, known = (_lower_of_each_pair(_pad_to_power_of_two(x)) for x in (coins.ones, coins.known))
    return Pairs(sums, ones, known, coins.rate)


def xors_between(one: Coins, two: Coins) -> Pairs:
    """Way k pairs coin i of one call with coin i ^ k of the other."""
    sums = _walsh(one.walsh * two.walsh) / one.walsh.numel()
    return Pairs(sums, one.ones.sum(), one.known.sum(), one.rate)


def blocks_within(rows: Coins) -> Pairs:
    """Any row of one call with any later one; the other half of the square is empty."""
    whole = blocks_between(rows, rows)
    return replace(whole, sums=whole.sums.triu_(1))


def blocks_between(one: Coins, two: Coins) -> Pairs:
    """Any row of one call with any of another."""
    sums = one.centred @ two.centred.mT
    return Pairs(sums, one.ones.sum(1)[:, None], one.known.sum(1)[:, None], one.rate)


def _correlation(one: Coins, two: Coins) -> torch.Tensor:
    """Element k is the sum of one[i] * two[i + k]; negative k count from the end."""
    product = one.spectrum.conj() * two.spectrum
    sums: torch.Tensor = torch.fft.irfft(product, 2 * _power_of_two(one.count))
    return sums


def _first(coins: Coins, most: int, start: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    """Drawn and known coins among the first n - k, for k from `start` to `most`."""
    last = coins.count - 1
    ends = torch.arange(last - start, last - most - 1, -1, device=coins.ones.device)
    return coins.ones.cumsum(0)[ends], coins.known.cumsum(0)[ends]


def _lower_of_each_pair(x: torch.Tensor) -> torch.Tensor:
    """For each xor from 1 on: the sum over positions without its highest bit."""
    bits = range(x.numel().bit_length() - 1)
    return torch.cat([x.view(-1, 2, 1 << b)[:, 0].sum().expand(1 << b) for b in bits])


def _pad_to_power_of_two(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.pad(x, (0, _power_of_two(x.numel()) - x.numel()))


def _power_of_two(count: int) -> int:
    return 1 << max(count - 1, 0).bit_length()


def _walsh(x: torch.Tensor) -> torch.Tensor:
    """Walsh-Hadamard transform of a power of two of numbers."""
    step = 1
    while step < x.numel():
        low, high = x.view(-1, 2, step).unbind(1)
        x = torch.stack((low + high, low - high), 1).flatten()
        step *= 2
    return x
