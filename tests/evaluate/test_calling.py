"""Calls on a card: what others may have caused is tried again alone, what a sick card did is
nobody's."""

from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken
from kernelbenchx.evaluate import calling, card_health
from kernelbenchx.evaluate.calling import Calling
from kernelbenchx.evaluate.calls import slots
from kernelbenchx.evaluate.card_health import Memory
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.gate import Gate
from kernelbenchx.evaluate.workers import Run
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.exchange import Report, WorkerError

TAKEN = "CUDA out of memory. Process 4711 has 138 GiB memory in use."
ADDRESS = "CUDA error: an illegal memory access was encountered"
PLENTY, LITTLE = Memory(100 << 30, 139 << 30), Memory(1 << 30, 139 << 30)
LOST = Run(Ending(lost=True, fault="this far"), Report())


class Card:
    """A gate, and an account of who was there when."""

    def __init__(self, *, memory: Memory | None = PLENTY) -> None:
        self.gate, self.crews = Gate(4, 1), Crews(4)
        self.memory = memory
        self.seen: list[str] = []

    def looked_at(self, _workers: object, _card: object) -> Memory:
        self.seen.append(f"asked {self._state()}")
        if self.memory is None:
            raise EvaluatorFault("the card does not work")
        return self.memory

    def called(self) -> None:
        self.seen.append(f"called {self._state()}")

    def _state(self) -> str:
        alone = " with nobody waiting" if self.crews._alone else ""
        return ("alone" if self.gate._owned else "beside others") + alone


def _failing(kind: str, message: str) -> Run:
    report = Report(entry="relu", done=True, errors=[WorkerError("call", None, kind, message, 7)])
    return Run(Ending(exit_code=0), report)


def _calling(card: Card, monkeypatch: pytest.MonkeyPatch, *runs: Run) -> Calling:
    left = iter(runs)

    def run(_plan: object, _wall_s: float) -> Run:
        card.called()
        return next(left)

    monkeypatch.setattr(card_health, "look_at", card.looked_at)
    monkeypatch.setattr(calling, "look_at", card.looked_at)
    workers: Any = SimpleNamespace(run=run, settings=SimpleNamespace(wall_s=1.0))
    plan: Any = None
    return Calling(workers, plan, slots("activation/relu", 1, 1), lambda _stage: None)


def test_what_went_well_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    card: Any = Card()
    _calling(card, monkeypatch, LOST).on(card, card.crews)
    assert card.seen == ["called beside others"]


def test_an_error_of_its_own_kernels_is_its_own_where_the_card_still_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card: Any = Card()
    run = _failing("AcceleratorError", ADDRESS)
    _, failed = _calling(card, monkeypatch, run).on(card, card.crews)
    assert isinstance(failed, Broken) and ADDRESS in failed.detail
    assert card.seen == ["called beside others", "asked beside others"], "and it is not tried again"


@pytest.mark.parametrize("message", [ADDRESS, TAKEN])
def test_on_a_card_that_does_not_work_nobody_is_broken(
    monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    card: Any = Card(memory=None)
    with pytest.raises(EvaluatorFault):
        _calling(card, monkeypatch, _failing("AcceleratorError", message)).on(card, card.crews)
    with card.gate.owned(), card.crews.alone():
        pass  # and it is given back


@pytest.mark.parametrize(
    ("memory", "where"), [(PLENTY, "alone"), (LITTLE, "alone with nobody waiting")]
)
def test_for_want_of_memory_it_is_called_again_with_the_card_to_itself(
    monkeypatch: pytest.MonkeyPatch, memory: Memory, where: str
) -> None:
    card: Any = Card(memory=memory)
    runs = _failing("OutOfMemoryError", TAKEN), LOST
    run, _ = _calling(card, monkeypatch, *runs).on(card, card.crews)
    assert run is LOST, "what happened beside others does not count"
    first = ["asked alone"] if memory is LITTLE else []
    assert card.seen == ["called beside others", *first, f"asked {where}", f"called {where}"]


def test_where_nobody_can_begin_for_want_of_memory_the_others_have_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Full(Card):
        def looked_at(self, workers: object, card: object) -> Memory:
            self.memory = PLENTY if self.crews._alone else None
            return super().looked_at(workers, card)

    for first in (_failing("OutOfMemoryError", TAKEN), _failing("AcceleratorError", ADDRESS)):
        card: Any = Full()
        run, _ = _calling(card, monkeypatch, first, LOST).on(card, card.crews)
        assert run is LOST, "what happened where we could not begin does not count"
        where = "alone with nobody waiting"
        assert card.seen[-2:] == [f"asked {where}", f"called {where}"]


def test_who_wants_too_much_memory_also_alone_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    card: Any = Card()
    run = _failing("OutOfMemoryError", TAKEN)
    _, failed = _calling(card, monkeypatch, run, run).on(card, card.crews)
    assert isinstance(failed, Broken) and TAKEN in failed.detail
