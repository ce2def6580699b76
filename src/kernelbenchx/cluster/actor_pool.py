"""Assigns jobs to actors, and again to others if an actor or its node is lost."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from kernelbenchx.cluster.nodes import ActorLost
from kernelbenchx.cluster.pool_actor import PoolActor
from kernelbenchx.core.environment import Placement
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.evaluate.slot_scheduler import Turn

MOST_RETRIES = 3
"""Retries of a job whose node was lost: a job that kills nodes must not go on forever."""
_LOOK_EVERY_S = 1.0
_CLOSING_S = 10.0


class NodesLost(Exception):
    """Every node that had the job was lost; the message names them."""

    def __init__(self, said: str, placement: Placement) -> None:
        super().__init__(said)
        self.placement = placement


@dataclass(frozen=True)
class ActorJob:
    """A job for an actor."""

    ident: str
    operation: str
    request: bytes
    turn: Turn | None = None
    prefer: PoolActor | None = None
    """The actor where it gave way before, and left results."""


@dataclass(frozen=True)
class JobAnswer:
    """The answer of an actor, and its place."""

    data: bytes
    actor: PoolActor
    attempt: int

    @property
    def placement(self) -> Placement:
        """The placement as recorded."""
        return placement_of(self.actor, self.attempt)


def placement_of(actor: PoolActor, attempt: int) -> Placement:
    """Node, GPU and attempt."""
    return Placement(node=actor.node.name, gpu=actor.gpu, attempt=attempt)


class ActorPool:
    """Thread-safe; each caller waits for the answer to its job."""

    def __init__(self) -> None:
        self.actors: list[PoolActor] = []
        self.running = 0
        """Jobs that are with an actor."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when actors come or go, and when jobs begin or end."""
        self.on_loss: Callable[[PoolActor, str], object] = lambda _actor, _why: None
        """Called once for each actor that is lost."""
        self._changed = threading.Condition()
        self._ended: BaseException | None = None

    @property
    def slots(self) -> int:
        """Slots of all living actors."""
        with self._changed:
            return sum(one.slots for one in self.actors)

    def nodes(self) -> list[str]:
        """Names of the nodes, one for each actor."""
        with self._changed:
            return [one.node.ident for one in self.actors]

    def add(self, actor: PoolActor) -> None:
        """Add a warm actor, which then takes jobs."""
        with self._changed:
            ended = self._ended
            if ended is None:
                self.actors.append(actor)
                self._changed.notify_all()
        if ended is not None:
            _stop_all([actor], ended)
            return
        self.on_change()

    def lose(self, actor: PoolActor, why: str) -> bool:
        """Remove a lost actor; its jobs go to others. Returns whether that is new."""
        with self._changed:
            if actor not in self.actors:
                return False
            self.actors.remove(actor)
        actor.lose(why)
        with self._changed:
            self._changed.notify_all()
        self.on_loss(actor, why)
        self.on_change()
        return True

    def end(self, error: BaseException) -> None:
        """End all waiting jobs: all raise this error, and no job begins. The first error stays."""
        with self._changed:
            if self._ended is not None:
                return
            self._ended = error
            actors, self.actors = self.actors, []
            self._changed.notify_all()
        _stop_all(actors, error)

    @property
    def ended(self) -> bool:
        """Whether it takes no jobs any more."""
        return self._ended is not None

    def wait_for_first(self) -> PoolActor:
        """Any actor, as soon as there is one."""
        with self._changed:
            while not self.actors:
                self._refuse_ended()
                self._changed.wait(_LOOK_EVERY_S)
            return self.actors[0]

    def run(self, job: ActorJob) -> JobAnswer:
        """The answer of an actor; `NodesLost` where retries do not help."""
        lost: list[str] = []
        avoid: set[str] = set()
        for attempt in range(1, MOST_RETRIES + 2):
            # The last try is alone in its actor: what another job does cannot end it.
            with self._slot(job, avoid, alone=attempt > MOST_RETRIES) as actor:
                try:
                    return JobAnswer(self._ask(actor, job), actor, attempt)
                except ActorLost as error:
                    why = str(error)
            self.lose(actor, why)
            lost.append(f"{actor.node.name} ({why})")
            avoid.add(actor.node.ident)
        said = f"lost with each of {len(lost)} nodes or actors: {', '.join(lost)}"
        raise NodesLost(said, placement_of(actor, attempt))

    def _ask(self, actor: PoolActor, job: ActorJob) -> bytes:
        attempt = actor.begin(job.ident, job.operation, job.request, job.turn)
        with job.turn.preempt_by(lambda: actor.end(job.ident)) if job.turn else nullcontext():
            try:
                return attempt.found.result()
            finally:
                actor.forget(attempt)

    @contextmanager
    def _slot(self, job: ActorJob, avoid: set[str], *, alone: bool) -> Iterator[PoolActor]:
        with self._changed:
            actor = self._wait_for_slot(job, avoid, alone=alone)
            taken = actor.slots if alone else 1
            actor.busy += taken
            self.running += 1
        self.on_change()
        try:
            yield actor
        finally:
            with self._changed:
                actor.busy -= taken
                self.running -= 1
                self._changed.notify_all()
            self.on_change()

    def _wait_for_slot(self, job: ActorJob, avoid: set[str], *, alone: bool) -> PoolActor:
        """Called with the lock held."""
        kept: PoolActor | None = None
        try:
            while True:
                self._refuse_ended()
                others = [one for one in self.actors if one.node.ident not in avoid]
                usable = others or self.actors
                if alone:
                    kept = self._keep_one(job, kept, usable)
                    if kept is not None and kept.busy == 0:
                        return kept
                elif actor := _freest(usable, job.prefer):
                    return actor
                self._changed.wait(_LOOK_EVERY_S)
        finally:
            if kept is not None:
                kept.kept_for = None

    def _keep_one(
        self, job: ActorJob, kept: PoolActor | None, usable: list[PoolActor]
    ) -> PoolActor | None:
        """Reserve the actor whose jobs end soonest for this job alone."""
        if kept is not None and not kept.lost:
            return kept
        unkept = [one for one in usable if one.kept_for is None]
        found = min(unkept, key=lambda one: one.busy, default=None)
        if found is not None:
            found.kept_for = job
        return found

    def _refuse_ended(self) -> None:
        if self._ended is not None:
            raise EvaluatorFault(str(self._ended)) from self._ended


def _stop_all(actors: list[PoolActor], error: BaseException) -> None:
    """Stop all: their workers end and remove their files, within a time limit."""
    wait([actor.stop(error) for actor in actors], _CLOSING_S)
    for actor in actors:
        actor.handle.kill()


def _freest(actors: list[PoolActor], prefer: PoolActor | None) -> PoolActor | None:
    """An actor with a free slot: where the job was before, else where most are free."""
    if prefer in actors and prefer is not None and prefer.free > 0:
        return prefer
    found = max(actors, key=lambda one: one.free, default=None)
    return found if found is not None and found.free > 0 else None
