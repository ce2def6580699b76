import gzip
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store import packed_run
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.evaluation_lookup import find
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.packed_run import pack, unpack
from kernelbenchx.store.query import ask
from samples import evaluation


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("k" * 64, evaluation("mine"), "source")
    pack(tmp_path / "run" / "run.sqlite", tmp_path / "small.gz")
    return tmp_path / "small.gz"


def test_a_packed_run_is_read_like_any_other(file: Path) -> None:
    assert find(file, "mine").evaluation == evaluation("mine")
    assert [one.run for one in read_attempts([file])] == [str(file)]
    assert ask([file], "SELECT run, submission FROM evaluations").rows == [(str(file), "mine")]
    assert not list(file.parent.glob("*.sqlite"))


def test_the_same_run_gives_the_same_file(file: Path, tmp_path: Path) -> None:
    pack(tmp_path / "run" / "run.sqlite", tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == file.read_bytes()


def test_what_is_no_packed_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.gz").write_text("not compressed")
    with pytest.raises(BadInput, match="not a packed run"):
        RunFolder.existing(tmp_path / "notes.gz")
    (tmp_path / "words.gz").write_bytes(gzip.compress(b"no database" * 100))
    with pytest.raises(BadInput, match=r"words\.gz is not a packed run"):
        find(tmp_path / "words.gz", "mine")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"x" * 100_000)[:50])
    with pytest.raises(BadInput, match="not a packed run"):
        unpack(tmp_path / "cut.gz")
    whole = gzip.compress(bytes(range(256)) * 1000)
    (tmp_path / "spoilt.gz").write_bytes(whole[:200] + b"\xff" * 20 + whole[220:])
    with pytest.raises(BadInput, match="not a packed run"):
        unpack(tmp_path / "spoilt.gz")


def test_a_file_that_becomes_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_run, "MOST_BYTES", 1000)
    (tmp_path / "large.gz").write_bytes(gzip.compress(b"x" * 2000))
    with pytest.raises(BadInput, match="too large"):
        unpack(tmp_path / "large.gz")
