import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelbenchx.worker.frames import MAGIC, Malformed, pack, unpack


def test_frames_come_back_in_order_with_their_bytes() -> None:
    data = pack({"kind": "a"}, b"\x00\x01") + pack({"kind": "b"})
    frames = list(unpack(data))
    assert [frame.header["kind"] for frame in frames] == ["a", "b"]
    assert bytes(frames[0].payload) == b"\x00\x01"
    assert bytes(frames[1].payload) == b""


@pytest.mark.parametrize(
    "data",
    [
        b"KBX2" + b"\x00" * 20,
        pack({"kind": "a"}, b"abc")[:-1],
        pack({"kind": "a"})[:6],
        MAGIC + b"\xff\xff\xff\xff" + b"{}",
        MAGIC + b"\x02\x00\x00\x00[]" + b"\x00" * 8,
        MAGIC + b"\x03\x00\x00\x00{,}" + b"\x00" * 8,
        pack({"kind": "a"}) + b"tail",
    ],
)
def test_what_is_not_a_sequence_of_frames_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        list(unpack(data))


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_do_anything_but_be_refused(data: bytes) -> None:
    try:
        list(unpack(data))
    except Malformed:
        return
    assert data == b"" or data.startswith(MAGIC)
