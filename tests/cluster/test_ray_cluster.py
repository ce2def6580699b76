"""Ray itself: two nodes judge kernels, an actor is killed, and nothing stays behind."""

import json
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.cluster.nodes import ActorLost
from kernelbenchx.cluster.ray_cluster import Connection, connect_cluster
from kernelbenchx.core.errors import BadInput, EvaluatorFault

ROOT = Path(__file__).parents[2]
PROBE = Path(__file__).parent / "probes" / "judge_on_nodes.py"


@pytest.mark.slow
def test_two_nodes_judge_although_an_actor_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, str(PROBE), str(ROOT / "benchmarks")],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert {name: verdict for name, (verdict, _) in found["rows"].items()} == {
        "gelu__always_tanh": "wrong",
        "gelu__honest": "correct",
        "relu__assumes_contiguous": "broken",
        "relu__torch_only": "rejected",
    }
    assert found["killed"] and any("lost (Actor" in words for words in found["notes"])
    assert any("isolation L" in words for words in found["notes"])
    assert all(node.partition("/")[2] for _, node in found["rows"].values())
    assert found["left"] == [], "ten seconds later"


def test_what_the_memory_monitor_kills_is_lost_and_a_bug_of_ours_is_not() -> None:
    from ray.exceptions import ActorDiedError, OutOfMemoryError, RayTaskError

    for lost in (OutOfMemoryError("killed"), ActorDiedError()):
        with pytest.raises(ActorLost, match=type(lost).__name__):
            _asked(lost).result()
    bug = RayTaskError("run", "Traceback\nKeyError: oops", KeyError("oops"))
    with pytest.raises(EvaluatorFault, match="KeyError: oops"):
        _asked(bug).result()
    assert _asked(None).result() == b"answer"


def test_after_the_end_nothing_is_called_and_nothing_is_waited_for() -> None:
    connection, called = Connection(), _Method()
    waiting = connection.ask(called)
    connection.close()
    late = connection.ask(called)
    called.answer.set_result(b"too late")
    for one in (waiting, late):
        with pytest.raises(ActorLost, match="the command ended"):
            one.result(0)
    assert called.count == 1
    with pytest.raises(ActorLost, match="ended"), connection.open():
        raise AssertionError("Ray would connect again")


def test_ray_may_settle_an_answer_while_another_call_waits_for_ray() -> None:
    connection, called = Connection(), _Method()
    waiting = connection.ask(called)
    settled = threading.Thread(target=called.answer.set_result, args=(b"answer",), daemon=True)
    with connection.open():  # such as `ray.kill`, which waits for the thread that settles
        settled.start()
        assert waiting.result(20) == b"answer"
    settled.join(20)
    assert not settled.is_alive()


class _Method:
    """A method of an actor."""

    def __init__(self) -> None:
        self.answer: Future[bytes] = Future()
        self.count = 0

    def remote(self) -> "_Method":
        self.count += 1
        return self

    def future(self) -> Future[bytes]:
        return self.answer


def _asked(error: BaseException | None) -> Future[bytes]:
    called = _Method()
    if error is not None:
        called.answer.set_exception(error)
    else:
        called.answer.set_result(b"answer")
    return Connection().ask(called)


def test_an_address_at_which_nothing_answers_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(BadInput, match=f"nothing answers at 127.0.0.1:{port}"):
        with connect_cluster(f"127.0.0.1:{port}"):
            raise AssertionError("it was reached")
