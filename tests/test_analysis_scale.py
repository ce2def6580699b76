"""The benchmark of what reads runs: it measures the command it was given, and notices failure."""

from pathlib import Path

import pytest

from benchmark_files import benchmark
from many_runs import write_run

SCALE = benchmark("analysis_scale")
WRITER = benchmark("many_evaluations")


def test_a_command_is_measured(tmp_path: Path) -> None:
    write_run(tmp_path, tasks=15, methods=2, rounds=1)
    cost = SCALE.measured(("query", str(tmp_path), "select count(*) from evaluations"))
    assert cost.code == 0 and cost.within
    assert cost.words == "query select count(*) from evaluations"
    assert 0 < cost.cpu_s <= 2 * cost.seconds + 0.1
    assert 5 << 20 < cost.peak_bytes < 1 << 30


def test_a_command_that_fails_keeps_no_promise_and_says_why(tmp_path: Path) -> None:
    cost = SCALE.measured(("query", str(tmp_path), "select 1"))
    assert cost.code == 2 and not cost.within
    assert "not a run" in cost.said


@pytest.mark.parametrize(("seconds", "peak"), [(61.0, 1 << 20), (1.0, 3 << 30)])
def test_too_long_or_too_large_is_not_within(seconds: float, peak: int) -> None:
    given = {"words": "x", "cpu_s": 1.0, "code": 0, "said": ""}
    assert SCALE.Cost(seconds=1.0, peak_bytes=1 << 20, **given).within
    assert not SCALE.Cost(seconds=seconds, peak_bytes=peak, **given).within


def test_as_many_samples_as_it_takes() -> None:
    per_sample = 184 * 5 * 3
    assert WRITER.samples_for(1) == 1
    assert WRITER.samples_for(100_000) * per_sample >= 100_000
    assert (WRITER.samples_for(100_000) - 1) * per_sample < 100_000
