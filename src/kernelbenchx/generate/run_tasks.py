"""Runs a method on all tasks of a run, many side by side, each to its end."""

import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record, from_json, to_json, to_plain
from kernelbenchx.generate import task_context
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.model import OutOfBudget, Stopped, Unanswered
from kernelbenchx.generate.task_context import RunContext, TaskContext
from kernelbenchx.store.database import Database
from kernelbenchx.store.generation_note import NOTE, refuse_judged

_ONE = {"options": "option", "prompts": "prompt", "templates": "template"}
"""What a field is called of which one part differs."""
GRACE_S = 0.8
"""How long a run that is interrupted waits for replies and verdicts that are under way."""


class End(StrEnum):
    """How a task's method ended."""

    DONE = "done"
    OUT_OF_BUDGET = "out of budget"
    UNANSWERED = "unanswered"
    STOPPED = "stopped"
    FAULT = "fault"
    """A fault of kbx: no reply may cause it."""


@dataclass(frozen=True)
class TaskEnd:
    """A task whose method ended, and why it ended early."""

    task: str
    end: End
    why: str = ""


class RunWatcher(task_context.TaskWatcher, Protocol):
    """Also notified of evaluations' stages and of tasks."""

    def begin(self, tasks: Sequence[str]) -> None: ...

    def stage(self, submission: str, stage: str) -> None: ...

    def note_task_end(self, ended: TaskEnd) -> None: ...

    def stopping(self, seconds: float) -> None:
        """The run was interrupted, and waits at most so long for what is under way."""


class GenerationNote(Record, frozen=True, kw_only=True):
    """What a run was begun with: a second start must agree, since it resumes the first."""

    method: str
    options: dict[str, Any]
    model: str
    temperature: float | None
    max_tokens: int | None
    """As the user has said; None leaves it to the method."""
    prompts: dict[str, Any]
    """How prompts are made: form, examples, hardware."""
    templates: dict[str, str]
    """SHA-256 of the text of every template that the method uses, by name."""
    evaluation: dict[str, Any]
    """How verdicts are made: device, stage, limits."""


def agree(database: Database, wanted: GenerationNote, run: str) -> None:
    """Note it down, or refuse in one line where the run was begun with something else."""
    refuse_judged(database, run)
    kept = database.read_note(NOTE)
    if not kept:
        database.note(NOTE, to_json(wanted).decode())
        return
    before, now = to_plain(from_json(kept, GenerationNote)), to_plain(wanted)
    # Texts that no request uses any more may differ.
    held = before["templates"].items()
    before["templates"] = {name: text for name, text in held if name in wanted.templates}
    for name in before:
        if before[name] != now[name]:
            was, is_now = _difference(before[name], now[name])
            raise BadInput(
                f"the run {run} was started with another {_ONE.get(name, name)}: {was}, "
                f"now {is_now}; {_way_on(name, was)}"
            )


def _way_on(name: str, was: str) -> str:
    """What is no longer a default can be said."""
    if name != "max_tokens":
        return "start another with --out"
    return "resume without --max-tokens" if was == "None" else f"resume with --max-tokens {was}"


def _difference(before: Any, now: Any) -> tuple[str, str]:
    """The part that differs, short enough for a line."""
    if isinstance(before, dict) and isinstance(now, dict):
        name = next(key for key in {**before, **now} if before.get(key) != now.get(key))
        return f"{name} = {_short(before.get(name))}", _short(now.get(name))
    return _short(before), _short(now)


def _short(said: Any) -> str:
    return str(said)[:60]


@dataclass(frozen=True)
class GenerationWork:
    """What is to be done."""

    tasks: Sequence[str]
    method: Method
    run_context: RunContext
    at_once: int


def generate(work: GenerationWork, watcher: RunWatcher) -> list[TaskEnd]:
    """Run every task to its end; results are in the order of the tasks.

    An interrupt stops the next request or evaluation of each task and waits a little for the
    others; what they finish is kept.
    """
    ends: dict[str, TaskEnd] = {}
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for task in work.tasks:
        waiting.put(task)

    def take() -> None:
        while True:
            try:
                task = waiting.get_nowait()
            except queue.Empty:
                return
            ends[task] = _to_its_end(task, work)
            watcher.note_task_end(ends[task])

    watcher.begin(work.tasks)
    # Daemons: a reply that takes minutes must not hold up a process that has to end.
    threads = [
        threading.Thread(target=take, daemon=True, name=f"tasks {number}")
        for number in range(min(work.at_once, len(work.tasks)))
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            _end_of(thread)
    except BaseException:
        work.run_context.stop.set()
        watcher.stopping(GRACE_S)
        _wait_for(threads, GRACE_S)
        raise
    return [ends[task] for task in work.tasks]


def _end_of(thread: threading.Thread) -> None:
    """An interrupt arrives here."""
    thread.join()


def _wait_for(threads: Sequence[threading.Thread], seconds: float) -> None:
    until = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))


def _to_its_end(task: str, work: GenerationWork) -> TaskEnd:
    """Run one task; whatever happens there, the others continue."""
    try:
        work.method.run(statement(task), TaskContext(task, work.run_context))
    except OutOfBudget as stopped:
        return TaskEnd(task, End.OUT_OF_BUDGET, str(stopped))
    except Unanswered as stopped:
        return TaskEnd(task, End.UNANSWERED, str(stopped))
    except Stopped as stopped:
        return TaskEnd(task, End.STOPPED, str(stopped))
    except sqlite3.OperationalError as error:
        # A full disk, mostly. Nothing more could be kept: a request now would be paid for nothing.
        work.run_context.stop.set()
        return TaskEnd(task, End.STOPPED, f"the run cannot be written: {error}")
    except Exception as error:  # noqa: BLE001 - a border: one task's fault is not the run's
        # Where the run is being closed, what is missing then is no fault.
        end = End.STOPPED if work.run_context.stop.is_set() else End.FAULT
        return TaskEnd(task, end, f"{type(error).__name__}: {error}")
    return TaskEnd(task, End.DONE)
