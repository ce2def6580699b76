"""The judge's clock around a runner: in which order inputs, calls, copies and readings come."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from kernelbenchx.measure.judging import POISON
from kernelbenchx.measure.walls import Wall, monotonic_ns

SLOTS, BYTES = 3, 4


class Told:
    """Everything that happens, in order; each step takes a microsecond."""

    def __init__(self) -> None:
        self.steps: list[Any] = []
        self.rooms = [torch.zeros(BYTES, dtype=torch.uint8) for _ in range(SLOTS)]
        self.name = "it"
        self.count = 0

    def now_ns(self) -> int:
        self.steps.append("look")
        return 1000 * len(self.steps)

    def synchronise(self) -> None:
        self.steps.append("wait")

    def flush(self) -> None:
        self.steps.append("flush")

    def fill(self, slot: int, storages: Sequence[torch.Tensor]) -> None:
        assert self.rooms[slot].tolist() == [POISON] * BYTES
        assert storages is not None
        self.steps.append(("fill", slot))

    def run(self, how: str, **more: Any) -> float:
        self.steps.append((how, more))
        return 0.1

    def start(self, how: str, **more: Any) -> None:
        self.steps.append(("start", how, more))
        self.count = more["count"]

    def go(self) -> None:
        self.steps.append("go")
        for slot in range(self.count):
            self.rooms[slot].fill_(slot + 1)

    def finish(self) -> float:
        self.steps.append("finish")
        return 0.5


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def wall(told: Told) -> Wall:
    clock: Any = told
    snapshots = [torch.zeros(BYTES, dtype=torch.uint8) for _ in range(SLOTS)]
    return Wall(clock, snapshots, told.now_ns)


INPUTS: list[list[torch.Tensor]] = [[], [], []]


def test_a_batch_is_timed_from_before_its_inputs_to_after_its_outputs(
    wall: Wall, told: Told
) -> None:
    runner: Any = told
    elapsed, claimed = wall.elapsed_us(runner, "batch", INPUTS, [7, 8, 9])
    assert told.steps == [
        ("start", "batch", {"count": 3, "seeds": [7, 8, 9]}),
        "wait",
        "look",
        ("fill", 0),
        ("fill", 1),
        ("fill", 2),
        "flush",
        "wait",
        "look",
        "go",
        "look",
        "wait",
        "look",
        "finish",
    ]
    assert elapsed == 10.0  # nothing is known of what is usual: all of it counts
    assert claimed == 0.5
    assert [one.tolist() for one in wall.snapshots] == [[1] * BYTES, [2] * BYTES, [3] * BYTES]


def test_fewer_calls_touch_fewer_slots(wall: Wall, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "call", INPUTS[:2], [5, 6])
    assert told.steps[0] == ("start", "call", {"count": 2, "seeds": [5, 6]})
    assert [step for step in told.steps if step[0] == "fill"] == [("fill", 0), ("fill", 1)]
    assert [one.tolist() for one in wall.snapshots] == [[1] * BYTES, [2] * BYTES, [0] * BYTES]
    assert told.rooms[2].tolist() == [0] * BYTES


def test_without_seeds_none_are_told(wall: Wall, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "batch", INPUTS)
    assert told.steps[0] == ("start", "batch", {"count": 3})


@pytest.mark.parametrize(("how", "behind"), [("no batch", True), ("no call", False)])
def test_everything_but_the_calls_without_what_the_runner_says(
    wall: Wall, told: Told, how: str, behind: bool
) -> None:
    runner: Any = told
    elapsed, claimed = wall.elapsed_us(runner, how, INPUTS)
    assert told.steps[0] == ("start", "null", {"count": 3, "behind": behind})
    assert (elapsed, claimed) == (1.5, 0.5)
    assert ("fill", 3) in wall.usual


def test_what_filling_and_taking_usually_take_is_not_counted(wall: Wall, told: Told) -> None:
    runner: Any = told
    without, spin = wall.elapsed_us(runner, "no batch", INPUTS)
    elapsed, _ = wall.elapsed_us(runner, "batch", INPUTS)
    assert without + spin == elapsed == 2.0  # the run and a look


def test_what_takes_longer_than_usual_counts(wall: Wall, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "no batch", INPUTS)
    wall.usual["fill", 3] = [x - 1.5 for x in wall.usual["fill", 3]]
    wall.usual["take", 3] = [x - 0.25 for x in wall.usual["take", 3]]
    assert wall.elapsed_us(runner, "batch", INPUTS)[0] == 3.75
    wall.usual["fill", 3] = [100.0]  # faster than usual is no reward
    wall.usual["take", 3] = [100.0]
    assert wall.elapsed_us(runner, "batch", INPUTS)[0] == 2.0


def test_a_snapshot_does_not_follow_what_comes_later(wall: Wall, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "batch", INPUTS)
    told.rooms[0].fill_(99)
    assert wall.snapshots[0].tolist() == [1] * BYTES


def test_whoever_has_results_first_does_something_that_is_not_timed(wall: Wall, told: Told) -> None:
    runner: Any = told
    wall.limber = True
    wall.elapsed_us(runner, "call", INPUTS[:1])
    first = told.steps.index("look")
    assert told.steps[:first] == [("null", {"count": 1}), ("start", "call", {"count": 1}), "wait"]
    assert ("fill", 0) in told.steps[first:]


def test_a_clock_that_only_goes_forward() -> None:
    found = [monotonic_ns() for _ in range(100)]
    assert found == sorted(found)
    assert found[-1] > 0
