"""A desk without a server and without an evaluator, for tests of methods."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Stage
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.task_context import Opening, RunContext, TaskContext
from kernelbenchx.store.trials import KeptTrial
from samples import evaluation

TASK = "activation/relu"
Answer = Callable[[Request, MethodStep], str | Reply]
Verdict = Callable[[str], Outcome | tuple[Outcome, Performance]]


def reply(text: str, finish: str = "stop") -> Reply:
    usage = Usage(prompt=100, completion=len(text))
    return msgspec.convert(
        {"text": text, "finish": finish, "usage": usage, "model": "fake-1", "version": "v"}, Reply
    )


@dataclass
class FakeModel:
    """Replies what a function says; counts what it was asked."""

    answer: Answer
    name: str = "fake"
    asked: list[tuple[MethodStep, Request]] = field(default_factory=list)

    def complete(self, request: Request, step: MethodStep) -> Reply:
        self.asked.append((step, request))
        said = self.answer(request, step)
        return said if isinstance(said, Reply) else reply(said)

    @property
    def paths(self) -> list[str]:
        return sorted(step.path for step, _ in self.asked)


@dataclass
class Memory:
    """A journal that forgets with the process."""

    kept: dict[str, Exchange] = field(default_factory=dict)
    trials: dict[str, Trial] = field(default_factory=dict)

    def exchange(self, key: str) -> Exchange | None:
        return self.kept.get(key)

    def keep_exchange(self, exchange: Exchange, method: str) -> None:
        assert method
        self.kept[exchange.key] = exchange

    def trial(self, key: str) -> Trial | None:
        return self.trials.get(key)

    def keep_trial(self, kept: KeptTrial) -> None:
        self.trials[kept.key] = kept.trial


def right(source: str) -> Outcome:
    """Correct, if the source says so."""
    if "right" in source:
        return Correct(cases=4, worst=0.5)
    return Broken(stage=Stage.CALL, reason=Reason.LOAD_ERROR, detail="not right", line=1)


@dataclass
class FakeBench:
    """Judges by a function of the source; remembers, as a session does."""

    verdict: Verdict = right
    kept: dict[str, Evaluation] = field(default_factory=dict)
    judged: list[Submission] = field(default_factory=list)
    trial: Callable[[str, str], Trial] = lambda *_: Trial(passed=True)
    """Of a source and a test."""
    for_authors: Callable[[str], Outcome] | None = None
    """What authors are told about a source, where it is not the verdict."""
    looked: list[str] = field(default_factory=list)
    """Submissions that were judged for feedback."""
    tried: list[tuple[str, str]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def one(self, submission: Submission) -> Evaluation:
        with self._lock:
            if submission.name in self.kept:
                return self.kept[submission.name]
            said = self.verdict(submission.source)
            outcome, performance = said if isinstance(said, tuple) else (said, None)
            made = msgspec.structs.replace(
                evaluation(submission.name, outcome, performance),
                task=submission.task,
                digest=submission.digest,
                origin=submission.origin,
            )
            self.judged.append(submission)
            self.kept[submission.name] = made
            return made

    def for_feedback(self, submission: Submission) -> Evaluation:
        """As the verdict, unless the bench has another one for authors."""
        with self._lock:
            self.looked.append(submission.name)
        verdict = self.one(submission)
        if self.for_authors is None:
            return verdict
        return msgspec.structs.replace(verdict, outcome=self.for_authors(submission.source))

    def try_out(self, task: str, source: str, test: str, *, wall_s: float) -> Trial:
        assert task and wall_s > 0
        self.tried.append((source, test))
        return self.trial(source, test)


class PlainPrompts:
    """Says the statement and nothing else."""

    hardware = ""
    hardware_templates: tuple[str, ...] = ()

    def opening(self, statement: Statement) -> Opening:
        return Opening((Message("user", statement.text()),), ("plain",))

    def optimization(self, _: Statement, __: Opening) -> Opening:
        return Opening((Message("user", "how others became fast"),), ("optimization",), ("hidden",))

    def fill(self, template: str, /, **words: str) -> str:
        return "\n".join([template, *(f"{name}: {said}" for name, said in words.items())])

    def digest(self, template: str) -> str:
        return f"digest of {template}"


@dataclass
class Told:
    """A watcher that writes everything down."""

    said: list[tuple[str, str]] = field(default_factory=list)

    def asking(self, step: MethodStep) -> None:
        self.said.append(("asking", step.path))

    def note_reply(self, exchange: Exchange, *, again: bool) -> None:
        self.said.append(("answered again" if again else "answered", exchange.step))

    def note_failure(self, step: MethodStep, why: str) -> None:
        self.said.append(("failed", f"{step.path}: {why}"))

    def note_verdict(self, evaluation: Evaluation) -> None:
        self.said.append(("judged", evaluation.submission))


def office(
    model: FakeModel,
    *,
    bench: FakeBench | None = None,
    memory: Memory | None = None,
    method: str = "test",
    temperature: float | None = None,
) -> RunContext:
    """Shared by desks; give the same bench and memory to start a second time."""
    return RunContext(
        method=method,
        model=model,
        journal=memory if memory is not None else Memory(),
        bench=bench if bench is not None else FakeBench(),
        prompts=PlainPrompts(),
        watcher=Told(),
        seed=5,
        temperature=temperature,
        cost=lambda usage: usage.total / 1e6,
    )


def desk(made: RunContext, task: str = TASK) -> TaskContext:
    return TaskContext(task, made)
