"""The run that lies in the repository makes a report on any machine."""

from pathlib import Path

from kernelbenchx.report.build import build
from kernelbenchx.store.attempts import read_attempts

RUNS = Path(__file__).resolve().parents[2] / "examples" / "runs"
H200 = RUNS / "h200_witnesses.sqlite.gz"


def test_the_example_run_is_small_and_holds_timed_witnesses() -> None:
    assert sum(path.stat().st_size for path in RUNS.iterdir()) < 1_500_000
    found = read_attempts([H200])
    assert len(found) > 25
    assert {(one.gpu, one.method, one.outcome) for one in found} == {
        ("NVIDIA H200", "witness", "correct")
    }
    assert all(one.timed for one in found)


def test_it_makes_a_report_with_speeds(tmp_path: Path) -> None:
    build([H200], tmp_path / "site")
    pages = {path.stem for path in (tmp_path / "site" / "data" / "pages").iterdir()}
    assert {"speed", "roofline", "rates"} <= pages
    assert not {"rounds", "hardware", "variance"} & pages, "all of one kind: nothing to compare"
