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
from kernelbenchx.generate.in_flight import Flight
from kernelbenchx.generate.model import MethodStep, Stopped
from kernelbenchx.generate.retry_policy import RetryPolicy, Trouble, Unreached

NOTHING = Usage(prompt=0, completion=0)


@dataclass(frozen=True)
class _TryResult:
    """What came of one try, and how long it took; waiting for a slot is not in it."""

    came: Reply | Trouble
    seconds: float


@dataclass
class Caller:
    """Keeps the limits that all requests of a run share."""

    flight: Flight
    budget: Budget
    patience: RetryPolicy
    stop: threading.Event
    chance: random.Random = field(default_factory=random.Random)
    told: Callable[[str], None] = lambda _: None
    """Called with the reason when a request is tried again: the waits can be long."""
    _reached: bool = False
    """Whether the server answered at all since the run was started."""
    _in_vain: Trouble | None = None
    """Why no request is sent any more: the server could not be reached in time."""

    def call(self, request: Request, step: MethodStep, once: Callable[[], Reply]) -> Reply:
        """The final reply of `once`; raises `Stopped` and nothing else.

        The usage is that of all tries: one whose fate is unknown, since nothing usable arrived,
        counts with its worst case, for the server may have charged it.
        """
        lost, past_s = NOTHING, 0.0
        failed = {True: 0, False: 0}
        for tries in itertools.count(1):
            tried = self._try_once(request, step, once)
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
            wait_s = self._patient_s(trouble, failed[trouble.busy], past_s)
            if wait_s is None:
                return _make_error_reply(request, trouble, lost, tries, past_s)
            self.told(f"{trouble}; trying again")
            self._wait(wait_s, trouble)
            past_s += wait_s
        raise AssertionError("there is always another number")

    def _try_once(
        self, request: Request, step: MethodStep, once: Callable[[], Reply]
    ) -> "_TryResult":
        bound = worst(request)
        with self.flight.slot():
            if self._in_vain is not None:
                return _TryResult(self._in_vain, 0.0)
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
            if not isinstance(came, Unreached):
                self._reached, self._in_vain = True, None
            return _TryResult(came, time.monotonic() - began)

    def _patient_s(self, trouble: Trouble, failed: int, past_s: float) -> float | None:
        """How long to wait before the next try; None: give up."""
        wait_s = self.patience.wait_s(trouble, failed=failed, past_s=past_s, chance=self.chance)
        if self._reached or not isinstance(trouble, Unreached) or wait_s is None:
            return wait_s
        if past_s + wait_s <= self.patience.reach_s:
            return wait_s
        self._in_vain = Trouble(str(trouble), again=False)
        return None

    def _wait(self, wait_s: float, trouble: Trouble) -> None:
        if trouble.busy and trouble.wait_s is not None:
            self.flight.calm(min(trouble.wait_s, self.patience.longest_s))
        if self.stop.wait(wait_s):
            raise Stopped


def _make_error_reply(
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
