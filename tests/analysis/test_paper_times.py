"""Means by the paper's formulas, against plain Python."""

from statistics import fmean, geometric_mean
from typing import Any

import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.paper_times import LIVE, by_method, by_task, summed_kernels
from kernelbenchx.analysis.table import Table
from kernelbenchx.catalog.published_times import eager_ms
from paper_samples import at_published_sizes, case_time

TASKS = ("activation/relu", "math/sub", "loss/kl_div", "reduce/min")
TIMES = dict(zip(TASKS, ((10.0, 25.0), (8.0, 4.0), (50.0, 55.0), (2.0, 9.0)), strict=True))
GIVEN = [
    *(at_published_sizes(task, *TIMES[task], without=task == "math/sub") for task in TASKS),
    wrong("activation/gelu"),
]


def _made(given: list[Attempt], gpu: str = "5090") -> tuple[Table, Table]:
    kernels = summed_kernels(frame_of(given).last, gpu)
    return by_method(kernels), by_task(kernels)


def _by_reference(given: list[Attempt], gpu: str = "5090") -> dict[Any, dict[str, Any]]:
    return {row["reference"]: row for row in _made(given, gpu)[0].records()}


def _rows(task: str) -> int:
    return len(eager_ms(task, "5090")) - (task == "math/sub")


def test_means_over_eager_that_was_measured() -> None:
    row = _by_reference(GIVEN)[LIVE]
    ratios = [eager / candidate for candidate, eager in TIMES.values()]
    sums = [[us * _rows(task) for us in TIMES[task]] for task in TASKS]
    below, above = (sum(one[side] for one in sums) for side in (0, 1))
    assert row["sum_over_sum"] == pytest.approx(above / below)
    assert row["mean"] == row["filtered"] == pytest.approx(fmean(ratios))
    assert row["geometric"] == pytest.approx(geometric_mean(ratios))
    assert (row["tasks"], row["missing"], row["rows"]) == (4, 1, 16 + 16 + 6 + 14)
    assert row["sum_over_sum_low"] < row["sum_over_sum"] < row["sum_over_sum_high"]
    assert row["mean_low"] < row["mean"] < row["mean_high"]


def test_means_over_stored_eager_of_a_named_gpu() -> None:
    for gpu, name in (("5090", "RTX 5090"), ("h800", "H800 PCIe")):
        found = _by_reference(GIVEN, gpu)
        stored = {task: sum(eager_ms(task, gpu)) for task in TASKS}
        own = {task: _rows(task) * TIMES[task][0] / 1000 for task in TASKS}
        row = found[f"stored {name}, every row"]
        assert row["mean"] == pytest.approx(fmean(stored[task] / own[task] for task in TASKS))
        assert row["sum_over_sum"] == pytest.approx(sum(stored.values()) / sum(own.values()))
        stored["math/sub"] = sum(eager_ms("math/sub", gpu)[:-1])
        row = found[f"stored {name}, rows that both have"]
        assert row["mean"] == pytest.approx(fmean(stored[task] / own[task] for task in TASKS))
        assert row["sum_over_sum"] == pytest.approx(sum(stored.values()) / sum(own.values()))


def test_the_filter_leaves_out_what_is_slow_and_says_how_much() -> None:
    slow = at_published_sizes("math/log1p", 1000.0, 9.0)
    row = _by_reference([*GIVEN, slow])[LIVE]
    ratios = [eager / candidate for candidate, eager in TIMES.values()]
    assert row["mean"] == pytest.approx(fmean([*ratios, 0.009]))
    assert (row["filtered"], row["left_out"]) == (pytest.approx(fmean(ratios)), 1)
    assert _by_reference(GIVEN)[LIVE]["left_out"] == 0
    (alone,) = [one for one in _made([slow])[0].records() if one["reference"] == LIVE]
    assert alone["filtered"] is None and alone["left_out"] == 1


def test_samples_of_a_task_have_one_voice() -> None:
    twice = [
        at_published_sizes("activation/relu", us, 40.0, submission=f"{us}", digest=f"{us}")
        for us in (10.0, 40.0)
    ]
    other = at_published_sizes("math/sub", 20.0, 20.0)
    row = _by_reference([*twice, other])[LIVE]
    assert row["mean"] == pytest.approx(fmean([(4.0 + 1.0) / 2, 1.0]))
    assert row["sum_over_sum"] == pytest.approx((40 + 20) / (25 + 20))
    assert row["mean_low"] is row["sum_over_sum_low"] is None, "two tasks say nothing of others"


def test_each_kernel_is_listed_with_its_sums_and_the_rows_it_lacks() -> None:
    rows: dict[Any, dict[str, Any]] = {row["task"]: row for row in _made(GIVEN)[1].records()}
    assert list(rows) == sorted(TASKS)
    sub = rows["math/sub"]
    assert (sub["rows"], sub["of"], sub["missing"]) == (15, 16, "shape=(134217728,),dtype=float32")
    assert (sub["candidate_ms"], sub["eager_ms"]) == pytest.approx((0.12, 0.06))
    assert (sub["speedup"], sub["ours"], sub["filtered_out"]) == (0.5, 0.5, False)
    assert sub["stored_speedup"] > sub["same_speedup"]
    assert rows["activation/relu"]["missing"] == ""


def test_other_sizes_have_no_stored_times_and_a_copied_column_is_named() -> None:
    ours = [made("activation/relu", 2.0, case_times=(case_time("a", 1.0, 2.0),))]
    means, _ = _made(ours)
    assert [row["reference"] for row in means.records()] == [LIVE]
    assert "not timed at the published sizes" in means.notes[-1]
    assert "are those of the RTX 5090" in _made(GIVEN, "l20")[0].notes[-1]
    assert _made(GIVEN)[0].notes == ()


def test_without_times_there_is_no_row() -> None:
    untimed = [made("activation/relu"), wrong("math/sub")]
    means, sums = _made(untimed)
    assert means.rows == sums.rows == ()
    assert "No correct kernel has times" in means.notes[-1]
