"""What was compiled ahead, on its way through the evaluator: bounded, and not looked into."""

from kernelbenchx.runner import compiled_frames
from kernelbenchx.runner.compiled_frames import (
    MOST_KERNELS,
    foresees_obstacle,
    kernels_in,
    pack_compiled,
)
from kernelbenchx.worker.frames import pack

FIRST = pack({"kind": "compiled", "files": [["A/x", 3]]}, b"abc")
SECOND = pack({"kind": "compiled", "files": "nonsense of its own"}, b"\0" * 100)


def test_whole_frames_pass_as_they_are() -> None:
    assert pack_compiled(FIRST + SECOND) == FIRST + SECOND
    assert pack_compiled(b"") == b""


def test_what_was_finished_counts_when_a_process_was_ended_in_the_middle() -> None:
    for length in range(len(SECOND)):
        assert pack_compiled(FIRST + SECOND[:length]) == FIRST
    assert pack_compiled(b"garbage" + FIRST) == b""


def test_other_frames_are_left_out() -> None:
    assert pack_compiled(pack({"kind": "error"}) + FIRST + pack({}, b"1")) == FIRST


def test_what_is_too_much_is_left_out() -> None:
    assert pack_compiled(FIRST + SECOND, len(FIRST) + len(SECOND)) == FIRST + SECOND
    assert pack_compiled(FIRST + SECOND, len(FIRST) + len(SECOND) - 1) == FIRST
    assert pack_compiled(FIRST, -1) == b""
    many = FIRST * (compiled_frames.MOST_ENTRIES + 5)
    assert pack_compiled(many) == FIRST * compiled_frames.MOST_ENTRIES


def test_an_obstacle_is_foreseen_where_one_was_named() -> None:
    named, none = (pack({"kind": "obstacle", "why": why}) for why in ("draws numbers", ""))
    assert foresees_obstacle(FIRST + named)
    assert not pack_compiled(named)
    for result in (b"", FIRST, none, FIRST + none, named[:-1], pack({"kind": "obstacle"}), b"garb"):
        assert not foresees_obstacle(result)


def test_what_kernels_need_is_told_beside_the_files() -> None:
    told = pack({"kind": "kernels", "kernels": [{"name": "k"}]})
    assert kernels_in(FIRST + told + SECOND) == [{"name": "k"}]
    assert kernels_in(told + told[:-1]) == [{"name": "k"}]
    assert pack_compiled(FIRST + told) == FIRST
    steering = pack({"kind": "kernels", "kernels": [{"name": "k\x1b[2J\ud800"}]})
    assert kernels_in(steering) == [{"name": "k\\x1b[2J\\ud800"}]
    many = pack({"kind": "kernels", "kernels": list(range(MOST_KERNELS))})
    assert len(kernels_in(many + many)) == MOST_KERNELS
    for result in (b"", FIRST, b"garbage", pack({"kind": "kernels"}), pack({"kernels": [1]})):
        assert kernels_in(result) == []
