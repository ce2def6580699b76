"""The warm parent's side of the conversation."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kernelbenchx.worker import server, wire
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.settings import WorkerSettings

PROGRAM = "from kernelbenchx.worker.server import main; main()"


def settings(private: Path, main: str) -> WorkerSettings:
    return WorkerSettings("plain", "L1", "same", main, (), (), (), str(private))


@pytest.fixture
def talk(tmp_path: Path) -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    here, there = socket.socketpair()
    source = Path(server.__file__).parents[2]
    with there, (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(there.fileno())],
            pass_fds=[there.fileno()],
            stderr=log,
            env=os.environ | {"PYTHONPATH": str(source)},
        )
    here.settimeout(60)
    return here, process


def test_it_says_ready_serves_and_ends_with_the_connection(
    talk: "tuple[socket.socket, subprocess.Popen[bytes]]", tmp_path: Path
) -> None:
    here, process = talk
    body = settings(tmp_path, "kernelbenchx.worker.probe:serve").to_json().encode()
    wire.send(here, wire.WireMessage({}, body))
    ready = wire.receive(here)
    assert ready is not None and "ready" in ready.header
    (tmp_path / "order").write_text("[]")
    with (tmp_path / "order").open("rb") as order, (tmp_path / "result").open("wb") as result:
        descriptors = (order.fileno(), result.fileno())
        wire.send(here, wire.WireMessage({"id": 5}, Limits().to_json().encode(), descriptors))
        ending = wire.receive(here)
    assert ending is not None
    assert (ending.header["id"], ending.header["exit_code"], ending.header["fault"]) == (5, 0, "")
    assert b"unreadable" in (tmp_path / "result").read_bytes()
    here.close()
    assert process.wait(60.0) == 0


TALKER = """
import socket
def serve(order, result):
    channel = socket.socket(fileno=6)
    while True:
        channel.sendall(channel.recv(100).upper())
"""


def test_it_gives_a_child_its_channel_and_ends_it_on_request(
    talk: "tuple[socket.socket, subprocess.Popen[bytes]]", tmp_path: Path
) -> None:
    here, process = talk
    (tmp_path / "talker.py").write_text(TALKER)
    chosen = replace(settings(tmp_path, "talker:serve"), paths=(str(tmp_path),))
    wire.send(here, wire.WireMessage({}, chosen.to_json().encode()))
    ready = wire.receive(here)
    assert ready is not None and "ready" in ready.header
    ours, theirs = socket.socketpair()
    ours.settimeout(60)
    with ours, Path(os.devnull).open("r+b") as null:
        descriptors = (null.fileno(), null.fileno(), theirs.fileno())
        wire.send(here, wire.WireMessage({"id": 5}, Limits().to_json().encode(), descriptors))
        theirs.close()
        started = wire.receive(here, descriptors=1)
        assert started is not None and started.header == {"id": 5, "started": True}
        for descriptor in started.descriptors:
            os.close(descriptor)
        ours.sendall(b"hello")
        assert ours.recv(100) == b"HELLO"
        for identifier in (4, 5, 5):  # only one of them is there to be ended
            wire.send(here, wire.WireMessage({"cancel": identifier}))
        ending = wire.receive(here)
        assert ours.recv(100) == b""
    assert ending is not None
    assert (ending.header["id"], ending.header["over"]) == (5, "cancelled")
    wire.send(here, wire.WireMessage({"cancel": 5}))
    here.close()
    assert process.wait(60.0) == 0


def test_it_says_what_keeps_it_from_starting(
    talk: "tuple[socket.socket, subprocess.Popen[bytes]]", tmp_path: Path
) -> None:
    here, process = talk
    wire.send(here, wire.WireMessage({}, settings(tmp_path, "nowhere:serve").to_json().encode()))
    answer = wire.receive(here)
    assert answer is not None and "nowhere" in answer.header["fault"]
    here.close()
    assert process.wait(60.0) == 0
