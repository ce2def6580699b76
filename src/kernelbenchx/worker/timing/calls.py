"""The calls of one case: bound to shared memory, made in each of the ways that are timed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..order import Arguments
from .clocks import Bound, CapturedCalls, DeviceClock
from .layout import Layout
from .outputs import KeptResult, Views, describe_result, put
from .program import Program
from .shared_memory import SharedMemory


@dataclass(frozen=True)
class Signs:
    """Callbacks that start calls timed from outside, and report their end."""

    begin: Callable[[], None]
    """Returns when the calls may start."""
    awake: Callable[[], None]
    """Reports that the device works for this process: from here on only calls take time."""
    called: Callable[[], None]
    """Reports that all calls have ended."""
    put: Callable[[], None] = lambda: None
    """Returns when their results may be put where the other side sees them."""
    done: Callable[[], None] = lambda: None
    """Reports that the results are there."""
    seed: Callable[[int], int] = lambda _call: 0
    """The random seed of one of the calls: known when they have begun."""


_MOST_PARTS = 128
"""At most so many are queued at once: more would run before the host has queued the next."""
NO_SIGNS = Signs(begin=lambda: None, awake=lambda: None, called=lambda: None)


class BoundCase:
    """The slots of one case, bound to the program."""

    def __init__(
        self,
        layout: Layout,
        exchange: SharedMemory,
        program: Program,
        clock: DeviceClock,
        device: torch.device,
    ) -> None:
        self._layout = layout
        self._program = program
        self._clock = clock
        self._device = device
        self.arguments = [
            layout.arguments(exchange.part, slot, device) for slot in range(layout.slots)
        ]
        self._rooms = [layout.room(exchange.part, slot) for slot in range(layout.slots)]
        self._views: Views = {}
        self._bound: list[Bound] = []
        self._captured: CapturedCalls | None = None
        self._kept: dict[int, KeptResult] = {}
        """The last result of each slot."""

    def seed(self, slot: int, seed: int) -> None:
        """Seed a random task for this call; `torch.manual_seed` takes far longer."""
        torch.default_generator.manual_seed(seed)
        if self._device.type == "cuda":
            torch.cuda.default_generators[self._device.index or 0].manual_seed(seed)
        for generator in _generators(self.arguments[slot]):
            generator.manual_seed(seed)

    def capture(self) -> dict[str, Any]:
        """One graph of all calls, where the calls allow it."""
        try:
            for call in self._calls():
                call()
            self._clock.synchronise()
            self._captured = self._clock.capture(self._calls())
        except Exception as error:  # noqa: BLE001 - libraries raise all kinds here
            self._captured = None
            return {"graph": False, "why": f"{type(error).__name__}: {error}"[:300]}
        return {"graph": True}

    def run(self, header: dict[str, Any], signs: Signs = NO_SIGNS) -> dict[str, Any]:
        """Calls in one of the ways that are timed."""
        how, seeds = str(header["how"]), header.get("seeds")
        first = range(self._layout.slots)[: header.get("count")]
        if how == "null":
            return self._in_the_open(first, (), signs)
        if how == "once":  # nothing is timed, and a second call would take as long
            self._keep([0], [self._calls()[0]()])
            self._clock.synchronise()
            return {"us": 0.0}
        if how == "graph" and self._captured is not None:
            _renew(self._calls())
            elapsed = self._clock.graph_us(self._captured)
            self._keep(range(self._layout.slots), self._captured.results)
            return {"us": elapsed}
        if how == "queued":
            calls = self._seed_calls(range(self._layout.slots), seeds)
            _renew(self._calls())
            queued = self._clock.time_queued(calls)
            self._keep(range(self._layout.slots), queued.results)
            return {"us": queued.us, "ahead": queued.ahead}
        if how in ("batch", "call"):
            calls = [self._calls()[slot] for slot in first]
            known = None if seeds is None else dict(zip(first, seeds, strict=True)).__getitem__
            seed = signs.seed if header.get("seeded") else known
            return self._in_the_open(first, calls, signs, seed, waiting=how == "call")
        raise ValueError(f"no way to run is called {how!r}")

    def parts(self) -> dict[str, Any]:
        """The time of each part of a call; empty where a call is not known by parts."""
        count = len(_parts(self._calls()[0]))
        if not 1 < count <= _MOST_PARTS:
            return {"us": []}
        calls = self._calls()[: max(1, _MOST_PARTS // count)]
        _renew(calls)
        return {"us": self._clock.parts_us([_parts(call) for call in calls])}

    def collect(self, slot: int) -> dict[str, Any]:
        """Put the current result of a slot into the shared memory, and describe it.

        A result may be put again: by then the judge has copied what it judges, and later changes
        only show a late write.
        """
        kept = self._kept[slot]
        self._put([slot])
        self._clock.synchronise()
        return describe_result(kept, self.arguments[slot])

    def close(self) -> None:
        """Forget the calls; the memory stays shared."""
        self._bound.clear()
        self._kept.clear()
        self._captured = None
        self.arguments.clear()
        self._rooms.clear()
        self._views.clear()

    def _in_the_open(
        self,
        slots: Sequence[int],
        calls: Sequence[Bound],
        signs: Signs,
        seed: Callable[[int], int] | None = None,
        *,
        waiting: bool = False,
    ) -> dict[str, Any]:
        """Make calls and put their results where the judge can see them before this returns.

        `waiting`: wait for each call's end before the next begins, as a caller that needs its
        result would. Without calls, do everything else: that is what the clock itself costs.
        """
        for call in calls[:1]:  # on the previous inputs: the first call after a pause is slow
            call()
        _renew([self._calls()[slot] for slot in slots] if calls else ())
        self._clock.synchronise()  # no earlier work of the harness runs while the inputs come
        signs.begin()
        self._clock.touch()
        signs.awake()
        started = time.perf_counter()
        for slot, call in zip(slots, calls, strict=bool(calls)):
            if seed is not None:
                self.seed(slot, seed(slot))
            self._kept[slot] = KeptResult(call())
            if waiting:
                self._clock.synchronise()
        self._clock.synchronise()
        elapsed = time.perf_counter() - started
        signs.called()
        signs.put()
        self._put(slots)
        self._clock.synchronise()
        signs.done()
        return {
            "us": elapsed * 1e6,
            "results": [self._describe_slot(slot) for slot in slots[: len(calls)]],
        }

    def _describe_slot(self, slot: int) -> dict[str, Any] | None:
        """Describe a result; all are described, so that it is not known which one is looked at."""
        try:
            return describe_result(self._kept[slot], self.arguments[slot])
        except Exception:  # noqa: BLE001 - whatever it returned: if it is looked at, it is malformed
            return None

    def _keep(self, slots: Sequence[int], results: Sequence[Any]) -> None:
        self._kept.update(
            {slot: KeptResult(result) for slot, result in zip(slots, results, strict=True)}
        )

    def _put(self, slots: Sequence[int]) -> None:
        kept = [self._kept[slot] for slot in slots]
        put(kept, [self._rooms[slot] for slot in slots], self._views)

    def _calls(self) -> list[Bound]:
        if not self._bound:
            self._bound = [self._program.bind(arguments) for arguments in self.arguments]
        return self._bound

    def _seed_calls(self, slots: Sequence[int], seeds: Any) -> list[Bound]:
        calls = [self._calls()[slot] for slot in slots]
        if seeds is None:
            return calls

        def with_seed(slot: int, call: Bound, seed: int) -> Bound:
            def run() -> Any:
                self.seed(slot, seed)
                return call()

            return run

        return [
            with_seed(slot, call, int(seed))
            for slot, call, seed in zip(slots, calls, seeds, strict=True)
        ]


def _parts(call: Bound) -> Sequence[Bound]:
    parts: Sequence[Bound] = getattr(call, "parts", ())
    return parts


def _renew(calls: Sequence[Bound]) -> None:
    """Reset memory of the calls' own to its initial content; calls may share some of it.

    Otherwise a kernel could count its calls there, or leave an old answer where it is.
    """
    own = {id(memory): (memory, new) for call in calls for memory, new in getattr(call, "own", ())}
    for memory, new in own.values():
        if isinstance(new, int):
            memory.fill_(new)
        else:
            memory.copy_(new)


def _generators(arguments: Arguments) -> list[torch.Generator]:
    values = [*arguments.args, *arguments.kwargs.values()]
    return [value for value in values if isinstance(value, torch.Generator)]
