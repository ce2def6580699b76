from pathlib import Path

from kernelbenchx.report import roofline
from kernelbenchx.report.grid import fastest
from kernelbenchx.report.labels import labelled
from kernelbenchx.report.placing import place
from kernelbenchx.store.attempts import read_attempts
from report_samples import attempt


def test_points_are_of_the_fastest_of_each_task_and_method(run: Path) -> None:
    placed = place(labelled(read_attempts([run])))
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


def test_where_nothing_was_timed_there_is_no_picture() -> None:
    assert roofline.tables(place([attempt(performance="", eager=None)])) == []
