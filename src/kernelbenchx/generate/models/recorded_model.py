"""A model that replays a recording: the same run, offline, byte for byte.

A recording is a file with an exchange on every line. A reply is found by its place in the method
and the conversation. Prompts that quote times or values of drawn inputs differ in every run: there
the place alone finds the reply, and the transcript says so.
"""

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Exchange, Recall, Reply, Request
from kernelbenchx.generate.budget import Budget, worst
from kernelbenchx.generate.model import MethodStep, RecalledReply, as_recalled
from kernelbenchx.generate.retry_loop import NOTHING

BY_PLACE = "answered by place; the prompt differed"


@dataclass(frozen=True, slots=True)
class _Line:
    """Where in the file an exchange stands, and what was asked there."""

    offset: int
    size: int
    digest: str
    method: str
    answered: bool


@dataclass
class _StepReplies:
    """The replies at one step of one task, in the order of the file."""

    lines: dict[str, _Line] = field(default_factory=dict)
    """By key: the last one of a key is what a second start got."""
    given: set[str] = field(default_factory=set)

    def add(self, key: str, line: _Line) -> None:
        self.lines.pop(key, None)
        self.lines[key] = line

    def equal(self, digest: str, method: str) -> str | None:
        """To the same prompt, by the same method first; the last one is given again and again."""
        keys = [key for key, line in self.lines.items() if line.digest == digest]
        own = [key for key in keys if self.lines[key].method in (method, "")] or keys
        return next((key for key in own if key not in self.given), own[-1] if own else None)

    def next(self, method: str) -> str | None:
        """To another prompt of this method: as many as were recorded, each once."""
        own = [key for key, line in self.lines.items() if line.method in (method, "")]
        answered = [key for key in own if self.lines[key].answered] or own
        return next((key for key in answered if key not in self.given), None)

    def why_not(self, step: MethodStep) -> str:
        """Why no reply is left at this step."""
        methods = {line.method for line in self.lines.values()}
        if not methods:
            return "was not asked"
        if not methods & {step.method, ""}:
            return f"was asked by {', '.join(sorted(methods))} and not by {step.method}"
        often = len(self.given)
        return f"was asked only {'once' if often == 1 else f'{often} times'}"


def write_recording(path: Path, exchanges: Iterable[Exchange]) -> int:
    """One exchange a line; how many there were."""
    count = 0
    with path.open("wb") as file:
        for exchange in exchanges:
            file.write(to_json(exchange) + b"\n")
            count += 1
    return count


class ExchangeRecording:
    """The exchanges of a file; replies stay on disk until they are asked for."""

    def __init__(self, path: Path) -> None:
        self._places: dict[tuple[str, str], _StepReplies] = {}
        self._lock = threading.Lock()
        names = self._index_file(path)
        if len(names) != 1:
            held = f"replies of {len(names)} models" if names else "no reply"
            raise BadInput(f"{path} holds {held}: a recording is of one model")
        (self.model,) = names
        self._file = os.open(path, os.O_RDONLY)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def recall(self, request: Request, step: MethodStep) -> Reply | RecalledReply:
        """The recorded reply at this step, or a reply with an error that says why it is missing."""
        place = self._places.get((step.task, step.path), _StepReplies())
        by: Recall = "prompt"
        with self._lock:
            key = place.equal(request.digest, step.method)
            if key is None:
                by, key = "place", place.next(step.method)
            if key is None:
                return self._silence(f"{place.why_not(step)} at {step.path!r} of {step.task}")
            place.given.add(key)
        return self._read(place.lines[key], by)

    def _read(self, line: _Line, by: Recall) -> RecalledReply:
        kept = from_json(os.pread(self._file, line.size, line.offset), Exchange)
        if "place" not in (by, kept.recalled):
            return RecalledReply(kept.reply, by)
        # A recording of a run that was itself answered by place remains one.
        said = kept.reply.detail.removesuffix(BY_PLACE).removesuffix("; ")
        detail = "; ".join(filter(None, (said, BY_PLACE)))
        return RecalledReply(msgspec.structs.replace(kept.reply, detail=detail), "place")

    def _silence(self, why: str) -> Reply:
        return Reply(
            text="",
            finish="error",
            usage=NOTHING,
            model=self.model,
            detail=f"the recorded model {why}",
        )

    def _index_file(self, path: Path) -> set[str]:
        """Where every exchange is; the models that were asked."""
        names: set[str] = set()
        offset = 0
        try:
            with path.open("rb") as file:
                for number, written in enumerate(file, 1):
                    if written.strip():
                        one = _exchange(written, f"{path}:{number}")
                        answered = one.reply.finish != "error"
                        size, digest = len(written), one.request.digest
                        line = _Line(offset, size, digest, one.method, answered)
                        self._places.setdefault((one.task, one.step), _StepReplies()).add(
                            one.key, line
                        )
                        names.add(one.request.model)
                    offset += len(written)
        except OSError as error:
            raise BadInput(f"{path}: no recording can be read: {error.strerror}") from error
        return names


@dataclass(frozen=True)
class RecordedModel:
    """The model of a recording."""

    recording: ExchangeRecording
    budget: Budget

    @property
    def name(self) -> str:
        """Of the model that was recorded, so that results are called the same."""
        return self.recording.model

    def complete(self, request: Request, step: MethodStep) -> Reply | RecalledReply:
        """The recorded reply, counted as if it had been asked for."""
        held = self.budget.hold(worst(request), step)
        said = self.recording.recall(request, step)
        self.budget.settle(held, as_recalled(said).reply.usage)
        return said


def _exchange(written: bytes, place: str) -> Exchange:
    try:
        return from_json(written, Exchange)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"{place}: not an exchange of a recording: {error}") from error
