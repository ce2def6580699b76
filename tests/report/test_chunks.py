import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.json import encode

from kernelbenchx.report.chunks import ChunkEntry, ChunkJob, main, write_chunks
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.query import ask
from report_samples import unpacked


def _order(run: Path, folder: Path, timed: bool = True) -> ChunkJob:
    one = next(one for one in read_attempts([run]) if one.timed == timed)
    return ChunkJob(str(folder), [(7, [ChunkEntry(one.run, one.key, one.digest, "here")])])


def test_samples_come_along_by_comparison(run: Path, tmp_path: Path) -> None:
    order = _order(run, tmp_path)
    assert write_chunks(order) == 1
    (entry,) = unpacked(tmp_path / "submissions" / "7.js")["entries"].values()
    assert {made["clock"] for made in entry["samples"]} == {"device", "call"}
    kept = ask([run], f"SELECT count(*) FROM samples WHERE key = '{entry['key']}'").rows[0][0]
    assert sum(len(made["rows"]) for made in entry["samples"]) == kept > 0


def test_what_was_not_timed_has_none(run: Path, tmp_path: Path) -> None:
    write_chunks(_order(run, tmp_path, timed=False))
    assert unpacked(tmp_path / "submissions" / "7.js")["entries"]["here"]["samples"] == []


def _told(monkeypatch: pytest.MonkeyPatch, order: ChunkJob) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(encode(order))))
    main()


def test_an_order_is_followed(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _told(monkeypatch, _order(run, tmp_path))
    assert (tmp_path / "submissions" / "7.js").is_file()


def test_an_order_for_what_is_no_run_ends_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = ChunkJob(str(tmp_path), [(0, [ChunkEntry(str(tmp_path), "key", "digest", "here")])])
    with pytest.raises(SystemExit, match=r"no run\.sqlite there"):
        _told(monkeypatch, order)
