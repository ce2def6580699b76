"""Messages arrive whole, with their descriptors, or not at all."""

import os
import socket
from pathlib import Path

from kernelbenchx.worker.wire import Message, receive, send


def test_header_body_and_descriptors_arrive(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("content")
    here, there = socket.socketpair()
    with here, there:
        descriptor = os.open(tmp_path / "file", os.O_RDONLY)
        send(here, Message({"id": 3}, b"body", (descriptor,)))
        os.close(descriptor)
        message = receive(there)
        assert message is not None
        assert (message.header, message.body) == ({"id": 3}, b"body")
        (received,) = message.descriptors
        assert os.read(received, 100) == b"content"
        os.close(received)


def test_messages_do_not_run_into_each_other() -> None:
    here, there = socket.socketpair()
    with here, there:
        send(here, Message({"id": 1}, b"x" * 50_000))
        send(here, Message({"id": 2}))
        first, second = receive(there), receive(there)
    assert first is not None and second is not None
    assert (first.header["id"], len(first.body), second.header["id"]) == (1, 50_000, 2)


def test_the_end_is_no_message() -> None:
    here, there = socket.socketpair()
    with there:
        here.sendall(b"\x05\x00")
        here.close()
        assert receive(there) is None
        assert receive(there) is None
