"""Makes the calls of a plan: again without the one that ended its process, and on a card again
alone where others may be why it failed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kernelbenchx.core.seeds import derived
from kernelbenchx.evaluate.call_results import CallResults, results_of
from kernelbenchx.evaluate.calls import Slot, calls_without, shuffled
from kernelbenchx.evaluate.card_health import (
    is_crowded,
    is_doubtful,
    look_at,
    may_be_others,
    works,
)
from kernelbenchx.evaluate.cards import CardSlot
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.time_limits import CallLimit
from kernelbenchx.evaluate.turns import PutOff, Turn
from kernelbenchx.evaluate.workers import Run, Workers
from kernelbenchx.runner.exchange import Plan


@dataclass(frozen=True)
class Calling:
    """Makes the calls of one submission."""

    workers: Workers
    plan: Plan
    planned: tuple[Slot, ...]
    tell: Callable[[str], None]
    secret: int = 0
    """Draws the order of calls in a second process."""
    limit: CallLimit | None = None
    """Where each call has a limit of its own."""
    turn: Turn | None = None
    """Where the submission may have to give way to others."""
    task: str = ""

    def run(self, plan: Plan) -> Run:
        """Calls of this submission within its time limit."""
        if self.limit is not None:
            return self.limit.run(self.workers, plan)
        return self.workers.run(plan, self.workers.settings.wall_s)

    def at_once(self) -> CallResults:
        """The caller decides what else may use the GPU.

        After a process that ended in a call, a fresh one makes all others, in another order. A
        second such ending is the last: calls without an answer by then were not reached.
        """
        self.tell("calling")
        results = self._first_process()
        if results.fatal is None:
            return results
        numbers = calls_without(self.planned, results.fatal)
        numbers = shuffled(self.planned, numbers, derived(self.secret, "second process"))
        run = self.run(_reordered(self.plan, numbers))
        later = results_of(run, [self.planned[number] for number in numbers])
        return results.followed_by(later, numbers)

    def _first_process(self) -> CallResults:
        """What the time limit ended goes on with its other calls only when no submission waits."""
        if self.turn is not None and self._name in self.turn.results:
            return self.turn.results[self._name]
        run = self.run(self.plan)
        results = results_of(run, self.planned)
        if self.turn is not None and results.fatal is not None and run.ending.timed_out:
            self.turn.results[self._name] = results
            if self.turn.others_wait:
                raise PutOff
        return results

    @property
    def _name(self) -> str:
        """A submission may make its calls several times, each with other facts to go by."""
        zeros = all(one.zeros for one in self.plan.calls)
        return f"{self.task} {zeros} {bool(self.plan.binaries)}"

    def on(self, card: CardSlot, crews: Crews) -> CallResults:
        """On a card that works, or it is a fault of ours."""
        self.tell("waiting")
        with card.gate.shared():
            results = self.at_once()
            failed = list(results.every_failure())
            others = any(map(may_be_others, failed))
            sound = others or not any(map(is_doubtful, failed)) or works(self.workers, card)
        if others:
            return self._again(card, crews)
        return results if sound else self._alone(card, crews)

    def _again(self, card: CardSlot, crews: Crews) -> CallResults:
        """With the card to itself, and with its memory where those who wait hold most of it."""
        self.tell("waiting")
        with card.gate.owned():
            if not is_crowded(self.workers, card):
                return self.at_once()
        return self._alone(card, crews)

    def _alone(self, card: CardSlot, crews: Crews) -> CallResults:
        self.tell("waiting")
        with crews.alone(), card.gate.owned():
            look_at(self.workers, card)
            return self.at_once()


def _reordered(plan: Plan, numbers: Sequence[int]) -> Plan:
    """These calls in this order; chances inside a call are drawn anew, too."""
    place: dict[int | None, int] = {number: at for at, number in enumerate(numbers)}
    kept = (plan.calls[number] for number in numbers)
    calls = [replace(one, reuses=place.get(one.reuses)) for one in kept]
    return replace(plan, calls=tuple(calls), seed=derived(plan.seed, "second process") % (1 << 31))
