from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.sources import read_sources
from many_runs import write_run


def test_wanted_sources_are_read_from_several_runs(tmp_path: Path) -> None:
    for seed in (0, 1):
        write_run(tmp_path / str(seed), tasks=20, methods=5, rounds=2, samples=4, seed=seed)
    runs = [tmp_path / "0", tmp_path / "1"]
    first, both = read_sources(runs[:1], _digests(runs[0])), _digests(*runs)
    assert len(first) == len(_digests(runs[0])) > 500
    found = read_sources(runs, [*both, "unknown"])
    assert set(found) == both
    assert all("import triton" in source for source in found.values())


def _digests(*runs: Path) -> set[str]:
    from kernelbenchx.store.query import ask

    return {str(digest) for (digest,) in ask(runs, "SELECT digest FROM sources").rows}


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run"):
        read_sources([tmp_path], ["d"])
    (tmp_path / "run.sqlite").write_text("not a database, certainly " * 100)
    with pytest.raises(BadInput, match="not a run"):
        read_sources([tmp_path], ["d"])
