from pathlib import Path

from kernelbenchx.report import roofline
from kernelbenchx.report.grid import fastest
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.site_layout import place
from kernelbenchx.store.attempts import read_attempts
from report_samples import attempt


def test_points_are_of_the_fastest_of_each_task_and_method(run: Path) -> None:
    placed = place(label_attempts(read_attempts([run])))
    points, roofs = roofline.tables(placed)
    rows = points.records()
    best = {
        one.address
        for task in placed.tasks
        for method in placed.methods
        if (one := fastest([p for p in placed.by_task[task] if p.attempt.method == method]))
    }
    assert {row["id"] for row in rows} == best
    assert all(row["low"] < row["speedup"] < row["high"] for row in rows)  # type: ignore[operator]
    assert {(row["rate"], row["value"]) for row in roofs.records()} >= {("bandwidth", 4200.0)}


PEAKS = {"fp32": 50.0, "tf32": 390.0, "fp16": 760.0, "bandwidth": 4200.0}


def test_the_number_format_is_the_one_whose_peak_the_share_refers_to() -> None:
    assert roofline.number_format(tflops=380.0, mfu=0.5, peaks=PEAKS) == "fp16"
    assert roofline.number_format(tflops=25.0, mfu=0.5, peaks=PEAKS) == "fp32"
    assert roofline.number_format(tflops=65.0, mfu=0.5, peaks=PEAKS) == "tf32x3"


def test_a_number_format_that_no_peak_explains_is_not_guessed() -> None:
    assert roofline.number_format(tflops=100.0, mfu=0.5, peaks=PEAKS) == ""
    assert roofline.number_format(tflops=0.0, mfu=0.0, peaks=PEAKS) == ""
    assert roofline.number_format(tflops=2100.0, mfu=0.5, peaks=PEAKS) == "", "no bandwidth"


def test_every_point_has_a_number_format(run: Path) -> None:
    points, _ = roofline.tables(place(label_attempts(read_attempts([run]))))
    assert {row["format"] for row in points.records()} == {"fp32"}


def test_where_nothing_was_timed_there_is_no_picture() -> None:
    assert roofline.tables(place([attempt(performance="", eager=None)])) == []
