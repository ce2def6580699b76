"""Documents of servers are read without believing anything."""

import msgspec
import pytest

from desks import reply
from generate.requests_made import request
from kernelbenchx.generate.budget import worst
from kernelbenchx.generate.models.reply_fields import document, held_to, label, text, usage, why
from kernelbenchx.generate.retry_policy import Trouble


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[1]", b"7", b"<html>", b"\xff", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}"],
)
def test_what_is_not_an_object_is_trouble_that_may_pass(body: bytes) -> None:
    with pytest.raises(Trouble) as trouble:
        document(body)
    assert trouble.value.again
    assert trouble.value.billed


def test_objects_are_read_with_whatever_bytes_they_hold() -> None:
    assert document(b'{"a": 1}') == {"a": 1}
    assert document(b'{"a": "\xff"}') == {"a": "\ufffd"}


def test_text_can_always_be_encoded() -> None:
    assert text("a\ud800b").encode() == b"a?b"
    assert text([{"type": "text", "text": "a"}, {"text": "b"}, 7, None, {"image": 1}]) == "ab"
    assert text(None) == text(7) == text({"text": "a"}) == ""


def test_names_and_messages_are_short_and_on_one_line() -> None:
    assert label("  gpt\n\x1b[31m-x ") == "gpt [31m-x"
    assert len(label("x" * 10**6)) == 200
    assert why({"message": "no\nway"}) == why("no\r\n way") == "no way"
    assert why({"message": {"a": 1}}) == why(None) == ""


def test_counts_are_taken_where_they_can_be_true() -> None:
    found = usage(request(), "text", (11, 7, 5))
    assert (found.prompt, found.completion, found.cached, found.estimated) == (11, 7, 5, False)
    assert usage(request(), "text", (11, 7, 500)).cached == 11


@pytest.mark.parametrize("bad", [None, -1, 0, 1.5, "7", True, 10**30, [7], {"a": 1}])
def test_other_counts_give_way_to_the_worst_case(bad: object) -> None:
    for counts in ((bad, 7, 0), (11, bad, 0), (bad, bad, bad)):
        found = usage(request(), "text", counts)
        assert found == worst(request()) and found.estimated
    assert usage(request(), "text", (11, 7, bad)).cached == 0


def test_no_reply_has_fewer_tokens_than_text_can_have() -> None:
    assert usage(request(), "", (11, 0, 0)).total == 11
    assert usage(request(), "x" * 64, (11, 2, 0)).total == 13
    assert usage(request(), "x" * 65, (11, 2, 0)) == worst(request())


def test_more_than_was_asked_for_is_cut() -> None:
    wanted, said = request(max_tokens=10), reply("x" * 320)
    assert held_to(wanted, said) is said
    long = msgspec.structs.replace(said, text="x" * 321, reasoning="y" * 10**6)
    cut = held_to(wanted, long)
    assert (len(cut.text), len(cut.reasoning), cut.finish) == (320, 320, "length")
    assert cut.detail == "cut: longer than 10 tokens can be"
    refused = msgspec.structs.replace(long, finish="refusal")
    assert held_to(wanted, refused).finish == "refusal"
