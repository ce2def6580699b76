"""The actors of a run on a Ray cluster, reused by the next run with the same needs."""

from dataclasses import dataclass

import msgspec

from kernelbenchx.catalog.problem_folders import problem_folders
from kernelbenchx.catalog.task_folders import named_folders
from kernelbenchx.cluster.actor_pool import ActorPool
from kernelbenchx.cluster.judge import ClusterJudge
from kernelbenchx.cluster.messages import ActorEvent, ActorOrder
from kernelbenchx.cluster.node_watch import Cluster, NodeWatch
from kernelbenchx.cluster.nodes import ActorPlan
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import ResolvedSettings, Settings, resolve_for
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.evaluate.engine import EngineRun, RemoteJudge
from kernelbenchx.evaluate.gpu_lock import PARKED
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.evaluate.run_listener import RunListener
from kernelbenchx.evaluate.settings_resolution import resolve_settings
from kernelbenchx.evaluate.time_limits import TimeLimits
from kernelbenchx.runner.levels import Level, WorkerIsolation


@dataclass
class _Open:
    """Running actors, for runs with the same settings and seed."""

    key: tuple[ResolvedSettings, int]
    pool: ActorPool
    watch: NodeWatch


class RayEngine:
    """One cluster for all runs of a command."""

    def __init__(self, cluster: Cluster, gpu_kind: str = "", jobs: int | None = None) -> None:
        """`jobs` is the most submissions at once for each actor."""
        self._cluster = cluster
        self._gpu_kind = gpu_kind
        self._jobs = jobs
        self._open: _Open | None = None

    def resolve(self, wanted: Settings) -> ResolvedSettings:
        """Decide the device by what the nodes have."""
        if wanted.device == "interpreter":
            return resolve_settings(wanted)
        resolve_settings(msgspec.structs.replace(wanted, device="interpreter", stage=Stage.EXE))
        there = any(node.alive and node.gpus for node in self._cluster.nodes())
        if there:
            return resolve_for(wanted, "cuda")
        if wanted.stage is Stage.PERF or wanted.device == "cuda":
            raise BadInput("no node of the cluster has a GPU")
        return resolve_for(wanted, "interpreter")

    def open(self, run: EngineRun) -> RemoteJudge:
        """Start actors, and wait for the first."""
        there = self._actors_for(run)
        there.watch.note = run.listener.note
        there.watch.hear = lambda event: _forward_event(event, run.listener)
        try:
            there.pool.wait_for_first()
        except EvaluatorFault as fault:
            if isinstance(fault.__cause__, BadInput):
                raise fault.__cause__ from None
            raise
        judge = ClusterJudge(
            there.pool,
            self._build_provenance(run, there.watch),
            TimeLimits(run.notes),
            self._end_run,
        )

        def tell() -> None:
            judge.tell_slots()
            nodes = there.pool.nodes()
            run.listener.count(len(set(nodes)), there.pool.slots, there.pool.running)

        there.pool.on_change = tell
        return judge

    def close(self) -> None:
        """End the actors."""
        there, self._open = self._open, None
        if there is not None:
            there.pool.end(EvaluatorFault("the run was closed in the meantime"))
            there.watch.stop()

    def _actors_for(self, run: EngineRun) -> _Open:
        key = (msgspec.structs.replace(run.settings, seed=0), run.seed)
        there = self._open
        if there is not None and there.key == key and not there.pool.ended:
            return there
        self.close()
        settings = run.settings
        parked = PARKED if settings.stage is Stage.PERF else 0
        plan = ActorPlan(settings.device, self._gpu_kind, self._jobs, parked)
        order = ActorOrder(
            settings=settings,
            seed=run.seed,
            tasks=tuple(map(str, named_folders())),
            problems=tuple(map(str, problem_folders())),
        )
        pool = ActorPool()
        here = environment("interpreter")
        watch = NodeWatch(self._cluster, plan, order, pool, here)
        self._open = there = _Open(key, pool, watch)
        watch.note = run.listener.note
        watch.start()
        return there

    def _end_run(self) -> None:
        """End the run and the actors that still have its jobs; the others wait for the next run."""
        there = self._open
        if there is not None:
            there.pool.on_change = lambda: None
            there.watch.hear = lambda _event: None
            if there.pool.running:
                self.close()

    def _build_provenance(self, run: EngineRun, watch: NodeWatch) -> EvaluationProvenance:
        assert watch.facts is not None, "there is an actor, so one was admitted"
        isolation = WorkerIsolation(Level(watch.facts.level), watch.facts.missing)
        return EvaluationProvenance(run.settings, run.seed, watch.facts.environment, isolation)


def _forward_event(event: ActorEvent, listener: RunListener) -> None:
    if event.kind == "stage":
        listener.tell(event.name, event.words)
    elif event.kind == "note":
        listener.note(event.words)
