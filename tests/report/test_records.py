from pathlib import Path

import pytest
from msgspec.structs import replace

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.records import MANY, writing_records
from kernelbenchx.report.site_layout import Site, place
from kernelbenchx.store.attempts import read_attempts
from report_samples import unpacked

WAYS = pytest.mark.parametrize("many", [0, MANY], ids=["process", "thread"])


def _written(folder: Path, site: Site, many: int) -> int:
    with writing_records(folder, site, many) as written:
        return written()


@WAYS
def test_every_attempt_lies_in_its_chunk_with_its_source(
    run: Path, tmp_path: Path, many: int
) -> None:
    placed = place(label_attempts(read_attempts([run])))
    assert _written(tmp_path, placed, many) == 12
    for one in placed.placed:
        chunk = unpacked(tmp_path / "submissions" / f"{one.chunk}.js")
        entry = chunk["entries"][one.address]
        assert entry["key"] == one.attempt.key
        assert entry["evaluation"]["submission"] == one.attempt.submission
        assert chunk["sources"][one.attempt.digest]


@WAYS
def test_a_run_that_lost_an_evaluation_is_noticed(run: Path, tmp_path: Path, many: int) -> None:
    gone = replace(read_attempts([run])[0], key="0" * 64)
    with pytest.raises(BadInput, match=r"^the run .* changed while it was read: start again$"):
        _written(tmp_path, place([gone]), many)


@WAYS
def test_nothing_goes_on_where_all_else_failed(run: Path, tmp_path: Path, many: int) -> None:
    with pytest.raises(ZeroDivisionError):
        with writing_records(tmp_path, place(read_attempts([run])), many):
            raise ZeroDivisionError
