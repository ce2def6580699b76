"""What is recorded of a submission while its kernels are interpreted."""

from __future__ import annotations

import random
from typing import Any, Literal, NamedTuple

import numpy as np

from .binary_needs import GUESS, Needs

__all__ = ["Order", "Watch"]

Order = Literal["shuffled", "reversed", "in_order"]

_RACES_LIMIT = 20


class Mark(NamedTuple):
    """A point in a call."""

    launches: int
    bytes_loaded: int
    bytes_stored: int
    failures: int


class Watch:
    """Collects launches, bytes moved, races and flags of one call; the seed fixes all draws."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.tuning = random.Random(seed)
        """Draws the configuration of an autotuned kernel."""
        self.memory: Any = None
        """Is called before and after a launch with the tensors that it was given."""
        self.needs: dict[str, Needs] = {}
        """Of binaries that were compiled elsewhere, by the key of a launch."""
        self.begin_call()

    def begin_call(
        self, *, order: Order = "shuffled", ablate: bool = False, zeros: bool = False
    ) -> None:
        """Forget everything recorded; `ablate` records launches and executes none.

        `zeros`: what lanes hold that are masked off without `other`, instead of poison.
        """
        self.zeros = zeros
        self.undefined_loads: set[tuple[str, int]] = set()
        """Kernel and line of loads that left such lanes undefined."""
        self.order: Order = order
        self.ablate = ablate
        self.launches: list[dict[str, Any]] = []
        self.failures: list[dict[str, Any]] = []
        """Launches that raised, whatever the wrapper did with the error."""
        self.bytes_loaded = 0
        self.bytes_stored = 0
        self.races: list[dict[str, Any]] = []
        self.flags: set[str] = set()
        self.guessed: set[str] = set()
        """Kernels whose needs the wrapper read while they were unknown."""
        self.ordered_by_atomics: set[str] = set()
        """Kernels whose programs would race, had atomics not ordered them."""
        self._launched = 0

    def needs_of(self, kernel: str, key: str) -> Needs:
        """What a binary needs, for a wrapper that reads it."""
        if key not in self.needs:
            self.guessed.add(kernel)
        return self.needs.get(key, GUESS)

    def permutation(self, programs: int) -> list[int]:
        """Order in which the programs of the next launch run."""
        self._launched += 1
        if self.order == "reversed":
            return list(range(programs - 1, -1, -1))
        if self.order == "in_order":
            return list(range(programs))
        generator = np.random.default_rng([self.seed & (2**63 - 1), self._launched])
        return [int(i) for i in generator.permutation(programs)]

    def has_enough_races(self) -> bool:
        """Whether further races would not be kept anyway."""
        return len(self.races) >= _RACES_LIMIT

    def report_race(self, race: dict[str, Any]) -> None:
        """Keep a race unless the same one is known already."""
        if not self.has_enough_races() and race not in self.races:
            self.races.append(race)

    def mark(self) -> Mark:
        """How much was recorded so far."""
        return Mark(len(self.launches), self.bytes_loaded, self.bytes_stored, len(self.failures))

    def forget_since(self, mark: Mark) -> None:
        """Forget launches that were only a trial: they ran, but do not count."""
        del self.launches[mark.launches :]
        del self.failures[mark.failures :]
        self.bytes_loaded, self.bytes_stored = mark.bytes_loaded, mark.bytes_stored
