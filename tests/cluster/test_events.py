"""Events of an actor wait until its driver asks, each once."""

import threading
import time

from kernelbenchx.cluster.events import EventQueue
from kernelbenchx.cluster.messages import ActorEvent


def test_events_are_told_once_in_their_order() -> None:
    queue = EventQueue()
    queue.tell("one", "calling")
    queue.note("waiting for GPU-1")
    assert queue.take(1.0) == [
        ActorEvent(kind="stage", name="one", words="calling"),
        ActorEvent(kind="note", words="waiting for GPU-1"),
    ]
    assert queue.take(0.0) == []


def test_an_event_ends_the_wait() -> None:
    queue = EventQueue()
    threading.Timer(0.1, queue.note, ["soon"]).start()
    began = time.monotonic()
    assert queue.take(30.0) == [ActorEvent(kind="note", words="soon")]
    assert time.monotonic() - began < 20
