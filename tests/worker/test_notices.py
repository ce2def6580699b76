"""The trusted side hears of children that still run, and may be gone."""

import os
import socket

from kernelbenchx.worker import notices, wire


def test_a_start_is_told_with_a_hold_on_the_child() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        notices.announce_start(theirs, 7, os.getpid())
        message = wire.receive(ours, descriptors=1)
    assert message is not None and message.header == {"id": 7, "started": True}
    for descriptor in message.descriptors:
        os.close(descriptor)


def test_a_long_child_is_named() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        notices.announce_long(theirs, 8)
        message = wire.receive(ours)
    assert message is not None and message.header == {"id": 8, "long": True}


def test_it_does_not_matter_that_the_other_side_is_gone() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        notices.announce_long(theirs, 8)
        notices.announce_start(theirs, 8, os.getpid())
