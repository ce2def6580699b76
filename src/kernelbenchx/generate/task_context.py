"""What a method may do for one task: send requests, have kernels judged, both in parallel."""

import hashlib
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol, TypeVar

import msgspec

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.core.text import replace_surrogates
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.model import MethodStep, Model, Stopped, Unanswered, as_recalled
from kernelbenchx.generate.parallel_calls import together
from kernelbenchx.store.trials import KeptTrial

T = TypeVar("T")

MAX_TOKENS = 16384
"""Of a reply, where neither the user nor the method says."""
HANDS = 256
SEED_BITS = 31
"""Servers take a seed as a signed 32-bit integer."""


class Journal(Protocol):
    """Stores exchanges beyond the end of the process."""

    def exchange(self, key: str) -> Exchange | None: ...

    def keep_exchange(self, exchange: Exchange, method: str) -> None: ...

    def trial(self, key: str) -> Trial | None: ...

    def keep_trial(self, kept: KeptTrial) -> None: ...


class KernelEvaluator(Protocol):
    """Evaluates kernels and stores verdicts; several at once."""

    def one(self, submission: Submission) -> Evaluation:
        """The verdict that the run records."""

    def for_feedback(self, submission: Submission) -> Evaluation:
        """What its author may learn from: judged on calls that are not those of the verdict."""

    def try_out(self, task: str, source: str, test: str, *, wall_s: float) -> Trial: ...


@dataclass(frozen=True)
class Opening:
    """The messages that ask for a kernel, and the templates they were made from."""

    messages: tuple[Message, ...]
    templates: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Examples that were wanted and would give the task away."""


class Prompts(Protocol):
    """Renders the templates of a run."""

    @property
    def hardware(self) -> str:
        """Facts of the target in words, or nothing where none are wanted."""

    @property
    def hardware_templates(self) -> tuple[str, ...]:
        """What these facts are made from."""

    def opening(self, statement: Statement) -> Opening:
        """What every method begins with: the task, as form, examples and hardware were chosen."""

    def optimization(self, statement: Statement, opening: Opening) -> Opening:
        """Examples of optimization that an opening does not show; no message where none is left."""

    def fill(self, template: str, /, **words: str) -> str:
        """A template by name, with these words in it."""

    def digest(self, template: str) -> str:
        """SHA-256 of a template's text."""


class TaskWatcher(Protocol):
    """An observer of a run's progress; called from many threads."""

    def asking(self, step: MethodStep) -> None: ...

    def note_reply(self, exchange: Exchange, *, again: bool) -> None:
        """`again`: the reply was remembered from an earlier start."""

    def note_failure(self, step: MethodStep, why: str) -> None:
        """A request came to nothing."""

    def note_verdict(self, evaluation: Evaluation) -> None: ...


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """What the contexts of all tasks of a run share."""

    method: str
    model: Model
    journal: Journal
    bench: KernelEvaluator
    prompts: Prompts
    watcher: TaskWatcher
    seed: int
    """Of the run; requests get seeds of their own, which say nothing about it."""
    temperature: float | None = None
    """Instead of what the method would take."""
    max_tokens: int | None = None
    """Of every reply, instead of what the method would allow."""
    cost: Callable[[Usage], float | None] = lambda _: None
    standard: Standard = Standard.STRICT
    """What counts as correct, for methods that choose and stop by it."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set when the run is to end: the next request or evaluation raises `Stopped`."""
    hands: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(HANDS))
    """Threads for parallel calls within tasks, beyond a thread for each task."""


