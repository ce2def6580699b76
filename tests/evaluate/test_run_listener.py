"""What happens in a run reaches the listener of the moment, and no other."""

from types import SimpleNamespace

from kernelbenchx.evaluate.run_listener import RunListener


class _Told:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def stage(self, submission: str, stage: str) -> None:
        self.heard.append((submission, stage))

    def note(self, words: str) -> None:
        self.heard.append(words)

    def nodes(self, nodes: int, slots: int, running: int) -> None:
        self.heard.append((nodes, slots, running))


def test_notes_wait_for_a_listener_and_stages_do_not() -> None:
    told, listener = _Told(), RunListener()
    listener.tell("one", "queued")
    listener.count(1, 2, 0)
    listener.note("a node joined")
    listener.set(told)
    assert told.heard == ["a node joined"]
    listener.set(told)
    listener.note("waiting for GPU-1: pid 7")
    listener.tell("one", "checking")
    listener.count(1, 2, 1)
    assert told.heard[1:] == ["waiting for GPU-1: pid 7", ("one", "checking"), (1, 2, 1)]


def test_a_listener_may_hear_of_stages_alone() -> None:
    told, listener = _Told(), RunListener()
    listener.set(SimpleNamespace(stage=told.stage))
    listener.note("not heard")
    listener.count(1, 1, 1)
    listener.tell("one", "checking")
    listener.set(told)
    assert told.heard == [("one", "checking")], "nothing is told twice or late"
