"""Servers that keep a request for ever, each in its own way, and one that is only slow."""

import itertools
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import httpcore
import pytest

from kernelbenchx.generate.models.deadlines import Deadline
from kernelbenchx.generate.models.http_service import Service
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.retry_policy import Trouble

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
EARLY = b"HTTP/1.1 103 Early Hints\r\n\r\n"
PAUSE_S = 0.02


def _slowly(*parts: bytes) -> Iterator[bytes]:
    for part in parts:
        yield part
        time.sleep(PAUSE_S)


@contextmanager
def _served(answer: Callable[[], Iterator[bytes]]) -> Iterator[str]:
    """One connection, one answer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                try:
                    for part in answer():
                        connection.sendall(part)
                    while connection.recv(1 << 16):
                        pass  # until the client goes
                except OSError:
                    return  # the client has gone

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        lambda: itertools.chain([HEAD[:18]], _slowly(*[b"x"] * 30_000)),
        lambda: _slowly(*[EARLY] * 30_000),
        lambda: itertools.repeat(EARLY * 500),
        lambda: iter([HEAD]),
    ],
    ids=["a head byte by byte", "hints", "a flood of hints", "no body"],
)
def test_nobody_keeps_a_request_for_ever(answer: Callable[[], Iterator[bytes]]) -> None:
    with _served(answer) as url:
        service = Service(url, Key("", "A_KEY"), headers={}, connections=1, timeout_s=0.2)
        with closing(service), pytest.raises(Trouble) as late:
            began = time.monotonic()
            service.post("/", {}, dict)
        assert time.monotonic() - began < 60.0  # the slow ones take ten minutes
    assert str(late.value) == "no complete reply within 0.2 s"
    assert (late.value.again, late.value.billed) == (True, True)


def test_who_is_slow_but_in_time_is_heard() -> None:
    parts = [EARLY, *(HEAD[at : at + 9] for at in range(0, len(HEAD), 9)), b"{", b"}"]
    with _served(lambda: _slowly(*parts)) as url:
        service = Service(url, Key("", "A_KEY"), headers={}, connections=1, timeout_s=60.0)
        with closing(service):
            assert service.post("/", {}, dict) == {}


def test_a_deadline_is_that_of_a_thread() -> None:
    deadline = Deadline()
    deadline.within(-1.0)
    with pytest.raises(httpcore.ReadTimeout):
        deadline.left_s(5.0)
    others: list[float] = []
    other = threading.Thread(target=lambda: others.append(deadline.left_s(None)))
    other.start()
    other.join()
    assert others == [math.inf]
    deadline.within(100.0)
    assert deadline.left_s(5.0) == 5.0 and 90.0 < deadline.left_s(None) <= 100.0
