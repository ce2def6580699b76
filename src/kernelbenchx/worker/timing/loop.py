"""The loop of a runner: memory comes over a channel, calls are made on request, results stay.

Times that a runner reports count only where no submission's Python is in its process.
"""

import contextlib
import gc
import socket
from collections.abc import Callable, Iterator
from typing import Any

import torch

from .. import wire
from ..replies import error_of
from .busy_wait import readable, wait_awake
from .calls import BoundCase, Signs
from .clocks import DeviceClock, clock_of
from .layout import Layout
from .program import Program
from .shared_memory import SharedMemory
from .start_signal import AWAKE, CALLED, DONE, GO, PUT, READY, StartSignal

_MOST_BYTES = 64 << 20
_AWAKE_S = 0.0005
"""Not longer: other processes share the processors, often halves of the same core."""
_GO_S = 60.0


class CallServer:
    """Serves one channel until the other side closes it."""

    def __init__(
        self,
        channel: socket.socket,
        program: Program,
        device: str,
        clock: DeviceClock | None = None,
    ) -> None:
        self._channel = channel
        self._program = program
        self._device = torch.device(device)
        self._clock: DeviceClock = clock or clock_of(self._device)
        self._exchange: SharedMemory | None = None
        self._bell: StartSignal | None = None
        self._case: BoundCase | None = None
        self._operations: dict[
            str, Callable[[wire.WireMessage], dict[str, Any] | wire.WireMessage]
        ] = {
            "hello": self._hello,
            "bell": self._hang_up_bell,
            "prepare": self._prepare,
            "case": self._open,
            "tune": self._tune,
            "record": self._record,
            "load": self._load,
            "capture": self._capture,
            "run": self._run,
            "parts": self._parts,
            "collect": self._collect,
            "release": self._release,
        }

    def serve(self) -> None:
        """Answer every message; the device is started before the first one."""
        with contextlib.suppress(Exception):
            self._hello(wire.WireMessage({}))
        gc.disable()  # a collection takes longer than many calls, at any time
        while (message := self._next()) is not None:
            try:
                answer = self._operations[str(message.header["op"])](message)
            except BaseException as error:  # noqa: BLE001 - boundary: what it raised is its outcome
                answer = {"error": error_of(error)}
            if not isinstance(answer, wire.WireMessage):
                answer = wire.WireMessage(answer)
            wire.send(self._channel, answer)

    def _next(self) -> wire.WireMessage | None:
        wait_awake(self._channel, _AWAKE_S if self._case is not None else 0.0)
        return wire.receive(self._channel, _MOST_BYTES, descriptors=1)

    def _hello(self, _message: wire.WireMessage) -> dict[str, Any]:
        torch.zeros(1, device=self._device)
        self._clock.synchronise()
        return {"ok": True}

    def _prepare(self, message: wire.WireMessage) -> dict[str, Any]:
        """Prepare on zeros: no drawn values are shown before the clock runs."""
        layout = Layout.from_json(message.body)
        arguments = layout.arguments(self._zeros, 0, self._device)
        self._program.prepare(arguments)
        self._clock.synchronise()
        obstacle = self._program.obstacle(arguments)
        del arguments
        self._give_back()  # it may wait long for its turn, beside many others
        return {"not_replayable": obstacle}

    def _open(self, message: wire.WireMessage) -> dict[str, Any]:
        """Open a case in new memory, or, where none came along, in that of the last case."""
        self._drop()
        layout = Layout.from_json(message.body)
        if message.descriptors:
            self._forget()
            (descriptor,) = message.descriptors
            size = int(message.header["size"])
            self._exchange = SharedMemory.attach(descriptor, size, str(self._device))
        if self._exchange is None:
            raise RuntimeError("no memory is shared")
        self._case = BoundCase(layout, self._exchange, self._program, self._clock, self._device)
        return {"ok": True}

    def _tune(self, _message: wire.WireMessage) -> dict[str, Any]:
        self._program.tune(self._open_case.arguments[0])
        self._clock.synchronise()
        return {"ok": True}

    def _record(self, message: wire.WireMessage) -> wire.WireMessage:
        slot = int(message.header["slot"])
        self._open_case.seed(slot, int(message.header.get("seed", 0)))
        plan, binaries = self._program.record(self._open_case.arguments[slot])
        self._clock.synchronise()
        return wire.WireMessage(plan, binaries)

    def _load(self, message: wire.WireMessage) -> dict[str, Any]:
        self._program.load(message.header["plan"], message.body)
        return {"ok": True}

    def _capture(self, _message: wire.WireMessage) -> dict[str, Any]:
        return self._open_case.capture()

    def _parts(self, _message: wire.WireMessage) -> dict[str, Any]:
        return self._open_case.parts()

    def _run(self, message: wire.WireMessage) -> dict[str, Any]:
        number = message.header.get("number")
        if number is None:
            return self._open_case.run(message.header)
        with self._at_the_bell(int(number)) as signs:
            return self._open_case.run(message.header, signs)

    @contextlib.contextmanager
    def _at_the_bell(self, number: int) -> Iterator[Signs]:
        """Signs of one run over the start signal: it begins on GO and reports its ends at once."""
        bell = self._bell
        if bell is None:
            raise RuntimeError("there is no bell")

        def wait(which: int) -> None:
            bell.wait(which, number, _GO_S, lambda: readable(self._channel))

        def begin() -> None:
            bell.ring(READY, number)
            wait(GO)

        try:
            yield Signs(
                begin,
                awake=lambda: bell.ring(AWAKE, number),
                called=lambda: bell.ring(CALLED, number),
                put=lambda: wait(PUT),
                done=lambda: bell.ring(DONE, number),
                seed=bell.seed,
            )
        finally:
            for which in (AWAKE, CALLED, DONE):
                bell.ring(which, number)

    def _hang_up_bell(self, message: wire.WireMessage) -> dict[str, Any]:
        """Replace the start signal by which calls are started."""
        (descriptor,) = message.descriptors
        if self._bell is not None:
            self._bell.close()
        self._bell = StartSignal(descriptor)
        return {"ok": True}

    def _collect(self, message: wire.WireMessage) -> dict[str, Any]:
        return self._open_case.collect(int(message.header["slot"]))

    def _release(self, _message: wire.WireMessage) -> dict[str, Any]:
        self._drop()
        self._forget()
        return {"ok": True}

    def _forget(self) -> None:
        if self._exchange is not None:
            self._exchange.close()
            self._exchange = None

    def _zeros(self, _start: int, size: int) -> torch.Tensor:
        return torch.zeros(size, dtype=torch.uint8, device=self._device)

    def _drop(self) -> None:
        if self._case is not None:
            self._clock.synchronise()
            self._case.close()
            self._case = None
            self._program.release()
            gc.collect()
            self._give_back()

    def _give_back(self) -> None:
        if _is_scarce(self._device):
            torch.cuda.empty_cache()

    @property
    def _open_case(self) -> BoundCase:
        if self._case is None:
            raise RuntimeError("no case is open")
        return self._case


def _is_scarce(device: torch.device) -> bool:
    """Whether freeing memory, which takes milliseconds, is worth it: less than half is free."""
    if device.type != "cuda":
        return False
    free, total = torch.cuda.mem_get_info(device)
    return 2 * free < total
