"""Nodes and actors without Ray: each actor answers in threads, and can be ended at any moment."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from kernelbenchx.cluster.messages import ANSWER, ActorEvent, NodeFacts, pack
from kernelbenchx.cluster.nodes import ActorLost, ActorPlan, Node
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.record import to_json
from kernelbenchx.evaluate.machine import environment

HERE = environment("interpreter")
PATIENCE_S = 60.0

Answering = Callable[[str, str, bytes], bytes]


def node(ident: str = "a" * 12, *, cpus: int = 1, gpus: int = 0, kind: str = "") -> Node:
    return Node(ident=ident, host="host", cpus=cpus, gpus=gpus, gpu_kind=kind)


def echo(_job: str, _operation: str, request: bytes) -> bytes:
    return pack(ANSWER, request)


@dataclass
class FakeActor:
    """Answers jobs in threads; those that it has when it dies fail with `ActorLost`."""

    answer: Answering = echo
    facts: NodeFacts = field(default_factory=lambda: NodeFacts(environment=HERE, level="L3"))
    killed: bool = False
    ended: list[str] = field(default_factory=list)
    """Jobs that were told to make room."""
    asked: list[str] = field(default_factory=list)
    others_wait: bool = False
    events: list[ActorEvent] = field(default_factory=list)
    _pending: "list[Future[bytes]]" = field(default_factory=list)
    dead: threading.Event = field(default_factory=threading.Event)

    def run(self, job: str, operation: str, request: bytes) -> "Future[bytes]":
        found: Future[bytes] = Future()
        if self.dead.is_set():
            found.set_exception(ActorLost("gone"))
            return found
        self._pending.append(found)

        def work() -> None:
            answer = self.answer(job, operation, request)
            if not found.done():
                found.set_result(answer)

        threading.Thread(target=work, daemon=True).start()
        return found

    def ask(self, method: str, *arguments: Any, **named: Any) -> "Future[bytes]":
        self.asked.append(method)
        found: Future[bytes] = Future()
        if self.dead.is_set():
            found.set_exception(ActorLost("gone"))
        elif method == "describe":
            found.set_result(to_json(self.facts))
        elif method == "news":
            self.others_wait = named["others_wait"]
            self.dead.wait(0.02)
            events, self.events = self.events, []
            found.set_result(to_json(events))
        else:
            if method == "end":
                self.ended.append(arguments[0])
            found.set_result(b"[]" if method == "list_compilations" else b"")
        return found

    def kill(self) -> None:
        self.killed = True
        self.die()

    def die(self, *, silently: bool = False) -> None:
        """`silently` leaves jobs without an answer, as a node does that is cut off."""
        self.dead.set()
        for one in self._pending if not silently else ():
            if not one.done():
                one.set_exception(ActorLost("died"))


@dataclass
class FakeCluster:
    """Nodes that come and go."""

    there: list[Node]
    made: dict[str, list[FakeActor]] = field(default_factory=dict)
    make: Callable[[Node], FakeActor] = lambda _node: FakeActor()

    def nodes(self) -> list[Node]:
        return list(self.there)

    def start(self, node: Node, _plan: ActorPlan, _order: bytes) -> FakeActor:
        actor = self.make(node)
        self.made.setdefault(node.ident, []).append(actor)
        return actor


def other(**changed: str) -> Environment:
    """This machine with something else installed."""
    import msgspec

    return msgspec.structs.replace(HERE, **changed)


def until(true: Callable[[], object]) -> None:
    """Wait for something that another thread does."""
    waited = threading.Event()
    for _ in range(int(PATIENCE_S / 0.01)):
        if true():
            return
        waited.wait(0.01)
    raise AssertionError("it did not come about")
