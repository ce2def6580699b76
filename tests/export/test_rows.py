import json
import sys
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.export.rows import AT_ONCE, check_form, form_of, write_rows


class Part(Record, frozen=True):
    word: str
    share: float | None = None


class Row(Record, frozen=True, kw_only=True):
    number: int
    good: bool
    parts: tuple[Part, ...] = ()
    inner: Part = Part("in")


def _row(number: int) -> Row:
    parts = (Part("a", 0.5), Part("ü\u2028\x00")) if number % 2 else ()
    return Row(number=number, good=number > 1, parts=parts)


def _plain(number: int) -> dict[str, object]:
    parts = [{"word": "a", "share": 0.5}, {"word": "ü\u2028\x00", "share": None}]
    return {
        "number": number,
        "good": number > 1,
        "parts": parts if number % 2 else [],
        "inner": {"word": "in", "share": None},
    }


MANY = 2 * AT_ONCE + 1


def test_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "new" / "rows.jsonl"
    assert write_rows(path, map(_row, range(3)), Row, "jsonl") == 3
    lines = path.read_bytes().split(b"\n")
    assert [json.loads(line) for line in lines[:-1]] == [_plain(at) for at in range(3)]
    assert lines[-1] == b""


def test_parquet_holds_the_same_in_groups(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    assert write_rows(path, map(_row, range(MANY)), Row, "parquet") == MANY
    assert parquet.read_table(path).to_pylist() == [_plain(at) for at in range(MANY)]
    assert parquet.ParquetFile(path).num_row_groups == 3


def test_no_rows_are_a_file_with_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    assert write_rows(path, [], Row, "parquet") == 0
    assert parquet.read_table(path).column_names == ["number", "good", "parts", "inner"]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_file_is_whole_or_as_it_was(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"rows.{form}"
    path.write_text("before")

    def fails() -> object:
        yield _row(0)
        raise BadInput("no more")

    with pytest.raises(BadInput, match="no more"):
        write_rows(path, fails(), Row, form)  # type: ignore[arg-type]
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot write"):
        write_rows(tmp_path / "file" / "rows.jsonl", [], Row, "jsonl")


def test_the_name_of_a_file_says_its_form() -> None:
    assert form_of(Path("a.parquet")) == "parquet"
    assert form_of(Path("a.jsonl")) == form_of(Path("a")) == "jsonl"


def test_without_pyarrow_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"pip install 'kernelbenchx\[parquet\]'"):
        check_form("parquet")
    check_form("jsonl")
