"""The process on a node: warm workers behind a few methods that take and return bytes."""

import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from kernelbenchx.cluster.messages import (
    ANSWER,
    BAD_INPUT,
    FAULT,
    PUT_OFF,
    ActorEvent,
    ActorOrder,
    NodeFacts,
    pack,
)
from kernelbenchx.cluster.watchdog import end_with_parent
from kernelbenchx.core.errors import BadInput, KbxError
from kernelbenchx.core.record import from_json, to_json

_TOGETHER_S = 0.1
"""Events within this time of another one are sent with it."""


class EventQueue:
    """Filled by many threads, emptied by the one that replies to the driver."""

    def __init__(self) -> None:
        self._events: list[ActorEvent] = []
        self._changed = threading.Condition()

    def tell(self, submission: str, stage: str) -> None:
        """Add the current stage of a submission."""
        self.put(ActorEvent(kind="stage", name=submission, words=stage))

    def note(self, words: str) -> None:
        """Add a line for the reader."""
        self.put(ActorEvent(kind="note", words=words))

    def put(self, event: ActorEvent) -> None:
        """Add any event."""
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    def take(self, patience_s: float) -> list[ActorEvent]:
        """All events so far; waits up to a limit for the first."""
        with self._changed:
            if self._changed.wait_for(lambda: self._events, patience_s):
                self._changed.release()
                try:
                    time.sleep(_TOGETHER_S)
                finally:
                    self._changed.acquire()
            found, self._events = self._events, []
            return found


if TYPE_CHECKING:
    from kernelbenchx.cluster.operations import JobContext
    from kernelbenchx.cluster.remote_turn import RemoteTurn
    from kernelbenchx.evaluate.pipeline import Pipeline

NEWS_S = 1.0
"""How long `news` waits for an event."""


class JudgeActor:
    """Ray creates one on a node; `run` is called from as many threads as it has slots."""

    def __init__(self, order: bytes) -> None:
        from kernelbenchx.cluster.operations import ActorCache, LimitNotes
        from kernelbenchx.cluster.remote_turn import DriverSlots

        end_with_parent()
        self._order = from_json(order, ActorOrder)
        self._events = EventQueue()
        self._slots = DriverSlots(self._say_long)
        self._notes = LimitNotes()
        self._kept = ActorCache()
        self._turns: dict[str, RemoteTurn] = {}
        """Turns of jobs that run, and of those that gave way here."""
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._pipeline: Pipeline | None = None

    def describe(self) -> bytes:
        """Describe this node; starts nothing that stays."""
        from kernelbenchx.evaluate.machine import environment
        from kernelbenchx.runner.gpus import gpu_count, gpu_uuid
        from kernelbenchx.runner.isolation import choose

        settings = self._order.settings
        here = environment(settings.device)
        gpus = tuple(gpu_uuid(index) for index in range(gpu_count()))
        try:
            self._add_folders()
            found = choose(None if settings.isolation == "auto" else settings.isolation)
        except KbxError as error:
            return to_json(NodeFacts(environment=here, level="", gpus=gpus, refused=str(error)))
        level = found.level.value
        return to_json(NodeFacts(environment=here, level=level, missing=found.missing, gpus=gpus))

    def warm(self) -> bytes:
        """Load torch and start the workers; returns when both are done."""
        from kernelbenchx.evaluate.checking import EvaluationProvenance
        from kernelbenchx.evaluate.machine import environment
        from kernelbenchx.evaluate.pipeline_setup import open_pipeline
        from kernelbenchx.runner.isolation import choose

        settings = self._order.settings
        isolation = choose(None if settings.isolation == "auto" else settings.isolation)
        ground = EvaluationProvenance(
            settings, self._order.seed, environment(settings.device), isolation
        )
        opened = open_pipeline(ground, self._events, self._notes, self._order.run)
        pipeline = self._stack.enter_context(opened)
        for zygote in pipeline.workers.zygotes.values():
            zygote.wait_until_warm()
        self._pipeline = pipeline
        return b""

    def run(self, job: str, operation: str, request: bytes) -> bytes:
        """Run a job; how it ended and its answer, packed. Raises no exception of kbx."""
        from kernelbenchx.cluster.operations import find_operation
        from kernelbenchx.evaluate.slot_scheduler import PutOff

        context = self._begin(job)
        try:
            found = pack(ANSWER, find_operation(operation)(context, request))
        except PutOff:
            return pack(PUT_OFF, to_json(context.turn.seconds))  # its results stay
        except BadInput as error:
            found = pack(BAD_INPUT, str(error).encode())
        except Exception as error:  # noqa: BLE001 - a border: reported, not raised
            found = pack(FAULT, f"{type(error).__name__}: {error}"[:1000].encode())
        with self._lock:
            self._turns.pop(job, None)
        return found

    def news(self, *, others_wait: bool) -> bytes:
        """What happened since the last call; also receives whether submissions wait."""
        self._slots.waiting = others_wait
        return to_json(self._events.take(NEWS_S))

    def end(self, job: str) -> bytes:
        """End the submission to make room for others; `run` reports that it was put off."""
        with self._lock:
            turn = self._turns.get(job)
        if turn is not None:
            turn.end()
        return b""

    def expect(self, tasks: bytes) -> bytes:
        """Prepare tasks that will be timed, before their submissions come."""
        if self._pipeline is not None and self._pipeline.gpu_slots is not None:
            self._pipeline.gpu_slots.start(from_json(tasks, list[str]))
        return b""

    def list_compilations(self) -> bytes:
        """How long `torch.compile` took for each reference."""
        cards = None if self._pipeline is None else self._pipeline.gpu_slots
        return to_json([] if cards is None else cards.list_compilations())

    def close(self) -> bytes:
        """End the workers and remove their files; the process ends afterwards."""
        self._stack.close()
        return b""

    def _begin(self, job: str) -> "JobContext":
        from kernelbenchx.cluster.operations import JobContext
        from kernelbenchx.cluster.remote_turn import RemoteTurn

        assert self._pipeline is not None, "the driver waits until the actor is warm"
        with self._lock:
            turn = self._turns.setdefault(job, RemoteTurn(job))
        turn.begin(self._slots)
        return JobContext(self._pipeline, turn, self._notes, self._kept)

    def _say_long(self, job: str) -> None:
        self._events.put(ActorEvent(kind="long", name=job))

    def _add_folders(self) -> None:
        from kernelbenchx.catalog.problem_folders import add_problems
        from kernelbenchx.catalog.task_folders import add_folder

        for folder in map(Path, self._order.tasks):
            add_folder(folder)
        for folder in map(Path, self._order.problems):
            add_problems(folder)
