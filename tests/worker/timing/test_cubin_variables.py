"""Variables moved out of real binaries, and tables with which that must not be tried."""

import struct

import pytest

from kernelbenchx.worker.timing.cubin_variables import BadBinary, sections_of, with_variables_at
from ptx_samples import COUNTS, NOTHING, READS, assembled
from replay_samples import elf

TABLE = ".global .align 4 .u32 state[2] = {7, 8};"
AND_ANOTHER = TABLE + ".global .align 8 .u64 other = 9;"
BOTH = READS + "ld.global.u32 %r1, [other];"
PRINTS = """
    {
    .param .b64 a; .param .b64 b; .param .b32 c;
    mov.u64 %rd2, state; st.param.b64 [a], %rd2; st.param.b64 [b], 0;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r1, [c];
    }"""
EXTERN = ".extern .func (.param .b32 c) vprintf (.param .b64 a, .param .b64 b);"
HERE = 0x7F12_3456_7000


def _part(binary: bytes, name: str) -> bytes:
    (found,) = [one for one in sections_of(binary) if one.name == name]
    return binary[found.start : found.start + found.size]


def _words(binary: bytes, name: str) -> list[int]:
    part = _part(binary, name)
    return list(struct.unpack(f"<{len(part) // 8}Q", part))


def _written(binary: bytes, name: str, value: int, *, field: str) -> bytes:
    """With another number in the row of a section."""
    (found,) = [one for one in sections_of(binary) if one.name == name]
    places = {"name": (0, "<I"), "info": (44, "<I"), "kind": (4, "<I"), "size": (32, "<Q")}
    at, form = places[field]
    changed = bytearray(binary)
    struct.pack_into(form, changed, found.row + at, value)
    return bytes(changed)


@pytest.mark.parametrize(("variables", "body"), [(TABLE, READS), (TABLE, COUNTS)])
def test_code_finds_its_variables_where_they_were_put(variables: str, body: str) -> None:
    asked: list[bytes] = []

    def place(data: bytes) -> int:
        asked.append(data)
        return HERE

    binary = assembled(variables, body)
    moved = with_variables_at(binary, place)
    assert asked == [struct.pack("<II", 7, 8)]
    assert len(_part(binary, ".rela.nv.constant4")) == 24
    assert _words(binary, ".nv.constant4") == [0]
    assert _part(moved, ".rela.nv.constant4") == b""
    assert _words(moved, ".nv.constant4") == [HERE]
    assert len(moved) == len(binary)
    assert _part(moved, ".text.kernel") == _part(binary, ".text.kernel")


def test_each_variable_keeps_its_place() -> None:
    binary = assembled(AND_ANOTHER, BOTH)
    data = _part(binary, ".nv.global.init")
    moved = with_variables_at(binary, lambda _: HERE)
    places = {HERE + data.index(struct.pack("<II", 7, 8)), HERE + data.index(b"\x09")}
    assert set(_words(moved, ".nv.constant4")) == places


def test_what_the_driver_provides_is_still_asked_of_it() -> None:
    binary = assembled(EXTERN + TABLE, PRINTS)
    moved = with_variables_at(binary, lambda _: HERE)
    before, after = (_part(one, ".rela.nv.constant4") for one in (binary, moved))
    assert (len(before), len(after)) == (48, 24) and after in (before[:24], before[24:])
    assert HERE in _words(moved, ".nv.constant4")


@pytest.mark.parametrize("binary", [elf("_one"), assembled("", NOTHING)])
def test_a_binary_without_variables_stays_as_it_is(binary: bytes) -> None:
    def place(_data: bytes) -> int:
        raise AssertionError

    assert with_variables_at(binary, place) is binary


def test_moving_twice_finds_nothing_more_to_move() -> None:
    moved = with_variables_at(assembled(TABLE, READS), lambda _: HERE)
    assert with_variables_at(moved, lambda _: 0) == moved


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [("info", 1, "a way of its own"), ("kind", 9, "a way of its own|make no sense")],
)
def test_addresses_that_are_asked_for_elsewhere_are_refused(
    field: str, value: int, why: str
) -> None:
    binary = _written(assembled(TABLE, READS), ".rela.nv.constant4", value, field=field)
    with pytest.raises(BadBinary, match=why):
        with_variables_at(binary, lambda _: HERE)


def test_variables_in_two_sections_are_refused() -> None:
    binary = assembled(TABLE, READS)
    (own,) = [one for one in sections_of(binary) if one.name == ".nv.global.init"]
    (name,) = struct.unpack_from("<I", binary, own.row)
    twice = _written(binary, ".nv.info", name, field="name")
    with pytest.raises(BadBinary, match="variables in several places"):
        with_variables_at(twice, lambda _: HERE)


def test_sizes_beyond_the_binary_are_refused() -> None:
    binary = assembled(TABLE, READS)
    for name, size in ((".nv.global.init", 1 << 40), (".nv.constant4", 4)):
        with pytest.raises(BadBinary, match="make no sense"):
            with_variables_at(_written(binary, name, size, field="size"), lambda _: HERE)


def test_no_flipped_byte_leaves_a_way_to_the_variables() -> None:
    whole = assembled(TABLE, READS)
    first = min(one.row for one in sections_of(whole))
    moved = 0
    for place in range(first, len(whole)):
        broken = whole[:place] + b"\xff" + whole[place + 1 :]
        try:
            again = with_variables_at(broken, lambda _: HERE)
        except (ValueError, LookupError, ArithmeticError, struct.error):
            continue
        moved += 1
        assert with_variables_at(again, lambda _: 0) == again
    assert moved
