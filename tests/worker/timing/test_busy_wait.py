"""Waiting awake: until something comes, at most so long, and not where processors are few."""

import socket
import time
from collections.abc import Iterator

import pytest

from kernelbenchx.worker.timing.busy_wait import wait_awake


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 64)


@pytest.mark.usefixtures("many")
def test_what_is_there_is_not_waited_for(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[1].send(b"x")
    started = time.monotonic()
    wait_awake(ends[0], 600.0)
    assert time.monotonic() - started < 60.0
    assert ends[0].recv(1) == b"x"


@pytest.mark.usefixtures("many")
def test_who_hung_up_is_not_waited_for(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[1].close()
    started = time.monotonic()
    wait_awake(ends[0], 600.0)
    assert time.monotonic() - started < 60.0


@pytest.mark.usefixtures("many")
def test_it_gives_up_after_a_while(ends: tuple[socket.socket, socket.socket]) -> None:
    started = time.monotonic()
    wait_awake(ends[0], 0.02)
    assert time.monotonic() - started >= 0.02


def test_with_few_processors_it_does_not_wait_at_all(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("select.poll", lambda: pytest.fail("it waited"))
    wait_awake(ends[0], 600.0)
