"""The judge's clock around a runner: in which order inputs, calls, copies and readings come."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from kernelbenchx.measure.host_clock import SLACK_US, TOLERANCE, JudgeClock, excess, monotonic_ns
from kernelbenchx.measure.output_sampling import POISON

SLOTS, BYTES = 3, 4


class Told:
    """Everything that happens, in order; each step takes a microsecond."""

    def __init__(self) -> None:
        self.steps: list[Any] = []
        self.rooms = [torch.zeros(BYTES, dtype=torch.uint8) for _ in range(SLOTS)]
        self.inputs = [[torch.zeros(1), torch.zeros(1)] for _ in range(SLOTS)]
        self.name, self.trusted = "it", False
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
        for target, source in zip(self.inputs[slot], storages, strict=True):
            target.copy_(source)
        self.steps.append(("fill", slot))

    def run(self, how: str, **more: Any) -> float:
        self.steps.append((how, more))
        return 0.1

    def start(self, how: str, seeds: Sequence[int], **more: Any) -> None:
        self.steps.append(("start", how, list(seeds), more))
        self.count = more["count"]

    def go(self) -> None:
        self.steps.append("go")

    def wait_for_calls(self) -> None:
        self.steps.append("calls")

    def fetch_results(self) -> None:
        self.steps.append("results")
        for slot in range(self.count):
            self.rooms[slot].fill_(slot + 1)

    def finish(self) -> float:
        self.steps.append("finish")
        return 0.5


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def wall(told: Told) -> JudgeClock:
    clock: Any = told
    snapshots = [torch.zeros(BYTES, dtype=torch.uint8) for _ in range(SLOTS)]
    return JudgeClock(clock, snapshots, told.now_ns)


INPUTS = [[torch.tensor([float(slot)]), torch.tensor([10.0 + slot])] for slot in range(SLOTS)]


def test_a_batch_is_timed_from_before_its_inputs_to_after_its_outputs(
    wall: JudgeClock, told: Told
) -> None:
    runner: Any = told
    elapsed, claimed = wall.elapsed_us(runner, "batch", INPUTS, [7, 8, 9])
    assert told.steps == [
        ("start", "batch", [7, 8, 9], {"count": 3}),
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
        "calls",
        "look",
        "look",
        "results",
        "look",
        "wait",
        "look",
        "finish",
    ]
    assert elapsed == 15.0  # nothing is known of what is usual: all of it counts
    assert claimed == 0.5
    assert [one.tolist() for one in wall.snapshots] == [[1] * BYTES, [2] * BYTES, [3] * BYTES]


def test_fewer_calls_touch_fewer_slots(wall: JudgeClock, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "call", INPUTS[:2], [5, 6])
    assert told.steps[0] == ("start", "call", [5, 6], {"count": 2})
    assert [step for step in told.steps if step[0] == "fill"] == [("fill", 0), ("fill", 1)]
    assert [one.tolist() for one in wall.snapshots] == [[1] * BYTES, [2] * BYTES, [0] * BYTES]
    assert told.rooms[2].tolist() == [0] * BYTES


def test_without_seeds_none_are_told(wall: JudgeClock, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "batch", INPUTS)
    assert told.steps[0] == ("start", "batch", [], {"count": 3})


def test_what_is_around_the_calls_usually_is_not_counted(wall: JudgeClock, told: Told) -> None:
    runner: Any = told
    without, _ = wall.elapsed_us(runner, "null", INPUTS)
    elapsed, _ = wall.elapsed_us(runner, "batch", INPUTS)
    assert without == elapsed == 2.0  # until the calls have ended, and a look
    assert {what: usual for (what, _), usual in wall.usual.items()} == {
        "fill": [6.0], "wake": [2.0], "hide": [1.0], "put": [2.0], "take": [2.0],
    }  # fmt: skip


@pytest.mark.parametrize("what", ["fill", "wake", "hide", "put", "take"])
def test_what_takes_longer_than_usual_counts(wall: JudgeClock, told: Told, what: str) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "null", INPUTS)
    (took,) = wall.usual[what, 3]
    less = took - 50.0 - SLACK_US[what]
    wall.usual[what, 3] = [less]
    found = wall.elapsed_us(runner, "batch", INPUTS)[0]
    assert found == pytest.approx(2.0 + 50.0 - TOLERANCE * less)
    wall.usual[what, 3] = [100.0]  # faster than usual is no reward
    assert wall.elapsed_us(runner, "batch", INPUTS)[0] == 2.0


@pytest.mark.parametrize(
    ("lasted", "counted"), [(900.0, 0.0), (1000.0, 0.0), (1029.0, 0.0), (1130.0, 100.0)]
)
def test_a_little_longer_is_where_the_memory_lies(lasted: float, counted: float) -> None:
    assert excess("put", lasted, [1000.0, 1.0, 2000.0]) == pytest.approx(counted)
    assert excess("put", lasted, []) == lasted


@pytest.mark.parametrize(("how", "taken"), [("batch", False), ("call", False), ("null", True)])
def test_outputs_that_nobody_looks_at_are_left_where_they_are(
    wall: JudgeClock, told: Told, how: str, taken: bool
) -> None:
    """But what it usually takes to take them is measured, and before calls nothing differs."""
    runner: Any = told
    wall.unjudged = frozenset({"it"})
    wall.elapsed_us(runner, how, INPUTS)
    assert [one.tolist() for one in wall.snapshots] == [
        [slot * taken] * BYTES for slot in (1, 2, 3)
    ]


def test_others_outputs_are_taken_all_the_same(wall: JudgeClock, told: Told) -> None:
    runner: Any = told
    wall.unjudged = frozenset({"another"})
    wall.elapsed_us(runner, "batch", INPUTS)
    assert wall.snapshots[2].tolist() == [3] * BYTES


def test_a_snapshot_does_not_follow_what_comes_later(wall: JudgeClock, told: Told) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "batch", INPUTS)
    told.rooms[0].fill_(99)
    assert wall.snapshots[0].tolist() == [1] * BYTES


def test_whoever_has_results_first_does_something_that_is_not_timed(
    wall: JudgeClock, told: Told
) -> None:
    runner: Any = told
    wall.warmed_up = True
    wall.elapsed_us(runner, "call", INPUTS[:1])
    first = told.steps.index("look")
    assert told.steps[:first] == [
        ("null", {"count": 1}),
        ("start", "call", [], {"count": 1}),
        "wait",
    ]
    assert ("fill", 0) in told.steps[first:]


def _numbers(storages: Sequence[torch.Tensor]) -> list[float]:
    return [one.item() for one in storages]


@pytest.mark.parametrize("judged", [0, 1, 2, SLOTS])
@pytest.mark.parametrize("trusted", [False, True])
def test_after_the_calls_the_inputs_of_one_that_is_not_looked_at_are_in_all_slots(
    wall: JudgeClock, told: Told, judged: int, trusted: bool
) -> None:
    """What is computed instead of being copied is of another call; the judge has kept its own."""
    runner: Any = told
    told.trusted, wall.written = trusted, (1,)
    seen: list[list[list[float]]] = []

    def noting(step: Callable[[], None]) -> Callable[[], None]:
        def noted() -> None:
            seen.append([_numbers(one) for one in told.inputs])
            step()

        return noted

    runner.wait_for_calls, runner.fetch_results = (
        noting(told.wait_for_calls),
        noting(told.fetch_results),
    )
    wall.elapsed_us(runner, "batch", INPUTS, judged=judged)
    during, after = seen
    assert during == [[slot, 10.0 + slot] for slot in range(SLOTS)]
    assert len(set(wall.drawn)) == min(judged, SLOTS - 1)
    assert wall.spare not in wall.drawn
    hides = bool(judged) and not trusted
    assert after == [[wall.spare if hides else slot, 10.0 + slot] for slot in range(SLOTS)]
    if hides:
        kept = {slot: _numbers(list(one.values())) for slot, one in wall.arguments.items()}
        assert kept == {slot: during[slot] for slot in wall.drawn}


def test_where_it_is_said_which_are_looked_at_nothing_is_drawn(
    wall: JudgeClock, told: Told
) -> None:
    runner: Any = told
    wall.elapsed_us(runner, "batch", INPUTS, judged=range(2))
    assert (wall.drawn, wall.spare) == ([0, 1], 2)


@pytest.mark.parametrize(("how", "kept"), [("batch", SLOTS), ("null", 0)])
def test_what_a_trusted_process_writes_is_taken_with_its_outputs(
    wall: JudgeClock, told: Told, how: str, kept: int
) -> None:
    """Not where nothing is called: copies of others are measured by it, and theirs come sooner."""
    runner: Any = told
    told.trusted, wall.written = True, (1,)
    wall.elapsed_us(runner, how, INPUTS)
    assert {slot: list(one) for slot, one in wall.arguments.items()} == {
        slot: [1] for slot in range(kept)
    }


def test_which_outputs_are_looked_at_is_not_known_before_the_calls_have_ended(
    wall: JudgeClock, told: Told
) -> None:
    runner: Any = told
    drawn: list[Any] = []
    calls = told.wait_for_calls

    def noted() -> None:
        drawn.append(wall.drawn)
        calls()

    runner.wait_for_calls = noted
    found: set[int] = set()
    for _ in range(40):
        wall.drawn = ()
        wall.elapsed_us(runner, "batch", INPUTS, judged=1)
        found.update(wall.drawn)
    assert set(drawn) == {()}
    assert found == set(range(SLOTS))


def test_a_clock_that_only_goes_forward() -> None:
    found = [monotonic_ns() for _ in range(100)]
    assert found == sorted(found)
    assert found[-1] > 0
