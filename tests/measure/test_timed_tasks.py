"""Published sizes as timing cases, and those that a device cannot time."""

from dataclasses import replace

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.measure import case_inputs
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.input_layout import TimingDevice, require_timely
from kernelbenchx.measure.timed_tasks import TimedTasks, published_cases
from timing_host import WHERE

NAME = "activation/relu"
FEW = tuple({"shape": (n,), "dtype": "float32"} for n in (64, 4096, 1 << 22))


@pytest.fixture(autouse=True)
def few_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIZES, NAME, FEW)


def _shapes(tasks: TimedTasks, where: TimingDevice = WHERE) -> list[tuple[int, ...]]:
    return [case.params["shape"] for case in tasks.load(NAME, 7, where).timings]


def test_names_of_dtypes_become_dtypes() -> None:
    assert [case.params["dtype"] for case in published_cases(NAME)] == [torch.float32] * 3
    assert published_cases(NAME)[1].name == "shape=(4096,),dtype=float32"


def test_ours_are_the_timings_of_the_file() -> None:
    tasks = TimedTasks()
    assert tasks.load(NAME, 7, WHERE) is catalog.load(NAME)
    assert tasks.list_left_out(NAME) == ()


def test_a_size_without_room_is_left_out_before_it_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []
    of = CaseInputs.of

    def noted(task: object, name: str, case: object, *rest: object) -> CaseInputs:
        drawn.append(case)
        return of(task, name, case, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(CaseInputs, "of", noted)
    tasks = TimedTasks("published")
    assert _shapes(tasks, replace(WHERE, room_bytes=1 << 22)) == [(64,), (4096,)]
    (left_out,) = tasks.list_left_out(NAME)
    assert left_out.case == "shape=(4194304,),dtype=float32" and len(drawn) == 2
    assert left_out.why == "the GPU has too little memory for 2 calls of this case"
    assert _shapes(tasks) == [(64,), (4096,)] and len(drawn) == 2, "looked at once"
    assert _shapes(TimedTasks("published"), replace(WHERE, room_bytes=1 << 28)) == [
        one["shape"] for one in FEW
    ]


def test_a_size_that_takes_eager_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(place: str, _seconds: float, where: TimingDevice) -> None:
        gpu = replace(where, device="cuda:0")
        require_timely(place, 0.06 if "(4096,)" in place else 0.0, gpu)

    monkeypatch.setattr(case_inputs, "require_timely", slow)
    tasks = TimedTasks("published")
    assert _shapes(tasks, replace(WHERE, room_bytes=1 << 28)) == [(64,), (1 << 22,)]
    assert [one.why for one in tasks.list_left_out(NAME)] == [
        "eager takes 60 ms; no timed case may take more than 50 ms"
    ]


def test_a_size_that_fills_the_memory_is_left_out_and_other_faults_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(CaseInputs, "of", full)
    tasks = TimedTasks("published")
    assert _shapes(tasks) == []
    assert tasks.list_left_out(NAME)[0].why == "the GPU has too little memory"
    monkeypatch.setattr(CaseInputs, "of", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        _shapes(TimedTasks("published"))


def test_a_bench_has_the_forms_of_its_sizes() -> None:
    found = Bench.for_device("cpu", 7, ("eager",), "published").layouts(NAME)
    assert [layout.call["args"][0]["shape"] for layout in found] == [[64], [4096], [1 << 22]]
