"""Ray's calls: the only module that uses Ray."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager
from typing import Any

from kernelbenchx.cluster.access import (
    LOCAL,
    private_sessions,
    require_access,
    resolve_address,
)
from kernelbenchx.cluster.actor import JudgeActor
from kernelbenchx.cluster.nodes import ActorLost, ActorPlan, Node
from kernelbenchx.core.errors import BadInput, EvaluatorFault, KbxError

_CONTROL = "control"
_STORE_BYTES = 80 << 20
"""Object store of a cluster started here: messages are small."""
_ANSWER_S = 10.0
_KIND = "accelerator_type:"


@contextmanager
def connect_cluster(address: str | None) -> Iterator["RayCluster"]:
    """Connect to a running cluster, or to one started on this machine and ended afterwards."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    where = resolve_address(address)
    if where != LOCAL:
        _require_answer(where)
    require_access(where)  # before Ray is imported: it reads its variables then
    import ray

    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if where == LOCAL:
        options |= {"include_dashboard": False, "object_store_memory": _STORE_BYTES}
    with private_sessions() if where == LOCAL else contextlib.nullcontext():
        try:
            ray.init(address=where, **options)
        except Exception as error:
            ray.shutdown()
            raise BadInput(f"cannot use a Ray cluster at {where}: {error}") from error
        _silence()
        cluster = RayCluster()
        try:
            yield cluster
        finally:
            cluster.connection.close()
            ray.shutdown()


def _silence() -> None:
    """Suppress Ray's many lines for each lost node; a run reports it in one of its own."""
    with contextlib.suppress(ImportError):
        from ray._private import worker

        worker.print_to_stdstream = lambda *_words, **_named: None


def _require_answer(address: str) -> None:
    """Check that the address is reachable: Ray tries for minutes, with many lines of output."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_S).close()
    except (OSError, OverflowError) as error:
        raise BadInput(f"nothing answers at {address}: {error}") from error


class Connection:
    """Whether Ray may be called: a call after its end would connect this process again."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._closed = False
        self._calls = 0
        self._pending: set[Future[bytes]] = set()
        """Changed without a lock: Ray's own thread settles futures, and must never wait for one."""

    @contextmanager
    def open(self) -> Iterator[None]:
        """Open while Ray is called; `ActorLost` after the end."""
        with self._changed:
            if self._closed:
                raise ActorLost("the command ended")
            self._calls += 1
        try:
            yield
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def ask(self, method: Any, *arguments: Any, **named: Any) -> "Future[bytes]":
        """Call a method of an actor; its answer as a future with errors of kbx."""
        found: Future[bytes] = Future()
        try:
            with self.open():
                done = method.remote(*arguments, **named).future()
                self._pending.add(found)
        except Exception as error:  # noqa: BLE001 - reported like an error of the answer
            found.set_exception(error if isinstance(error, ActorLost) else _translate_error(error))
            return found
        done.add_done_callback(lambda one: self._settle(found, one))
        return found

    def close(self) -> None:
        """End the connection: open requests are lost."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._calls, _ANSWER_S)
        for one in self._pending.copy():
            with contextlib.suppress(InvalidStateError):
                one.set_exception(ActorLost("the command ended"))

    def _settle(self, found: "Future[bytes]", done: "Future[bytes]") -> None:
        self._pending.discard(found)
        error = done.exception()
        with contextlib.suppress(InvalidStateError):
            if error is None:
                found.set_result(done.result())
            else:
                found.set_exception(_translate_error(error))


class RayCluster:
    """The cluster that this process is connected to."""

    def __init__(self) -> None:
        self.connection = Connection()

    def nodes(self) -> list[Node]:
        """All nodes that are or were in it."""
        import ray

        with self.connection.open():
            return [_node(one) for one in ray.nodes()]

    def start(self, node: Node, plan: ActorPlan, order: bytes) -> "RayActor":
        """Start an actor on that node; it waits until the node has room for it."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        needs: dict[str, Any] = {"num_cpus": plan.cpus(node)}
        if plan.device == "cuda":
            needs["num_gpus"] = 1  # a fraction would be bookkeeping, not isolation
            if node.gpu_kind:
                needs["resources"] = {f"{_KIND}{node.gpu_kind}": 0.001}
        remote = ray.remote(concurrency_groups={_CONTROL: 4})(JudgeActor)
        with self.connection.open():
            made = remote.options(
                **needs,
                max_restarts=0,
                max_task_retries=0,
                max_concurrency=plan.slots(node),
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.ident, soft=False),
            ).remote(order)
        return RayActor(made, self.connection)


class RayActor:
    """One `JudgeActor` on a node."""

    def __init__(self, handle: Any, connection: Connection) -> None:
        self._handle = handle
        self._connection = connection

    def run(self, job: str, operation: str, request: bytes) -> "Future[bytes]":
        """Run a job; the future fails with `ActorLost` if the actor or node is lost."""
        return self._connection.ask(self._handle.run, job, operation, request)

    def ask(self, method: str, *arguments: Any, **named: Any) -> "Future[bytes]":
        """Call another method, beside the jobs."""
        asked = getattr(self._handle, method).options(concurrency_group=_CONTROL)
        return self._connection.ask(asked, *arguments, **named)

    def kill(self) -> None:
        """End its process unconditionally."""
        import ray

        with contextlib.suppress(Exception), self._connection.open():  # it may have ended
            ray.kill(self._handle)


def _translate_error(error: BaseException) -> KbxError:
    """`ActorLost` if an actor or its node is lost; anything else is a fault of kbx."""
    from ray.exceptions import RayError, RayTaskError

    if isinstance(error, RayError) and not isinstance(error, RayTaskError):
        return ActorLost(type(error).__name__)
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return EvaluatorFault(lines[-1][:1000])


def _node(said: dict[str, Any]) -> Node:
    resources = said["Resources"]
    kinds = [one.removeprefix(_KIND) for one in resources if one.startswith(_KIND)]
    return Node(
        ident=said["NodeID"],
        host=said["NodeManagerHostname"],
        cpus=int(resources.get("CPU", 0)),
        gpus=int(resources.get("GPU", 0)),
        gpu_kind=kinds[0] if kinds else "",
        alive=bool(said["Alive"]),
    )
