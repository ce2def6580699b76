"""A recording answers as its model did, says what it found the reply by, and where it has none."""

import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from generate.requests_made import STEP, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Exchange, Finish, Recall, Reply, Request, Usage
from kernelbenchx.generate.budget import Budget, Caps
from kernelbenchx.generate.model import MethodStep, OutOfBudget, RecalledReply
from kernelbenchx.generate.models.recorded_model import (
    BY_PLACE,
    ExchangeRecording,
    RecordedModel,
    write_recording,
)

OTHER = MethodStep(STEP.task, "sample 1")


def _exchange(
    asked: Request,
    text: str,
    step: MethodStep = STEP,
    *,
    finish: Finish = "stop",
    recalled: Recall = "",
) -> Exchange:
    reply = Reply(
        text=text,
        finish=finish,
        usage=Usage(prompt=11, completion=7),
        model="its-own-name",
        version="v1",
        seconds=1.25,
        tries=3,
    )
    return Exchange(
        key=f"{step.path} {text}",
        task=step.task,
        step=step.path,
        request=asked,
        reply=reply,
        method=step.method,
        recalled=recalled,
    )


def _budget(tokens: int | None = None) -> Budget:
    return Budget(Caps(tokens=tokens), None, threading.Event())


def _said(path: Path, *asked: tuple[Request, MethodStep]) -> list[tuple[str, str]]:
    """What a recording says one after another: by what, and the text or why there is none."""
    found: list[tuple[str, str]] = []
    with closing(ExchangeRecording(path)) as recording:
        for one, step in asked:
            said = recording.recall(one, step)
            if isinstance(said, RecalledReply):
                found.append((said.by, said.reply.text))
            else:
                assert said.finish == "error"
                found.append(("", said.detail))
    return found


def test_replies_to_equal_prompts_come_back_as_they_were(tmp_path: Path) -> None:
    made = [
        _exchange(request("a"), "first ü\x00\n"),
        _exchange(request("b"), "second", OTHER),
        _exchange(request("c"), "third", OTHER),
    ]
    assert write_recording(tmp_path / "recording.jsonl", made) == 3
    with closing(ExchangeRecording(tmp_path / "recording.jsonl")) as recording:
        model = RecordedModel(recording, _budget())
        assert model.name == "loopback-1"
        assert model.complete(request("c"), OTHER) == RecalledReply(made[2].reply, "prompt")
        assert model.complete(request("b"), OTHER) == RecalledReply(made[1].reply, "prompt")
        assert model.complete(request("a"), STEP) == RecalledReply(made[0].reply, "prompt")
        assert model.complete(request("a"), STEP) == RecalledReply(made[0].reply, "prompt")
        assert model.budget.tokens == 72


def test_another_prompt_at_the_same_place_is_answered_by_place_and_says_so(tmp_path: Path) -> None:
    made = _exchange(request("it took 4 us"), "x")
    write_recording(tmp_path / "r", [made])
    with closing(ExchangeRecording(tmp_path / "r")) as recording:
        model = RecordedModel(recording, _budget())
        said = model.complete(request("it took 5 us"), STEP)
    assert said == RecalledReply(msgspec.structs.replace(made.reply, detail=BY_PLACE), "place")
    assert model.budget.tokens == 18


def test_what_was_not_recorded_is_an_error_that_says_so(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x")])
    with closing(ExchangeRecording(tmp_path / "r")) as recording:
        model = RecordedModel(recording, _budget())
        missing = model.complete(request("a"), MethodStep(STEP.task, "sample 9"))
        elsewhere = model.complete(request("a"), MethodStep("math/add", STEP.path))
    assert isinstance(missing, Reply) and isinstance(elsewhere, Reply)
    assert (missing.finish, elsewhere.finish) == ("error", "error")
    assert missing.detail == "the recorded model was not asked at 'sample 9' of activation/relu"
    assert elsewhere.detail == "the recorded model was not asked at 'sample 0' of math/add"
    assert model.budget.tokens == 0


def test_replies_of_a_place_are_given_in_order_and_to_other_prompts_once(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request(text), text) for text in "abc"])
    spent = "the recorded model was asked only 3 times at 'sample 0' of activation/relu"
    asked = [(request(text), STEP) for text in "xbyzb"]
    assert _said(tmp_path / "r", *asked) == [
        ("place", "a"),
        ("prompt", "b"),
        ("place", "c"),
        ("", spent),
        ("prompt", "b"),
    ]
    write_recording(tmp_path / "r", [_exchange(request("a"), "a")])
    assert _said(tmp_path / "r", *asked[:1], *asked[:1])[1] == (
        "",
        spent.replace("3 times", "once"),
    )


