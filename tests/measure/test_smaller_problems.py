"""KernelBench's published sizes on a device with little room."""

from dataclasses import replace

import pytest

from kernelbenchx import catalog
from kernelbenchx.measure.input_layout import NoRoom
from kernelbenchx.measure.timed_tasks import TimedTasks
from timing_host import WHERE

NAME = "level1/elu"
catalog_load = catalog.load
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
    return case.params["rows"], " ".join(one.why for one in tasks.list_left_out(NAME))


def test_a_published_size_that_fits_is_timed_as_it_is() -> None:
    assert _rows(1 << 28) == (64, "")


def test_rows_are_halved_until_they_fit_and_it_is_said() -> None:
    rows, why = _rows(5 << 19)  # a megabyte of each result is spare room
    assert 1 <= rows < 64
    assert why == f"the GPU has too little memory for 2 calls of this case; timed with rows={rows}"


def test_what_never_fits_is_one_line() -> None:
    with pytest.raises(NoRoom, match=r"^level1/elu, rows=64.*: the GPU has too little memory for"):
        _rows(1 << 10)


def test_weights_that_leave_no_room_shrink_with_other_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fewer rows change nothing: the widths of the layers do."""
    name, sizes = "level3/mlp", {"rows": 4, "wide": 1024, "first": 512, "second": 256, "out": 8}
    task = catalog_load(name)
    (case,) = task.timings
    small = replace(task, timings=(replace(case, params={**case.params, **sizes}),))
    monkeypatch.setattr(catalog, "load", lambda _name: small)
    tasks = TimedTasks()
    (case,) = tasks.load(name, 7, replace(WHERE, room_bytes=3 << 20)).timings
    assert case.params == {**case.params, **sizes, "wide": 128, "first": 256}
    (left_out,) = tasks.list_left_out(name)
    assert left_out.why.endswith("calls of this case; timed with wide=128, first=256")
