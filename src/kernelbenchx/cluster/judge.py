"""Judges the submissions of a run on the nodes of a cluster."""

import itertools
import secrets
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from kernelbenchx.catalog.digests import evaluation_digest
from kernelbenchx.catalog.facts import facts
from kernelbenchx.cluster.actor_pool import ActorJob, ActorPool, JobAnswer, NodesLost
from kernelbenchx.cluster.messages import (
    ANSWER,
    BAD_INPUT,
    PUT_OFF,
    EvaluationAnswer,
    EvaluationRequest,
    TrialRequest,
    unpack,
)
from kernelbenchx.cluster.operations import EVALUATE, PAPER_RULES, TRY_OUT
from kernelbenchx.cluster.pool_actor import PoolActor
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.rules import KernelBenchXRule, Rules
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import VOID, Trial
from kernelbenchx.evaluate.checking import EvaluationProvenance, build_evaluation
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.slot_scheduler import PutOff, Turn
from kernelbenchx.evaluate.time_limits import TimeLimits

if TYPE_CHECKING:
    from kernelbenchx.evaluate.own_tests import OwnTest


@dataclass
class _EarlierTry:
    """An earlier try of a submission that gave way."""

    job: str
    actor: PoolActor | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class ClusterJudge:
    """Replaces the stages of this machine; each thread waits for one submission."""

    pool: ActorPool
    provenance: EvaluationProvenance
    limits: TimeLimits
    close: Callable[[], None] = lambda: None
    """Called when the run ends."""
    gpu_slots: None = None
    """GPUs are the actors' concern."""
    _resized: list[Callable[[int], None]] = field(default_factory=list)
    _before: "weakref.WeakKeyDictionary[Turn, _EarlierTry]" = field(
        default_factory=weakref.WeakKeyDictionary
    )
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)
    _salt: str = field(default_factory=lambda: secrets.token_hex(4))
    """Distinguishes the jobs of two judges on the same actors."""

    @property
    def settings(self) -> Settings:
        """As resolved for the run."""
        return self.provenance.settings

    @property
    def slots(self) -> int:
        """Submissions at once; one if there is no node, so that its loss is noticed."""
        return max(1, self.pool.slots)

    def with_seed(self, seed: int) -> "ClusterJudge":
        """The same nodes, other inputs."""
        return replace(self, provenance=replace(self.provenance, seed=seed))

    def evaluate(self, submission: Submission, turn: Turn | None = None) -> Evaluation:
        """Evaluate one submission on some node; `PutOff` if it gives way to others."""
        turn = turn or Turn()
        before = self._before.setdefault(turn, _EarlierTry(self._new_job()))
        request = EvaluationRequest(
            submission=submission,
            seed=self.provenance.seed,
            task_digest=evaluation_digest(submission.task),
            limit_s=self.limits.find_limit(submission.task),
            was_put_off=turn.was_put_off,
            seconds=before.seconds,
        )
        job = ActorJob(before.job, EVALUATE, to_json(request), turn, before.actor)
        with turn.count_seconds():
            try:
                answer = self.pool.run(job)
                kind, body = unpack(answer.data)
                if kind == PUT_OFF:
                    before.actor, before.seconds = answer.actor, from_json(body, float)
                    raise PutOff
                said = from_json(_require_answer(kind, body), EvaluationAnswer)
            except NodesLost as lost:
                void = self._void(submission, turn, Reason.NODE_LOST, str(lost))
                return msgspec.structs.replace(void, placement=lost.placement)
            except EvaluatorFault as fault:
                if self.pool.ended:
                    raise
                return self._void(submission, turn, Reason.EVALUATOR, str(fault))
        self._keep_limit(submission.task, said.limit_s)
        return msgspec.structs.replace(said.evaluation, placement=answer.placement)

    def try_out(self, wanted: "OwnTest", wall_s: float) -> Trial:
        """Run a kernel under its author's own test."""
        texts = {"task": wanted.task, "source": wanted.source, "test": wanted.test}
        request = to_json(TrialRequest(wall_s=wall_s, **texts))
        try:
            return from_json(self.call(TRY_OUT, request), Trial)
        except NodesLost as lost:
            return Trial(passed=False, stage=VOID, detail=str(lost))

    @property
    def paper_rules(self) -> "ClusterRules":
        """Apply the papers' own rules, on some node."""
        return ClusterRules(self)

    def call(self, operation: str, request: bytes) -> bytes:
        """Run any operation, on some node."""
        answer: JobAnswer = self.pool.run(ActorJob(self._new_job(), operation, request))
        return _require_answer(*unpack(answer.data))

    def expect(self, tasks: Sequence[str]) -> None:
        """Running actors prepare these tasks."""
        for actor in list(self.pool.actors):
            actor.handle.ask("expect", to_json(list(tasks)))

    def list_compilations(self) -> list[ReferenceCompilation]:
        """The list of all living actors."""
        asked = [actor.handle.ask("list_compilations") for actor in list(self.pool.actors)]
        found: list[ReferenceCompilation] = []
        for one in asked:
            if one.exception() is None:
                found += from_json(one.result(), list[ReferenceCompilation])
        return found

    def watch_slots(self, resized: Callable[[int], None]) -> None:
        """Call with the number of slots, now and when it changes."""
        self._resized.append(resized)
        resized(self.slots)

    def tell_slots(self) -> None:
        """Report the slots after actors came or went."""
        for resized in self._resized:
            resized(self.slots)

    def stop(self) -> None:
        """End what runs, on all nodes."""
        self.pool.end(EvaluatorFault("the run was closed in the meantime"))

    def _new_job(self) -> str:
        return f"{self._salt}-{next(self._numbers)}"

    def _keep_limit(self, task: str, limit_s: float | None) -> None:
        if limit_s is not None:
            self.limits.keep(task, limit_s)

    def _void(self, submission: Submission, turn: Turn, reason: Reason, why: str) -> Evaluation:
        known = facts(submission.task)
        attempt = EvaluationState(submission, known, accepted_entries(known))
        outcome = Void(reason=reason, detail=why[:1000])
        return build_evaluation(attempt, outcome, self.provenance, turn.seconds)


@dataclass(frozen=True)
class ClusterRules:
    """Applies the papers' own rules on the nodes."""

    machines: ClusterJudge

    def judge(self, submission: Submission) -> Rules:
        """Unknown if nodes were lost."""
        try:
            return from_json(self.machines.call(PAPER_RULES, to_json(submission)), Rules)
        except NodesLost as lost:
            unknown = KernelBenchXRule(reason=Reason.NODE_LOST, detail=str(lost)[:300])
            return Rules(kernelbenchx=unknown)


def _require_answer(kind: str, body: bytes) -> bytes:
    if kind == ANSWER:
        return body
    if kind == BAD_INPUT:
        raise BadInput(body.decode())
    raise EvaluatorFault(body.decode())
