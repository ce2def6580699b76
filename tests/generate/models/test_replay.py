"""A recording answers as its model did, and says so where it cannot."""

import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from generate.requests_made import STEP, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Exchange, Reply, Request, Usage
from kernelbenchx.generate.budget import Budget, Caps
from kernelbenchx.generate.model import OutOfBudget, Step
from kernelbenchx.generate.models.replay import Recording, Replay, write_recording


def _exchange(asked: Request, text: str, step: Step = STEP) -> Exchange:
    reply = Reply(
        text=text,
        finish="stop",
        usage=Usage(prompt=11, completion=7),
        model="its-own-name",
        version="v1",
        seconds=1.25,
        tries=3,
    )
    return Exchange(
        key=f"{step.path} {text}", task=step.task, step=step.path, request=asked, reply=reply
    )


def _budget(tokens: int | None = None) -> Budget:
    return Budget(Caps(tokens=tokens), None, threading.Event())


def test_replies_come_back_as_they_were(tmp_path: Path) -> None:
    other = Step(STEP.task, "sample 1")
    made = [
        _exchange(request("a"), "first ü\x00\n"),
        _exchange(request("b"), "second", other),
        _exchange(request("c"), "third", other),
    ]
    assert write_recording(tmp_path / "recording.jsonl", made) == 3
    with closing(Recording(tmp_path / "recording.jsonl")) as recording:
        model = Replay(recording, _budget())
        assert model.name == "loopback-1"
        assert model.complete(request("c"), other) == made[2].reply
        assert model.complete(request("b"), other) == made[1].reply
        assert model.complete(request("a"), STEP) == made[0].reply
        assert model.budget.tokens == 54


def test_what_was_not_recorded_is_an_error_that_says_so(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x")])
    with closing(Recording(tmp_path / "r")) as recording:
        model = Replay(recording, _budget())
        changed = model.complete(request("b"), STEP)
        missing = model.complete(request("a"), Step(STEP.task, "sample 9"))
    assert (changed.finish, missing.finish) == ("error", "error")
    assert changed.detail == (
        "the recorded model was asked something else at 'sample 0' of activation/relu"
    )
    assert missing.detail == "the recorded model was not asked at 'sample 9' of activation/relu"
    assert model.budget.tokens == 0


def test_the_last_reply_to_the_same_request_counts(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x"), _exchange(request("a"), "y")])
    with closing(Recording(tmp_path / "r")) as recording:
        assert recording.reply(request("a"), STEP).text == "y"


def test_the_cap_is_kept(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x")])
    with closing(Recording(tmp_path / "r")) as recording, pytest.raises(OutOfBudget):
        Replay(recording, _budget(tokens=20)).complete(request("a"), STEP)


@pytest.mark.parametrize("line", ["{", "[]", '{"key": "a"}', "\xff"])
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "r"
    write_recording(path, [_exchange(request("a"), "x")])
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    with pytest.raises(BadInput, match=r"r:2: not an exchange"):
        Recording(path)


def test_a_recording_is_of_one_model(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(b"\n")
    with pytest.raises(BadInput, match="holds no reply"):
        Recording(path)
    with pytest.raises(BadInput, match="no recording can be read"):
        Recording(tmp_path / "missing")
    other = msgspec.structs.replace(request("a"), model="other")
    write_recording(path, [_exchange(request("a"), "x"), _exchange(other, "x")])
    with pytest.raises(BadInput, match="holds replies of 2 models"):
        Recording(path)
