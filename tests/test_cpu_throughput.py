"""The benchmark of a machine without a card: what it hands in, what it says, when it fails."""

import sys
from pathlib import Path

import pytest

from benchmark_files import FOLDER, benchmark

THROUGHPUT = benchmark("cpu_throughput")

FOUND = {
    "cores": 2,
    "load": 0.5,
    "times": 5,
    "first_s": 4.0,
    "one_s": 4.5,
    "kernels": 50,
    "warm_s": 100.0,
    "cold": 6,
    "cold_s": 24.0,
    "words": {"--help": 0.1},
}


def test_kernels_are_witnesses_each_under_a_name_of_its_own(tmp_path: Path) -> None:
    files = THROUGHPUT.write(tmp_path / "many", 40)
    assert len({file.name for file in files}) == len({file.read_text() for file in files}) == 40
    assert sorted((tmp_path / "many").iterdir()) == sorted(files)


def test_rates_are_per_hour() -> None:
    said = THROUGHPUT.told(FOUND)
    assert "warm: 50 kernels in 100.0 s, 1800 kernels an hour" in said
    assert "cold: 6 kernels in 24.0 s, 900 kernels an hour" in said
    assert "warm / cold: 2.0" in said
    assert said[-1] == "kbx --help: 0.10 s (median of 5)"


@pytest.mark.parametrize(("last", "right"), [("correct", True), ("wrong", False)])
def test_only_a_right_verdict_is_timed(
    last: str, right: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"import sys, time; print('  [1/1] gelu: {last}', file=sys.stderr); time.sleep(1)"
    monkeypatch.setattr(THROUGHPUT, "KBX", [sys.executable, "-u", "-c", said])
    if not right:
        with pytest.raises(SystemExit, match="wrong"):
            THROUGHPUT.first_verdict(tmp_path / "gelu.py", tmp_path)
        return
    first, whole = THROUGHPUT.first_verdict(tmp_path / "gelu.py", tmp_path)
    assert first + 0.1 < whole


def test_what_is_kept_is_what_it_prints() -> None:
    kept = (FOLDER / "cpu_throughput.txt").read_text().splitlines()
    names = [line.partition(":")[0] for line in THROUGHPUT.told(FOUND)]
    assert [line.partition(":")[0] for line in kept][: len(names)] == names
