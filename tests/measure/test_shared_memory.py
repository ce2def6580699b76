"""Memory that a runner shares outlives a case: used again where it is large enough."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.worker.timing.layout import Layout
from timing_host import Loadable, serving

TENSOR = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}
SMALL = Layout({"args": [TENSOR], "kwargs": {}, "init": [], "state": {}}, (8,), 512, 2)
LARGE = replace(SMALL, slots=9)


@pytest.fixture
def runner() -> Iterator[RunnerClient]:
    with serving("one", Loadable(lambda x: x + 1.0, "function"), trusted=True) as found:
        yield found


def _works(runner: RunnerClient, layout: Layout, value: float) -> bool:
    """The last slot's result is that of the values that were filled in."""
    slot = layout.slots - 1
    runner.fill(slot, [torch.full((2,), value).view(torch.uint8)])
    runner.run("batch")
    return bool((runner.rooms[slot][:8].view(torch.float32) == value + 1.0).all())


def test_a_case_that_fits_takes_over_the_memory(runner: RunnerClient) -> None:
    runner.open(LARGE)
    assert _works(runner, LARGE, 3.0)
    before = runner.exchange
    for layout in (SMALL, LARGE, SMALL):
        runner.open(layout)
        assert runner.exchange is before
        assert (runner.layout, len(runner.inputs), len(runner.rooms)) == (
            layout,
            layout.slots,
            layout.slots,
        )
        assert _works(runner, layout, 4.0)


def test_a_case_that_does_not_fit_gets_new_memory(runner: RunnerClient) -> None:
    runner.open(SMALL)
    before = runner.exchange
    runner.open(LARGE)
    assert runner.exchange is not before
    assert before is not None and before.descriptor == -1
    assert _works(runner, LARGE, 5.0)


def test_memory_is_given_back_on_both_sides(runner: RunnerClient) -> None:
    runner.release()  # nothing was shared
    runner.open(SMALL)
    runner.release()
    assert (runner.exchange, runner.layout, runner.inputs, runner.rooms) == (None, None, [], [])
    with pytest.raises(RunnerFailed, match="no case is open"):
        runner.run("batch")
    with pytest.raises(RunnerFailed, match="no memory is shared") as failed:
        runner.ask({"op": "case"}, 10.0, SMALL.to_json().encode())
    assert failed.value.runner == "one"
    runner.open(SMALL)
    assert _works(runner, SMALL, 6.0)


def test_memory_that_the_other_side_could_not_map_is_not_used_again(
    runner: RunnerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError("the card is full")

    with monkeypatch.context() as patched:
        patched.setattr("kernelbenchx.worker.timing.loop.SharedMemory.attach", refuse)
        with pytest.raises(RunnerFailed, match="the card is full"):
            runner.open(SMALL)
    assert runner.exchange is None
    runner.open(SMALL)
    assert _works(runner, SMALL, 7.0)


def test_who_hangs_up_after_sharing_leaves_nothing_open(runner: RunnerClient) -> None:
    runner.open(SMALL)
    shared = runner.exchange
    runner.close()
    assert shared is not None and shared.descriptor == -1
    with pytest.raises(RunnerFailed, match="Gone"):
        runner.open(LARGE)


def test_other_memory_is_seen_by_nobody() -> None:
    program = Loadable(lambda x: x + 1.0, "function")
    with (
        serving("one", program, trusted=True) as one,
        serving("two", program, trusted=True) as two,
    ):
        one.open(SMALL)
        two.open(SMALL)
        assert _works(one, SMALL, 8.0)
        assert set(two.rooms[1].tolist()) == {0}
