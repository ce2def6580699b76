"""The operations of an actor: functions from JSON to JSON, named `module:function`.

Packages above this one add operations of their own, and name them in the same way.
"""

import importlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.cluster.messages import EvaluationAnswer, EvaluationRequest, TrialRequest
from kernelbenchx.cluster.remote_turn import RemoteTurn
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.time_limits import NOTE

if TYPE_CHECKING:
    from kernelbenchx.evaluate.pipeline import Pipeline

T = TypeVar("T")
EVALUATE = "kernelbenchx.cluster.operations:evaluate"
PAPER_RULES = "kernelbenchx.cluster.operations:paper_rules"
TRY_OUT = "kernelbenchx.cluster.operations:try_out"
_OURS = "kernelbenchx."


class LimitNotes:
    """Time limits that an actor knows: sent by the driver, or measured here."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    def read_note(self, key: str) -> str:
        """A limit; empty if unknown."""
        return self._notes.get(key, "")

    def note(self, key: str, value: str) -> None:
        """Keep a limit."""
        self._notes[key] = value


class ActorCache:
    """Things that jobs of an actor share."""

    def __init__(self) -> None:
        self._things: dict[str, Any] = {}
        self._lock = threading.Lock()

    def get_or_make(self, name: str, make: Callable[[], T]) -> T:
        """The object of that name, made on first use."""
        with self._lock:
            if name not in self._things:
                self._things[name] = make()
            found: T = self._things[name]
            return found


@dataclass(frozen=True)
class JobContext:
    """The context of an operation."""

    pipeline: "Pipeline"
    turn: RemoteTurn
    notes: LimitNotes
    cache: ActorCache

    def get_or_make(self, name: str, make: Callable[[], T]) -> T:
        """An object that later jobs of this actor need, too."""
        return self.cache.get_or_make(name, make)


Operation = Callable[[JobContext, bytes], bytes]


def find_operation(name: str) -> Operation:
    """The function of that name; only modules of kbx have any."""
    module, _, function = name.partition(":")
    if not module.startswith(_OURS):
        raise BadInput(f"no operation {name!r}")
    operation: Operation = getattr(importlib.import_module(module), function)
    return operation


def evaluate(context: JobContext, request: bytes) -> bytes:
    """Judge one submission; `PutOff` if it has to give way."""
    wanted = from_json(request, EvaluationRequest)
    task = wanted.submission.task
    if evaluation_digest(task) != wanted.task_digest:
        raise BadInput(f"the task {task} is another one on this node")
    if wanted.limit_s is not None and not context.notes.read_note(NOTE + task):
        context.notes.note(NOTE + task, f"{wanted.limit_s:g}")
    context.turn.take_over(wanted.seconds, was_put_off=wanted.was_put_off)
    pipeline = replace(context.pipeline, seed=wanted.seed)
    found = pipeline.evaluate(wanted.submission, context.turn)
    limit = context.notes.read_note(NOTE + task)
    return to_json(EvaluationAnswer(evaluation=found, limit_s=float(limit) if limit else None))


def paper_rules(context: JobContext, request: bytes) -> bytes:
    """Apply the papers' own rules to a submission."""
    from kernelbenchx.evaluate.paper_rules import PaperRules

    judge = context.get_or_make("paper rules", lambda: PaperRules(context.pipeline))
    return to_json(judge.judge(from_json(request, Submission)))


def try_out(context: JobContext, request: bytes) -> bytes:
    """Run a kernel under its author's own test."""
    from kernelbenchx.evaluate.own_tests import OwnTest
    from kernelbenchx.evaluate.own_tests import try_out as tried

    wanted = from_json(request, TrialRequest)
    own_test = OwnTest(wanted.task, wanted.source, wanted.test)
    return to_json(tried(context.pipeline, own_test, wanted.wall_s))
