"""A model that says again what is in a recording: the same run, offline, byte for byte.

A recording is a file with an exchange on every line; a reply is found by its task, its place in the
method and the conversation, so that a method that asks something else is told so.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Exchange, Reply, Request
from kernelbenchx.generate.budget import Budget, worst
from kernelbenchx.generate.calling import NOTHING
from kernelbenchx.generate.model import Step

Place = tuple[str, str]
"""Task and path."""


@dataclass(frozen=True)
class _Line:
    """Where in the file an exchange stands, and what was asked there."""

    offset: int
    size: int
    digest: str


def write_recording(path: Path, exchanges: Iterable[Exchange]) -> int:
    """One exchange a line; how many there were."""
    count = 0
    with path.open("wb") as file:
        for exchange in exchanges:
            file.write(to_json(exchange) + b"\n")
            count += 1
    return count


class Recording:
    """The exchanges of a file; replies stay on disk until they are asked for."""

    def __init__(self, path: Path) -> None:
        self._places: dict[Place, list[_Line]] = {}
        names = self._indexed(path)
        if len(names) != 1:
            held = f"replies of {len(names)} models" if names else "no reply"
            raise BadInput(f"{path} holds {held}: a recording is of one model")
        (self.model,) = names
        self._file = os.open(path, os.O_RDONLY)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def reply(self, request: Request, step: Step) -> Reply:
        """What was said there; an error that says why not, where nothing was."""
        lines = self._places.get((step.task, step.path), [])
        for line in lines:
            if line.digest == request.digest:
                written = os.pread(self._file, line.size, line.offset)
                return from_json(written, Exchange).reply
        said = "was asked something else" if lines else "was not asked"
        return Reply(
            text="",
            finish="error",
            usage=NOTHING,
            model=self.model,
            detail=f"the recorded model {said} at {step.path!r} of {step.task}",
        )

    def _indexed(self, path: Path) -> set[str]:
        """Where every exchange is; the models that were asked."""
        names: set[str] = set()
        offset = 0
        try:
            with path.open("rb") as file:
                for number, written in enumerate(file, 1):
                    if written.strip():
                        one = _exchange(written, f"{path}:{number}")
                        place = self._places.setdefault((one.task, one.step), [])
                        # The last one counts: it is what a second start got.
                        place.insert(0, _Line(offset, len(written), one.request.digest))
                        names.add(one.request.model)
                    offset += len(written)
        except OSError as error:
            raise BadInput(f"{path}: no recording can be read: {error.strerror}") from error
        return names


@dataclass(frozen=True)
class Replay:
    """The model of a recording."""

    recording: Recording
    budget: Budget

    @property
    def name(self) -> str:
        """Of the model that was recorded, so that results are called the same."""
        return self.recording.model

    def complete(self, request: Request, step: Step) -> Reply:
        """The recorded reply, counted as if it had been asked for."""
        held = self.budget.hold(worst(request))
        reply = self.recording.reply(request, step)
        self.budget.settle(held, reply.usage)
        return reply


def _exchange(written: bytes, place: str) -> Exchange:
    try:
        return from_json(written, Exchange)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"{place}: not an exchange of a recording: {error}") from error
