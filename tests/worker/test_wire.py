"""Messages arrive whole, with their descriptors, or not at all, whoever sent them."""

import json
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernelbenchx.worker.wire import BadMessage, WireMessage, receive, send

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Ours, whose receiver is patient for a moment, and theirs."""
    here, there = socket.socketpair()
    with here, there:
        here.settimeout(0.3)
        yield here, there


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "file").write_text("content")
    descriptor = os.open(tmp_path / "file", os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def packed(header: bytes, body: bytes = b"") -> bytes:
    return struct.pack("=II", len(header), len(body)) + header + body


def held() -> list[Path]:
    return sorted(Path("/proc/self/fd").iterdir())


def test_header_body_and_descriptors_arrive(pair: Pair, file: int) -> None:
    here, there = pair
    send(there, WireMessage({"id": 3}, b"body", (file,)))
    message = receive(here, descriptors=1)
    assert message is not None
    assert (message.header, message.body) == ({"id": 3}, b"body")
    (received,) = message.descriptors
    assert os.read(received, 100) == b"content"
    assert not os.get_inheritable(received)
    os.close(received)


def test_messages_do_not_run_into_each_other(pair: Pair, file: int) -> None:
    here, there = pair
    send(there, WireMessage({"id": 1}, b"x" * 50_000))
    send(there, WireMessage({"id": 2}, b"", (file,)))
    send(there, WireMessage({"id": 3}))
    first, second, third = (receive(here, descriptors=1) for _ in range(3))
    assert first is not None and second is not None and third is not None
    assert (first.header["id"], len(first.body), second.header["id"]) == (1, 50_000, 2)
    assert [len(each.descriptors) for each in (first, second, third)] == [0, 1, 0]
    os.close(second.descriptors[0])


def test_the_end_is_no_message(pair: Pair) -> None:
    here, there = pair
    there.sendall(b"\x05\x00")
    there.close()
    assert receive(here) is None
    assert receive(here) is None


def test_an_end_in_the_middle_is_no_message_and_leaves_no_descriptor(pair: Pair, file: int) -> None:
    here, there = pair
    before = held()
    socket.send_fds(there, [packed(b"{}", b"body")[:-1]], [file])
    there.close()
    assert receive(here, descriptors=1) is None
    assert len(held()) == len(before) - 1


def test_who_went_without_reading_is_gone(pair: Pair) -> None:
    here, there = pair
    send(here, WireMessage({"unread": True}))
    there.close()
    assert receive(here) is None


def test_a_large_message_arrives_where_it_is_expected(pair: Pair) -> None:
    here, there = pair
    body = os.urandom(3 << 20)
    thread = threading.Thread(target=send, args=(there, WireMessage({}, body)))
    here.settimeout(60)
    thread.start()
    message = receive(here, len(body) + 2)
    thread.join()
    assert message is not None and message.body == body


@pytest.mark.parametrize(("header", "body"), [(2, 99), (101, 0), (1 << 31, 1 << 31)])
def test_more_than_the_most_is_refused_before_it_is_read(
    pair: Pair, header: int, body: int
) -> None:
    here, there = pair
    there.sendall(struct.pack("=II", header, body))
    with pytest.raises(BadMessage, match="100 are allowed"):
        receive(here, 100)


def test_as_much_as_the_most_arrives(pair: Pair) -> None:
    here, there = pair
    there.sendall(packed(b"{}", b"x" * 98))
    message = receive(here, 100)
    assert message is not None and len(message.body) == 98


def test_a_huge_header_is_refused_also_where_bodies_may_be_huge(pair: Pair) -> None:
    here, there = pair
    there.sendall(struct.pack("=II", (1 << 20) + 1, 0))
    with pytest.raises(BadMessage):
        receive(here, 1 << 31)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"[1]",
        b"null",
        b'"id"',
        b"{",
        b"\xff\xfe{}",
        b'{"n": ' + b"9" * 5000 + b"}",
        b'{"n": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_a_header_that_is_no_object_is_refused(pair: Pair, header: bytes) -> None:
    here, there = pair
    thread = threading.Thread(target=there.sendall, args=(packed(header),))
    here.settimeout(60)
    thread.start()
    with pytest.raises(BadMessage, match="header"):
        receive(here)
    thread.join()


@pytest.mark.parametrize(("sent", "expected"), [(1, 0), (3, 1), (250, 8)])
def test_descriptors_that_nobody_expects_are_refused_and_closed(
    pair: Pair, file: int, sent: int, expected: int
) -> None:
    here, there = pair
    before = held()
    send(there, WireMessage({}, b"", (file,) * sent))
    with pytest.raises(BadMessage, match=f"more than {expected} descriptors"):
        receive(here, descriptors=expected)
    assert held() == before


def test_descriptors_sent_with_later_bytes_are_closed(pair: Pair, file: int) -> None:
    here, there = pair
    before = held()
    data = packed(b"{}", b"body")
    there.sendall(data[:9])
    socket.send_fds(there, [data[9:]], [file] * 5)
    message = receive(here, descriptors=8)
    assert message is not None
    assert (message.body, message.descriptors) == (b"body", ())
    assert held() == before


@pytest.mark.parametrize("part", [0, 3, 8, 9, 11])
def test_a_half_message_is_not_waited_for(pair: Pair, file: int, part: int) -> None:
    here, there = pair
    before = held()
    if part:
        socket.send_fds(there, [packed(b"{}", b"body")[:part]], [file])
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        receive(here, descriptors=1)
    assert 0.2 < time.monotonic() - started < 60
    assert held() == before


def test_a_message_that_drips_does_not_stretch_the_deadline(pair: Pair) -> None:
    here, there = pair
    stop = threading.Event()

    def drip() -> None:
        there.sendall(struct.pack("=II", 2, 10_000))
        while not stop.wait(0.02):
            there.sendall(b"x")  # a byte at a time it would take minutes

    thread = threading.Thread(target=drip)
    thread.start()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        receive(here)
    stop.set()
    thread.join()
    assert time.monotonic() - started < 60


def test_a_message_that_was_taken_whole_is_sent_whoever_goes_then(file: int) -> None:
    class Taken(socket.socket):
        def sendall(self, *_: object) -> None:  # type: ignore[override]
            raise BrokenPipeError

    here, there = socket.socketpair()
    with there, Taken(fileno=here.detach()) as sender:
        send(sender, WireMessage({}, b"", (file,)))
        with pytest.raises(BrokenPipeError):
            send(sender, WireMessage({}))


def test_sending_to_who_does_not_read_ends_too(pair: Pair) -> None:
    here, _ = pair
    with pytest.raises(TimeoutError):
        send(here, WireMessage({}, bytes(8 << 20)))


def test_without_a_timeout_a_slow_message_is_waited_for(pair: Pair) -> None:
    here, there = pair
    here.settimeout(None)
    data = packed(json.dumps({"id": 1}).encode(), b"slow")
    there.sendall(data[:5])
    timer = threading.Timer(0.3, lambda: there.sendall(data[5:]))
    timer.start()
    message = receive(here)
    timer.join()
    assert message is not None and message.body == b"slow"
