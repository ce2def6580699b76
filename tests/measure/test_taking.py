"""What is taken of timed calls: which outputs are kept, and what is copied of them."""

import random
from collections import Counter
from typing import Any

import pytest
import torch

from kernelbenchx.measure.taking import Drawing, Snapshot, Taken, take
from kernelbenchx.worker.timing.entry import Entry
from timing_host import inputs_of, relu, serving

RELU = relu()


def _token(number: int) -> Taken:
    any_call: Any = None
    return Taken(str(number % 1), any_call, {"number": number}, torch.empty(0), (), None)


def test_every_output_is_as_likely_to_be_kept_as_any_other() -> None:
    chance, found = random.Random(5), Counter[int]()
    for _ in range(4000):
        drawing = Drawing(2, chance)
        for number in range(6):
            place = drawing.place("0")
            if place is not None:
                drawing.keep(place, _token(number))
        numbers = [taken.described["number"] for taken in drawing.kept["0"]]
        assert len(set(numbers)) == 2
        found.update(numbers)
    assert all(abs(found[number] - 4000 * 2 / 6) < 160 for number in range(6))


def test_the_quickest_block_of_each_runner_is_known() -> None:
    drawing = Drawing(2, random.Random(5))
    times = {"a": [5.0, 6.0, 4.0, 4.0], "b": [9.0, 8.0]}
    found = {key: [drawing.is_quickest(key, one) for one in some] for key, some in times.items()}
    assert found == {"a": [True, False, True, False], "b": [True, True]}
    drawing.keep(0, _token(1))
    drawing.quickest["0"] = [_token(2)]
    assert [one.described["number"] for one in drawing.outputs()] == [1, 2]


def test_each_runner_has_its_own_places_and_none_where_nothing_is_kept() -> None:
    drawing = Drawing(1, random.Random(1))
    assert drawing.place("a") == 0
    assert drawing.place("b") == 0
    nothing = Drawing(0, random.Random(1))
    assert [nothing.place("a") for _ in range(5)] == [None] * 5


def test_arguments_count_as_they_were_when_the_clock_stopped() -> None:
    inputs = inputs_of(RELU)
    block = inputs.block(3)
    with serving("entry 0", Entry(torch.relu, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        for slot, storages in enumerate(block.storages):
            runner.fill(slot, storages)
        runner.run("batch")
        stopped = torch.full_like(runner.inputs[0][0], 7)
        snapshot = Snapshot(runner.rooms[0].clone(), {0: stopped})
        with_it = take(runner, 0, block.calls[0], snapshot)
        without = take(runner, 0, block.calls[0], Snapshot(runner.rooms[0].clone()))
    assert torch.equal(with_it.storages[0], stopped)
    assert torch.equal(without.storages[0], block.storages[0][0])


@pytest.mark.parametrize("told", [[], [None], ["result"], [7]])
def test_who_says_nothing_sensible_of_a_result_has_said_nothing(told: list[Any]) -> None:
    inputs = inputs_of(RELU)
    block = inputs.block(3)
    with serving("entry 0", Entry(torch.relu, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        runner.run("batch")
        snapshot = Snapshot(runner.rooms[0].clone())
        assert take(runner, 0, block.calls[0], snapshot).described["aliases"] == [-1]
        runner.told = told
        assert take(runner, 0, block.calls[0], snapshot).described == {}
