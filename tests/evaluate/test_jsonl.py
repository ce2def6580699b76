import json
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate.jsonl import MAX_ROW_BYTES, JsonlRow, read_rows

GOOD = b'{"a": 1}'


def _read(path: Path, *lines: bytes, end: bytes = b"\n") -> list[JsonlRow]:
    path.write_bytes(end.join(lines))
    return list(read_rows(path))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "not JSON: "),
        (b'{"a": "\xff"}', "not UTF-8 text: "),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b"[1]", "expected an object"),
        (b"null", "expected an object"),
        (b'{"a": 1, "a": 2}', "the key 'a' comes twice"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON: "),
        (b'{"a": "\x00"}', "not JSON: "),
        (b"\xff\xfe{\x00", "not UTF-8 text: "),
    ],
)
def test_a_line_that_cannot_be_read_costs_that_row_alone(
    tmp_path: Path, line: bytes, said: str
) -> None:
    before, bad, after = _read(tmp_path / "x.jsonl", GOOD, line, GOOD)
    assert said in bad.error and bad.values == {} and bad.number == 2
    assert "\n" not in bad.error
    assert [one.values for one in (before, after)] == [{"a": 1}] * 2


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    text = "one\u2028two\u2029three\x85four\x1cfive\x0bsix"
    line = json.dumps({"a": text}, ensure_ascii=False).replace("\\u001c", "\u2028").encode()
    (row,) = _read(tmp_path / "x.jsonl", line)
    assert row.error == "" and row.values["a"].startswith("one\u2028two\u2029three\x85four")


def test_a_mark_at_the_beginning_carriage_returns_and_blank_lines_are_no_rows(
    tmp_path: Path,
) -> None:
    rows = _read(tmp_path / "x.jsonl", b"\xef\xbb\xbf" + GOOD, b"", b"  ", GOOD, b"", end=b"\r\n")
    assert [(one.number, one.values) for one in rows] == [(1, {"a": 1}), (4, {"a": 1})]
    assert _read(tmp_path / "x.jsonl") == []
    assert _read(tmp_path / "x.jsonl", b"\xef\xbb\xbf") == []


def test_constants_that_only_some_read_are_read(tmp_path: Path) -> None:
    (row,) = _read(tmp_path / "x.jsonl", b'{"a": NaN, "b": -Infinity, "c": "text"}')
    assert row.error == "" and row.values["c"] == "text"


@pytest.mark.parametrize("last", [b"\n" + GOOD, b"", b"\n"])
def test_an_endless_line_is_passed_over_and_not_held(tmp_path: Path, last: bytes) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("wb") as file:
        file.write(GOOD + b'\n{"a": "')
        file.seek(200 << 20, 1)  # a hole: no disk is filled
        file.write(b'"}' + last)
    first, long, *rest = read_rows(path)
    assert first.values == {"a": 1} and long.error == f"longer than {MAX_ROW_BYTES >> 20} MiB"
    assert [one.values for one in rest] == ([{"a": 1}] if last.strip() else [])


def test_the_longest_line_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    most = b'{"a": "' + b"x" * (MAX_ROW_BYTES - 10) + b'"}\n'
    (row,) = _read(tmp_path / "x.jsonl", most)
    assert len(most) == MAX_ROW_BYTES and row.error == ""
    (row,) = _read(tmp_path / "x.jsonl", b" " + most)
    assert row.error


def test_what_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").mkdir()
    with pytest.raises(BadInput, match=r"x\.jsonl"):
        list(read_rows(tmp_path / "x.jsonl"))
