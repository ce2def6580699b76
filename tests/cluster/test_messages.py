"""Answers cross the border as bytes that say how a job ended."""

import pytest

from kernelbenchx.cluster.messages import ANSWER, FAULT, PUT_OFF, pack, unpack


@pytest.mark.parametrize("body", [b"", b'{"a": 1}', b"two\nlines\n"])
@pytest.mark.parametrize("kind", [ANSWER, PUT_OFF, FAULT])
def test_an_answer_is_unpacked_as_it_was_packed(kind: str, body: bytes) -> None:
    assert unpack(pack(kind, body)) == (kind, body)


def test_what_was_not_packed_is_no_answer() -> None:
    assert unpack(b"")[0] != ANSWER
