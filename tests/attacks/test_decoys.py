import os
import signal
import socket
from pathlib import Path

import pytest

from kernelbenchx.attacks.decoys import PORTS, Bystander, Listeners
from kernelbenchx.attacks.side_effects import exclusive


def _children() -> set[int]:
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


def test_a_bystander_that_is_left_alone_stays_the_same() -> None:
    bystander = Bystander()
    try:
        assert not bystander.restart_if_ended()
    finally:
        bystander.close()


def test_a_bystander_that_was_ended_is_noticed_once() -> None:
    before = _children()
    bystander = Bystander()
    try:
        (pid,) = _children() - before
        os.kill(pid, signal.SIGTERM)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert bystander.restart_if_ended()
        assert not bystander.restart_if_ended()
    finally:
        bystander.close()
    assert _children() == before


def test_two_bystanders_have_two_secrets() -> None:
    one, other = Bystander(), Bystander()
    one.close()
    other.close()
    assert one.secret != other.secret


@pytest.mark.timeout(3600)
def test_datagrams_are_heard_and_silence_is_not() -> None:
    with exclusive():
        listeners = Listeners()
        try:
            assert listeners.drain_contacts() == []
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                for port in PORTS:
                    line.sendto(b"hello", ("127.0.0.1", port))
            assert listeners.drain_contacts() == ["a UDP message arrived"]
            assert listeners.drain_contacts() == []
        finally:
            listeners.close()
