"""KernelBench's published sizes on a device with little room."""

from dataclasses import replace

import pytest

from kernelbenchx import catalog
from kernelbenchx.measure.inputs import NoRoom
from kernelbenchx.measure.timed_tasks import TimedTasks
from timing_host import WHERE

NAME = "level1/elu"
SIZE = {"rows": 64, "columns": 1024}
"""Arguments and results together are a little over half a megabyte."""


@pytest.fixture(autouse=True)
def small_size(monkeypatch: pytest.MonkeyPatch) -> None:
    task = catalog.load(NAME)
    (case,) = task.timings
    small = replace(task, timings=(replace(case, params={**case.params, **SIZE}),))
    monkeypatch.setattr(catalog, "load", lambda name: small if name == NAME else None)


def _rows(room_bytes: int) -> tuple[int, str]:
    tasks = TimedTasks()
    task = tasks.load(NAME, 7, replace(WHERE, room_bytes=room_bytes))
    (case,) = task.timings
    return case.params["rows"], " ".join(one.why for one in tasks.left_out(NAME))


def test_a_published_size_that_fits_is_timed_as_it_is() -> None:
    assert _rows(1 << 28) == (64, "")


def test_rows_are_halved_until_they_fit_and_it_is_said() -> None:
    rows, why = _rows(5 << 19)  # a megabyte of each result is spare room
    assert 1 <= rows < 64
    assert why == f"the GPU has too little memory for 2 calls of this case; timed with rows={rows}"


def test_what_does_not_fit_with_one_row_is_one_line() -> None:
    with pytest.raises(NoRoom, match=r"^level1/elu, rows=64.*: the GPU has too little memory for"):
        _rows(1 << 10)
