"""Starts actors on the nodes of a cluster as they join, and notices those that leave."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

import msgspec

from kernelbenchx.cluster.actor_pool import ActorPool
from kernelbenchx.cluster.messages import ActorEvent, ActorOrder, NodeFacts
from kernelbenchx.cluster.nodes import ActorLost, ActorPlan, Node, why_refused
from kernelbenchx.cluster.pool_actor import ActorHandle, PoolActor
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.record import from_json, to_json

_LOOK_EVERY_S = 1.0
PATIENCE_S = 30.0
"""How long a run without any node waits for one."""
_UNSAID_S = 60.0
"""A node on which no actor has started after so long is reported."""
_MOST_STARTS = 3
"""Most actors of a node that may be lost in a row before they are warm."""


class Cluster(Protocol):
    """Nodes, and actors on them."""

    def nodes(self) -> list[Node]: ...

    def start(self, node: Node, plan: ActorPlan, order: bytes) -> ActorHandle: ...


class NodeWatch:
    """Fills a pool for one run until it is stopped."""

    def __init__(
        self,
        cluster: Cluster,
        plan: ActorPlan,
        order: ActorOrder,
        pool: ActorPool,
        wanted: Environment,
    ) -> None:
        self._cluster = cluster
        self._plan = plan
        self._order = order
        self._pool = pool
        self.wanted = wanted
        """Versions and machine; the GPU is that of the first node if it is empty."""
        self.facts: NodeFacts | None = None
        """Facts of the first node that is used."""
        self.note: Callable[[str], None] = lambda _words: None
        self.hear: Callable[[ActorEvent], None] = lambda _event: None
        self._starting: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._refused: set[str] = set()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="kbx-nodes", daemon=True)
        pool.on_loss = self._handle_loss

    def start(self) -> None:
        """Watch the nodes from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Start no more actors; the pool ends first."""
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        began = alone_since = time.monotonic()
        while not self._pool.ended:
            now = time.monotonic()
            if self._look() or self._pool.actors:
                alone_since = now
            elif now - alone_since > PATIENCE_S or (self.facts is None and self._refused):
                self._give_up(began)
            self._wake.wait(_LOOK_EVERY_S)
            self._wake.clear()

    def _look(self) -> bool:
        """Start missing actors, remove lost ones; returns whether an actor is about to come."""
        try:
            nodes = self._cluster.nodes()
        except Exception as error:  # noqa: BLE001 - Ray raises what it likes when its head is gone
            self._pool.end(EvaluatorFault(f"the cluster cannot be reached: {error}"))
            return False
        for actor in list(self._pool.actors):
            if any(one.ident == actor.node.ident and not one.alive for one in nodes):
                self._pool.lose(actor, "the node is gone")
        for node in nodes:
            if node.alive and node.ident not in self._refused:
                self._start_on(node)
        with self._lock:
            return self._starting.total() > 0

    def _start_on(self, node: Node) -> None:
        if why := self._plan.explain_refused_kind(node) if self._plan.count(node) else "":
            self._refuse(node, why)
            return
        with self._lock:
            there = self._pool.nodes().count(node.ident) + self._starting[node.ident]
            missing = max(0, self._plan.count(node) - there)
            self._starting[node.ident] += missing
        for _ in range(missing):
            threading.Thread(target=self._admit, args=(node,), daemon=True).start()

    def _admit(self, node: Node) -> None:
        """Start one actor, and add it to the pool or refuse it."""
        handle: ActorHandle | None = None
        try:
            order = msgspec.structs.replace(
                self._order,
                settings=msgspec.structs.replace(
                    self._order.settings, jobs=self._plan.slots(node) - self._plan.parked, gpus=()
                ),
            )
            handle = self._cluster.start(node, self._plan, to_json(order))
            facts = from_json(self._wait_for_facts(node, handle.ask("describe")), NodeFacts)
            if why := self._judge(facts):
                self._refuse(node, why)
                handle.kill()
                return
            handle.ask("warm").result()
            self._join(PoolActor(handle, node, self._plan.slots(node), _gpu(self._plan, facts)))
            self._say_joined(node, facts)
        except ActorLost as error:
            self._note_failure(node, handle, str(error), _MOST_STARTS)
        except Exception as error:  # noqa: BLE001 - the thread ends: say why there is no actor
            self._note_failure(node, handle, str(error) or type(error).__name__, 1)
        finally:
            with self._lock:
                self._starting[node.ident] -= 1
            self._wake.set()

    def _judge(self, facts: NodeFacts) -> str:
        """Why a node is refused; the first accepted node decides the GPU of the run."""
        with self._lock:
            here = facts.environment
            wanted = self.wanted
            if self._plan.device == "cuda" and self.facts is None:
                names = {"gpu": here.gpu, "torch": here.torch, "triton": here.triton}
                wanted = msgspec.structs.replace(wanted, **names)
            why = why_refused(facts, wanted)
            if not why:
                self.wanted, self.facts = wanted, self.facts or facts
            return why

    def _wait_for_facts(self, node: Node, asked: "Future[bytes]") -> bytes:
        try:
            return asked.result(_UNSAID_S)
        except TimeoutError:
            needs = f"CPUs for an actor: {self._plan.cpus(node)}, --jobs asks for fewer"
            self.note(f"{node.name}: no actor has started after {_UNSAID_S:g} s ({needs})")
            return asked.result()

    def _join(self, actor: PoolActor) -> None:
        actor.listen(self.hear_event, lambda why: self._pool.lose(actor, why))
        with self._lock:
            self._failed[actor.node.ident] = 0
        self._pool.add(actor)

    def hear_event(self, event: ActorEvent) -> None:
        """Forward an event to the current run."""
        self.hear(event)

    def _say_joined(self, node: Node, facts: NodeFacts) -> None:
        gpu = f", {facts.environment.gpu}" if self._plan.device == "cuda" else ""
        slots = self._plan.slots(node)
        self.note(f"{node.name}: isolation {facts.level}{gpu}, {slots} at once")

    def _handle_loss(self, actor: PoolActor, why: str) -> None:
        self.note(f"{actor.node.name}: lost ({why}); its jobs go to other nodes")
        self._wake.set()

    def _refuse(self, node: Node, why: str) -> None:
        with self._lock:
            if node.ident in self._refused:
                return
            self._refused.add(node.ident)
        self.note(f"{node.name}: refused: {why}")

    def _note_failure(self, node: Node, handle: ActorHandle | None, why: str, most: int) -> None:
        if handle is not None:
            handle.kill()
        with self._lock:
            self._failed[node.ident] += 1
            failed = self._failed[node.ident]
        if failed >= most and not self._pool.ended and self._is_alive(node):
            self._refuse(node, f"no actor starts there: {why}")

    def _is_alive(self, node: Node) -> bool:
        return any(one.ident == node.ident and one.alive for one in self._cluster.nodes())

    def _give_up(self, began: float) -> None:
        if self.facts is None:
            waited = f" after {time.monotonic() - began:.0f} s" if not self._refused else ""
            self._pool.end(BadInput(f"no node of the cluster can be used{waited}"))
        else:
            said = f"no node is left, and none came in {PATIENCE_S:g} s"
            self._pool.end(EvaluatorFault(f"{said}; repeat the command to resume"))


def _gpu(plan: ActorPlan, facts: NodeFacts) -> str:
    return facts.gpus[0] if plan.device == "cuda" and facts.gpus else ""
