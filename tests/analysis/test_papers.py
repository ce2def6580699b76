"""The counterparts of what the papers print, against plain SQL over the shipped run."""

from collections import defaultdict
from pathlib import Path
from statistics import fmean

import pytest

from attempts_made import made
from kernelbenchx.analysis.papers import tables
from kernelbenchx.runs import load_run
from kernelbenchx.store.attempts import read_attempts
from paper_samples import at_published_sizes

SHIPPED = Path(__file__).resolve().parents[2] / "examples/runs/h200_witnesses.sqlite.gz"
VARIANTS = {f"{name}_{kind}" for name in ("relu", "sigmoid", "tanh", "mul")
            for kind in ("bf16", "fp16")}  # fmt: skip


def test_stored_times_are_of_the_named_gpu_or_that_of_the_run() -> None:
    given = [at_published_sizes("activation/relu", 1.0, 2.0)]
    here = [at_published_sizes("activation/relu", 1.0, 2.0, gpu="NVIDIA H20, published sizes")]

    def reference(attempts: list, gpu: str = "") -> str:  # type: ignore[type-arg]
        (found,) = [one for one in tables(attempts, gpu) if one.name == "paper_speedups"]
        return str(found.records()[1]["reference"])

    assert reference(given) == "stored RTX 5090, every row"
    assert reference(given, "h800") == "stored H800 PCIe, every row"
    assert reference(here) == "stored H20, every row"


def test_a_run_without_times_has_no_speed() -> None:
    found = {one.name: one for one in tables([made("activation/relu")])}
    assert found["paper_speedups"].rows == found["paper_sums"].rows == ()


def test_speed_of_the_shipped_run_is_what_its_rows_give() -> None:
    rows = load_run(SHIPPED).query(
        "SELECT task, candidate_us, baseline_us "
        "FROM timings t JOIN evaluations e USING (key) "
        "WHERE baseline = 'eager' AND clock = 'device' AND outcome = 'correct'"
    )
    candidate: defaultdict[str, float] = defaultdict(float)
    eager: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        candidate[row["task"]] += row["candidate_us"]
        eager[row["task"]] += row["baseline_us"]
    ratios = {task: eager[task] / candidate[task] for task in candidate}
    found = {one.name: one.records() for one in tables(read_attempts([SHIPPED]))}
    (speeds,) = found["paper_speedups"]
    assert speeds["mean"] == pytest.approx(fmean(ratios.values()))
    assert speeds["sum_over_sum"] == pytest.approx(sum(eager.values()) / sum(candidate.values()))
    assert speeds["rows"] == len(rows) and speeds["tasks"] == len(ratios)
    theirs = [ratio for task, ratio in ratios.items() if task not in VARIANTS]
    strict = next(row for row in found["paper_table_1"] if row["judged_by"] == "strict")
    assert (strict["tasks"], strict["timed"]) == (len(theirs), len(theirs))
    assert strict["speedup"] == pytest.approx(fmean(theirs))