def test_equal_prompts_of_a_place_get_their_replies_in_order(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), text) for text in "xy"])
    asked = [(request("a"), STEP)] * 3
    assert _said(tmp_path / "r", *asked) == [("prompt", "x"), ("prompt", "y"), ("prompt", "y")]


def test_the_last_reply_of_a_key_counts(tmp_path: Path) -> None:
    first = _exchange(request("a"), "x")
    second = msgspec.structs.replace(_exchange(request("a"), "y"), key=first.key)
    write_recording(tmp_path / "r", [first, second])
    assert _said(tmp_path / "r", (request("a"), STEP), (request("b"), STEP)) == [
        ("prompt", "y"),
        ("", "the recorded model was asked only once at 'sample 0' of activation/relu"),
    ]


def test_methods_share_no_place_but_what_they_ask_alike(tmp_path: Path) -> None:
    refine, search, geak = (
        MethodStep(STEP.task, "round 0", one) for one in ("refine", "search", "geak")
    )
    made = [_exchange(request("a"), "r", refine), _exchange(request("a"), "s", search)]
    made[1] = msgspec.structs.replace(made[1], key="another")
    write_recording(tmp_path / "r", made)
    assert _said(tmp_path / "r", (request("a"), search), (request("b"), refine)) == [
        ("prompt", "s"),
        ("place", "r"),
    ]
    assert _said(tmp_path / "r", (request("a"), geak), (request("b"), geak)) == [
        ("prompt", "r"),
        (
            "",
            "the recorded model was asked by refine, search and not by geak at 'round 0'"
            " of activation/relu",
        ),
    ]


def test_a_transcript_without_methods_is_of_any(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x")])
    asked = (request("b"), MethodStep(STEP.task, STEP.path, "refine"))
    assert _said(tmp_path / "r", asked) == [("place", "x")]


def test_a_silence_is_repeated_only_where_nothing_else_was_said(tmp_path: Path) -> None:
    silence = _exchange(request("a"), "", finish="error")
    write_recording(tmp_path / "r", [silence, _exchange(request("b"), "x")])
    assert _said(tmp_path / "r", (request("c"), STEP)) == [("place", "x")]
    with closing(ExchangeRecording(tmp_path / "r")) as recording:
        assert recording.recall(request("a"), STEP) == RecalledReply(silence.reply, "prompt")
    write_recording(tmp_path / "r", [silence])
    with closing(ExchangeRecording(tmp_path / "r")) as recording:
        said = recording.recall(request("c"), STEP)
    assert isinstance(said, RecalledReply) and said.reply.finish == "error"


def test_a_reply_by_place_stays_one_however_often_it_is_recorded(tmp_path: Path) -> None:
    once = _exchange(request("a"), "x", recalled="place")
    once = msgspec.structs.replace(
        once, reply=msgspec.structs.replace(once.reply, detail=f"cut; {BY_PLACE}")
    )
    write_recording(tmp_path / "r", [once])
    with closing(ExchangeRecording(tmp_path / "r")) as recording:
        said = recording.recall(request("a"), STEP)
    assert isinstance(said, RecalledReply) and said.by == "place"
    assert said.reply == once.reply


def test_the_cap_is_kept(tmp_path: Path) -> None:
    write_recording(tmp_path / "r", [_exchange(request("a"), "x")])
    with closing(ExchangeRecording(tmp_path / "r")) as recording, pytest.raises(OutOfBudget):
        RecordedModel(recording, _budget(tokens=20)).complete(request("a"), STEP)


@pytest.mark.parametrize("line", ["{", "[]", '{"key": "a"}', "\xff"])
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "r"
    write_recording(path, [_exchange(request("a"), "x")])
    with path.open("ab") as file:
        file.write(line.encode("latin-1") + b"\n")
    with pytest.raises(BadInput, match=r"r:2: not an exchange"):
        ExchangeRecording(path)


def test_a_recording_is_of_one_model(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(b"\n")
    with pytest.raises(BadInput, match="holds no reply"):
        ExchangeRecording(path)
    with pytest.raises(BadInput, match="no recording can be read"):
        ExchangeRecording(tmp_path / "missing")
    other = msgspec.structs.replace(request("a"), model="other")
    write_recording(path, [_exchange(request("a"), "x"), _exchange(other, "x")])
    with pytest.raises(BadInput, match="holds replies of 2 models"):
        ExchangeRecording(path)
