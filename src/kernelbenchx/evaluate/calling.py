"""The calls of a plan on a card: beside others, and again alone where they may be why it failed."""

from collections.abc import Callable
from dataclasses import dataclass

from kernelbenchx.core.outcome import Outcome
from kernelbenchx.evaluate.calls import Slot
from kernelbenchx.evaluate.card_health import (
    is_crowded,
    is_doubtful,
    look_at,
    may_be_others,
    works,
)
from kernelbenchx.evaluate.cards import CardSlot
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.stages import call_outcome
from kernelbenchx.evaluate.workers import Run, Workers
from kernelbenchx.runner.exchange import Plan

Called = tuple[Run, Outcome | None]
"""What a worker wrote, and what went wrong if something did."""


@dataclass(frozen=True)
class Calling:
    """Makes the calls of one submission."""

    workers: Workers
    plan: Plan
    planned: tuple[Slot, ...]
    tell: Callable[[str], None]

    def at_once(self) -> Called:
        """Whoever asks for it sees to who else may use a card."""
        self.tell("calling")
        run = self.workers.run(self.plan, self.workers.settings.wall_s)
        return run, call_outcome(run, self.planned)

    def on(self, card: CardSlot, crews: Crews) -> Called:
        """On a card that works, or it is a fault of ours."""
        self.tell("waiting")
        with card.gate.shared():
            run, failed = self.at_once()
            others = may_be_others(failed)
            sound = others or not is_doubtful(failed) or works(self.workers, card)
        if others:
            return self._again(card, crews)
        return (run, failed) if sound else self._alone(card, crews)

    def _again(self, card: CardSlot, crews: Crews) -> Called:
        """With the card to itself, and with its memory where those who wait hold most of it."""
        self.tell("waiting")
        with card.gate.owned():
            if not is_crowded(self.workers, card):
                return self.at_once()
        return self._alone(card, crews)

    def _alone(self, card: CardSlot, crews: Crews) -> Called:
        self.tell("waiting")
        with crews.alone(), card.gate.owned():
            look_at(self.workers, card)
            return self.at_once()
