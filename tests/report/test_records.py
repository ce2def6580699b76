from pathlib import Path

import pytest
from msgspec.structs import replace

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.labels import labelled
from kernelbenchx.report.placing import Site, place
from kernelbenchx.report.records import writing_records
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.query import ask
from report_samples import unpacked


def _written(folder: Path, site: Site) -> int:
    with writing_records(folder, site) as written:
        return written()


def test_every_attempt_lies_in_its_chunk_with_its_source(run: Path, tmp_path: Path) -> None:
    placed = place(labelled(read_attempts([run])))
    assert _written(tmp_path, placed) == 12
    for one in placed.placed:
        chunk = unpacked(tmp_path / "submissions" / f"{one.chunk}.js")
        entry = chunk["entries"][one.address]
        assert entry["key"] == one.attempt.key
        assert entry["evaluation"]["submission"] == one.attempt.submission
        assert chunk["sources"][one.attempt.digest]


def test_samples_come_along_by_comparison(run: Path, tmp_path: Path) -> None:
    placed = place(labelled(read_attempts([run])))
    _written(tmp_path, placed)
    one = next(one for one in placed.placed if one.attempt.timed)
    chunk = unpacked(tmp_path / "submissions" / f"{one.chunk}.js")
    samples = chunk["entries"][one.address]["samples"]
    kept = ask([run], f"SELECT count(*) FROM samples WHERE key = '{one.attempt.key}'").rows[0][0]
    assert sum(len(made["rows"]) for made in samples) == kept > 0
    assert {made["clock"] for made in samples} == {"device", "call"}


def test_a_run_that_lost_an_evaluation_is_noticed(run: Path, tmp_path: Path) -> None:
    attempts = labelled(read_attempts([run]))
    gone = replace(attempts[0], key="0" * 64)
    with pytest.raises(BadInput, match="changed while it was read"):
        _written(tmp_path, place([gone]))
