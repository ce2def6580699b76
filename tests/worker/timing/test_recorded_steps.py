import threading

import torch

from kernelbenchx.worker.timing.recorded_memory import NotReplayable, RecordedMemory
from kernelbenchx.worker.timing.recorded_steps import RecordedSteps


def _notes(*streams: int) -> RecordedSteps:
    rest = iter(streams)
    return RecordedSteps(
        RecordedMemory({0: torch.zeros(4, dtype=torch.uint8)}), lambda: next(rest, 0)
    )


def _refused() -> None:
    raise NotReplayable("because")


def test_steps_are_kept_in_order_and_nothing_is_no_step() -> None:
    notes = _notes()
    for step in ({"t": "one"}, None, {"t": "two"}):
        notes.note(lambda step=step: step)  # type: ignore[misc]
    assert [step["t"] for step in notes.steps] == ["one", "two"]
    assert notes.reason == ""


def test_the_first_reason_counts_and_ends_the_notes() -> None:
    notes = _notes()
    notes.note(_refused)
    notes.refuse("later")
    notes.note(lambda: {"t": "one"})
    assert notes.reason == "because"
    assert notes.steps == []


def test_what_happens_while_paused_does_not_count() -> None:
    notes = _notes()
    notes.paused = 1
    notes.note(_refused)
    notes.note(lambda: {"t": "one"})
    assert (notes.reason, notes.steps) == ("", [])


def test_another_stream_is_a_reason() -> None:
    notes = _notes(5, 5, 6)
    notes.note(lambda: {"t": "one"})
    assert notes.reason == ""
    notes.note(lambda: {"t": "two"})
    assert notes.reason == "works on another stream"
    other = _notes(5)
    other.note(lambda: {"t": "launch"}, 9)
    assert other.reason == "works on another stream"


def test_another_thread_is_a_reason() -> None:
    notes = _notes()
    thread = threading.Thread(target=lambda: notes.note(lambda: {"t": "one"}))
    thread.start()
    thread.join()
    assert notes.reason == "works in another thread"


def test_a_binary_is_kept_once() -> None:
    notes = _notes()
    assert notes.keep(b"cubin") == notes.keep(b"cubin")
    assert list(notes.cubins.values()) == [b"cubin"]
