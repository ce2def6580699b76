import math
from pathlib import Path

from kernelbenchx.analysis.attempt import Speed
from kernelbenchx.report.site_layout import place
from kernelbenchx.report.task_files import COLUMNS, statements, write_tasks
from report_samples import attempt, unpacked


def test_a_task_has_its_statement_and_a_row_per_attempt(run: Path, site: Path) -> None:
    said = statements([run])
    assert len(said) == 12
    first = unpacked(site / "data" / "tasks" / "0.js")
    assert first["task"] in said
    assert first["statement"]["signature"]
    assert first["columns"] == list(COLUMNS)
    assert {len(row) for row in first["rows"]} == {len(COLUMNS)}
    assert len(first["rows"]) == 4


def test_a_task_without_a_statement_is_shown_without(tmp_path: Path) -> None:
    write_tasks(tmp_path, place([attempt()]), {})
    assert unpacked(tmp_path / "tasks" / "0.js")["statement"] is None


def test_a_number_that_is_none_is_left_empty(tmp_path: Path) -> None:
    odd = Speed(speedup=math.inf, low=math.nan, high=1.0, speed_class="undecided")
    write_tasks(tmp_path, place([attempt(eager=odd)]), {})
    (row,) = unpacked(tmp_path / "tasks" / "0.js")["rows"]
    named = dict(zip(COLUMNS, row, strict=True))
    assert (named["speedup"], named["low"], named["high"]) == (None, None, 1.0)
