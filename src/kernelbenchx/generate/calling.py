"""A request, tried until it is answered, or until patience, budget or the run ends."""

import itertools
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from kernelbenchx.core.transcript import Reply, Request, Usage
from kernelbenchx.generate.budget import Budget, worst
from kernelbenchx.generate.flight import Flight
from kernelbenchx.generate.model import Step, Stopped
from kernelbenchx.generate.retrying import Patience, Trouble

NOTHING = Usage(prompt=0, completion=0)


@dataclass(frozen=True)
class _Tried:
    """What came of one try, and how long it took; waiting for a slot is not in it."""

    came: Reply | Trouble
    seconds: float


@dataclass
class Caller:
    """Keeps the limits that all requests of a run share."""

    flight: Flight
    budget: Budget
    patience: Patience
    stop: threading.Event
    chance: random.Random = field(default_factory=random.Random)
    told: Callable[[str], None] = lambda _: None
    """Hears why a request is tried again: the waits between tries can be long."""

    def call(self, request: Request, step: Step, once: Callable[[], Reply]) -> Reply:
        """What `once` says in the end; raises `Stopped` and nothing else.

        The usage is that of all tries: one whose fate is unknown, since nothing usable arrived,
        counts with its worst case, for the server may have charged it.
        """
        lost, past_s = NOTHING, 0.0
        failed = {True: 0, False: 0}
        for tries in itertools.count(1):
            tried = self._tried(request, step, once)
            past_s += tried.seconds
            if isinstance(tried.came, Reply):
                return msgspec.structs.replace(
                    tried.came,
                    usage=_sum(tried.came.usage, lost),
                    tries=tries,
                    seconds=tried.seconds,
                )
            trouble = tried.came
            failed[trouble.busy] += 1
            if trouble.billed:
                lost = _sum(lost, worst(request))
            wait_s = self.patience.wait_s(
                trouble, failed=failed[trouble.busy], past_s=past_s, chance=self.chance
            )
            if wait_s is None:
                return _unanswered(request, trouble, lost, tries, past_s)
            self.told(f"{trouble}; trying again")
            self._wait(wait_s, trouble)
            past_s += wait_s
        raise AssertionError("there is always another number")

    def _tried(self, request: Request, step: Step, once: Callable[[], Reply]) -> "_Tried":
        bound = worst(request)
        with self.flight.slot():
            held = self.budget.hold(bound, step)
            used: Usage | None = bound
            began = time.monotonic()
            came: Reply | Trouble
            try:
                came = reply = once()
                used = reply.usage
            except Trouble as trouble:
                came = trouble
                used = bound if trouble.billed else None
            finally:
                self.budget.settle(held, used)
            return _Tried(came, time.monotonic() - began)

    def _wait(self, wait_s: float, trouble: Trouble) -> None:
        if trouble.busy and trouble.wait_s is not None:
            self.flight.calm(min(trouble.wait_s, self.patience.longest_s))
        if self.stop.wait(wait_s):
            raise Stopped


def _unanswered(
    request: Request, trouble: Trouble, lost: Usage, tries: int, seconds: float
) -> Reply:
    often = f" (tried {tries} times in {seconds:.0f} s)" if tries > 1 else ""
    return Reply(
        text="",
        finish=trouble.finish,
        usage=lost,
        model=request.model,
        detail=f"{trouble}{often}",
        tries=tries,
        seconds=seconds,
    )


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt=one.prompt + other.prompt,
        completion=one.completion + other.completion,
        cached=one.cached + other.cached,
        estimated=one.estimated or other.estimated,
    )