class TaskContext:
    """For one task; called from the method's threads."""

    def __init__(self, task: str, office: RunContext) -> None:
        self.task = task
        self._run_context = office

    @property
    def prompts(self) -> Prompts:
        """Templates, as chosen for this run."""
        return self._run_context.prompts

    @cached_property
    def chance(self) -> random.Random:
        """The same numbers in every start; for the method's own thread only."""
        return random.Random(derive_seed(self._run_context.seed, "chance", self.task))

    def ask(
        self,
        path: str,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        templates: Sequence[str] = (),
        left_out: Sequence[str] = (),
    ) -> Reply:
        """The model's reply at this place in the method, remembered from the first time on.

        A path is used once per task. Refusals, empty and cut replies are returned like any other.
        """
        office, step = self._run_context, MethodStep(self.task, path, self._run_context.method)
        request = Request(
            model=office.model.name,
            messages=tuple(messages),
            temperature=temperature if office.temperature is None else office.temperature,
            max_tokens=office.max_tokens or max_tokens or MAX_TOKENS,
            seed=derive_seed(office.seed, "request", self.task, path) % (1 << SEED_BITS),
        )
        key = _key(step, office.method, request)
        known = office.journal.exchange(key)
        if known is not None and known.reply.finish != "error":
            office.watcher.note_reply(known, again=True)
            return known.reply
        used = {name: office.prompts.digest(name) for name in templates}
        return self._send_request(key, step, request, used, tuple(left_out))

    def _send_request(
        self,
        key: str,
        step: MethodStep,
        request: Request,
        used: dict[str, str],
        left_out: tuple[str, ...],
    ) -> Reply:
        office = self._run_context
        self._go_on()
        office.watcher.asking(step)
        try:
            said = as_recalled(office.model.complete(request, step))
        except Stopped as stopped:
            office.watcher.note_failure(step, str(stopped))
            raise
        reply = _clean(said.reply)
        exchange = Exchange(
            key=key,
            task=step.task,
            step=step.path,
            request=request,
            reply=reply,
            cost=office.cost(reply.usage),
            templates=used,
            method=office.method,
            recalled=said.by,
            left_out=left_out,
        )
        office.journal.keep_exchange(exchange, office.method)
        if reply.finish == "error":
            office.watcher.note_failure(step, reply.detail)
            raise Unanswered(reply.detail)
        office.watcher.note_reply(exchange, again=False)
        return reply

    def judge(
        self, path: str, source: str, *, round: int, sample: int = 0, parent: str = ""
    ) -> JudgedKernel:
        """Evaluate a source, whatever it is, and keep the verdict under this path.

        The method learns about it from `JudgedKernel.evaluation`, which costs a second evaluation.

        `round` counts what was fed back before, `sample` those side by side in a round; `parent`
        is the name of what it was made from.
        """
        self._go_on()
        office = self._run_context
        submission = Submission(
            name=name_of(self.task, path),
            task=self.task,
            source=replace_surrogates(source),
            origin=Origin(
                model=office.model.name,
                method=office.method,
                round=str(round),
                sample=sample,
                parent=parent,
                step=path,
            ),
        )
        office.watcher.note_verdict(office.bench.one(submission))
        look = partial(self._look, submission)
        return JudgedKernel(submission.name, submission.source, look, office.standard)

    def _look(self, submission: Submission) -> Evaluation:
        self._go_on()
        return self._run_context.bench.for_feedback(submission)

    def try_out(self, path: str, source: str, test: str, *, wall_s: float = 30.0) -> Trial:
        """Run a test that the model wrote, in the sandbox; remembered, and no verdict."""
        office, words = self._run_context, (replace_surrogates(source), replace_surrogates(test))
        key = _digest(self.task, path, office.method, office.model.name, *words, str(wall_s))
        known = office.journal.trial(key)
        if known is not None:
            return known
        self._go_on()
        made = office.bench.try_out(self.task, *words, wall_s=wall_s)
        office.journal.keep_trial(
            KeptTrial(
                key=key,
                task=self.task,
                method=office.method,
                step=path,
                test=words[1],
                trial=made,
            )
        )
        return made

    def together(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """Side by side, results in order; the first error in order is raised when all ended.

        No call may wait for another: without free threads, they run one after the other.
        """
        return together(calls, self._run_context.hands)

    def _go_on(self) -> None:
        if self._run_context.stop.is_set():
            raise Stopped


def name_of(task: str, path: str) -> str:
    """What tables call the submission of a step: `relu__round2.candidate3`."""
    return f"{task.partition('/')[2]}__{path.replace(' ', '').replace('/', '.')}"


def _key(step: MethodStep, method: str, request: Request) -> str:
    """What a reply depends on, except seeds: a changed conversation is requested again."""
    limits = f"{request.temperature} {request.max_tokens}"
    return _digest(step.task, step.path, method, request.model, request.digest, limits)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _clean(reply: Reply) -> Reply:
    """Text that can be encoded, whatever the server escaped."""
    fields = ("text", "reasoning", "detail", "model", "version")
    return msgspec.structs.replace(
        reply, **{name: replace_surrogates(getattr(reply, name)) for name in fields}
    )
