"""Caps on tokens and money: the worst case is set aside before every try."""

import math
import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Request, Usage
from kernelbenchx.generate.model import MethodStep, OutOfBudget, Stopped
from kernelbenchx.generate.prices import Price

NOWHERE = MethodStep("", "")
LOOK_S = 0.5
"""How often a waiting thread checks whether the run was stopped."""
FRAME_TOKENS = 16
"""What a chat template puts around a message, at most."""
OPENING_TOKENS = 64
"""What it puts around a conversation, at most."""


@dataclass(frozen=True, kw_only=True)
class Caps:
    """What a run may spend; None is no cap."""

    tokens: int | None = None
    """Of prompts and replies together."""
    dollars: float | None = None


class Ledger(Protocol):
    """Stores tries under way beyond the end of the process: they may have been charged."""

    def record_send(self, usage: Usage, task: str, step: str) -> int:
        """A try that may take so much is about to be made there; a number for it.

        It counts as spent until the exchange of that step is kept, which tells what it took.
        """

    def free(self, number: int) -> None:
        """Drop the entry of a try that took nothing."""


@dataclass(frozen=True)
class Reservation:
    """What was set aside for one try."""

    tokens: int
    dollars: float


def worst(request: Request) -> Usage:
    """An upper bound of what one try can take: no tokenizer makes more tokens than bytes."""
    written = sum(len(one.content.encode("utf-8", "replace")) for one in request.messages)
    framed = FRAME_TOKENS * len(request.messages) + OPENING_TOKENS
    return Usage(prompt=written + framed, completion=request.max_tokens, estimated=True)


class Budget:
    """What was spent and what is set aside, shared by all threads of a run."""

    def __init__(self, caps: Caps, price: Price | None, stop: threading.Event) -> None:
        for cap in (caps.tokens, caps.dollars):
            if cap is not None and not (math.isfinite(cap) and cap > 0):
                raise BadInput(f"a cap must be above 0, not {cap}")
        if caps.dollars is not None and price is None:
            raise BadInput("a cap in dollars needs the model's price")
        self.caps = caps
        self.price = price
        self._stop = stop
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._spent = Reservation(0, 0.0)
        self._holds: dict[int, Reservation] = {}
        self._numbers: dict[int, int] = {}
        self.ledger: Ledger | None = None

    @property
    def tokens(self) -> int:
        """Spent so far."""
        return self._spent.tokens

    @property
    def dollars(self) -> float | None:
        """Spent so far; None where the price is not known."""
        return None if self.price is None else self._spent.dollars

    def cost(self, usage: Usage) -> float | None:
        """In dollars; None where the price is not known."""
        return None if self.price is None else self.price.cost(usage)

    def charge(self, usage: Usage) -> None:
        """Count what was spent elsewhere, such as in an earlier start of the run."""
        with self._changed:
            self._spend(usage)

    def hold(self, usage: Usage, step: MethodStep = NOWHERE) -> Reservation:
        """Set the worst case aside; waits while only what others hold is in the way.

        First come, first served: small requests do not overtake a large one for ever.
        """
        dollars = 0.0 if self.price is None else self.price.most(usage)
        held = self._hold(Reservation(usage.total, dollars))
        if self.ledger is not None:
            self._numbers[id(held)] = self.ledger.record_send(usage, step.task, step.path)
        return held

    def _hold(self, wanted: Reservation) -> Reservation:
        place = object()
        with self._changed:
            self._queue.append(place)
            try:
                while self._queue[0] is not place or not self._fits(wanted):
                    if self._stop.is_set():
                        raise Stopped
                    self._changed.wait(LOOK_S)
            finally:
                self._queue.remove(place)
                self._changed.notify_all()
            self._holds[id(wanted)] = wanted
            return wanted

    def settle(self, held: Reservation, usage: Usage | None) -> None:
        """Give back what was set aside and count what was used; None: nothing was.

        What was used stays in the ledger: this process may end before the exchange is stored.
        """
        with self._changed:
            del self._holds[id(held)]
            if usage is not None:
                self._spend(usage)
            self._changed.notify_all()
            number = self._numbers.pop(id(held), None)
        if self.ledger is not None and number is not None and usage is None:
            self.ledger.free(number)

    def _spend(self, usage: Usage) -> None:
        self._spent = _sum([self._spent, Reservation(usage.total, self.cost(usage) or 0.0)])

    def _fits(self, wanted: Reservation) -> bool:
        """Whether it fits now; raises where it never will."""
        taken = _sum([self._spent, *self._holds.values()])
        fits = True
        if self.caps.tokens is not None:
            if self._spent.tokens + wanted.tokens > self.caps.tokens:
                raise OutOfBudget(
                    f"the next request may take {wanted.tokens:,} tokens; "
                    f"{max(0, self.caps.tokens - self._spent.tokens):,} of "
                    f"{self.caps.tokens:,} are left"
                )
            fits = taken.tokens + wanted.tokens <= self.caps.tokens
        if self.caps.dollars is not None:
            if self._spent.dollars + wanted.dollars > self.caps.dollars:
                raise OutOfBudget(
                    f"the next request may cost ${wanted.dollars:.4f}; "
                    f"${max(0.0, self.caps.dollars - self._spent.dollars):.4f} of "
                    f"${self.caps.dollars:.2f} are left"
                )
            fits = fits and taken.dollars + wanted.dollars <= self.caps.dollars
        return fits


def _sum(parts: Iterable[Reservation]) -> Reservation:
    every = list(parts)
    return Reservation(sum(one.tokens for one in every), math.fsum(one.dollars for one in every))
