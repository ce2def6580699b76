"""What is taken of timed calls: which outputs are kept, and what is copied of them."""

import random
from collections import Counter
from typing import Any

import pytest
import torch

from kernelbenchx.measure.output_sampling import (
    OutputReservoir,
    OutputSnapshot,
    SampledOutput,
    copy_output,
)
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from timing_host import inputs_of, relu, serving

RELU = relu()


def _token(number: int) -> SampledOutput:
    any_call: Any = None
    return SampledOutput(str(number % 1), any_call, {"number": number}, torch.empty(0), (), None)


def test_every_output_is_as_likely_to_be_kept_as_any_other() -> None:
    chance, found = random.Random(5), Counter[int]()
    for _ in range(4000):
        drawing = OutputReservoir(2, chance)
        for number in range(6):
            place = drawing.choose_place("0")
            if place is not None:
                drawing.keep(place, _token(number))
        numbers = [taken.described["number"] for taken in drawing.kept["0"]]
        assert len(set(numbers)) == 2
        found.update(numbers)
    assert all(abs(found[number] - 4000 * 2 / 6) < 160 for number in range(6))


def test_the_quickest_block_of_each_runner_is_known() -> None:
    drawing = OutputReservoir(2, random.Random(5))
    times = {"a": [5.0, 6.0, 4.0, 4.0], "b": [9.0, 8.0]}
    found = {key: [drawing.is_quickest(key, one) for one in some] for key, some in times.items()}
    assert found == {"a": [True, False, True, False], "b": [True, True]}
    drawing.keep(0, _token(1))
    drawing.quickest["0"] = [_token(2)]
    assert [one.described["number"] for one in drawing.outputs()] == [1, 2]


def test_each_runner_has_its_own_places_and_none_where_nothing_is_kept() -> None:
    drawing = OutputReservoir(1, random.Random(1))
    assert drawing.choose_place("a") == 0
    assert drawing.choose_place("b") == 0
    nothing = OutputReservoir(0, random.Random(1))
    assert [nothing.choose_place("a") for _ in range(5)] == [None] * 5


def test_arguments_count_as_they_were_when_the_clock_stopped() -> None:
    inputs = inputs_of(RELU)
    block = inputs.draw_block(3)
    with serving("entry 0", SubmissionProgram(torch.relu, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        for slot, storages in enumerate(block.storages):
            runner.fill(slot, storages)
        runner.run("batch")
        stopped = torch.full_like(runner.inputs[0][0], 7)
        snapshot = OutputSnapshot(runner.rooms[0].clone(), {0: stopped})
        with_it = copy_output(runner, 0, block.calls[0], snapshot)
        without = copy_output(runner, 0, block.calls[0], OutputSnapshot(runner.rooms[0].clone()))
    assert torch.equal(with_it.storages[0], stopped)
    assert torch.equal(without.storages[0], block.storages[0][0])


@pytest.mark.parametrize("told", [[], [None], ["result"], [7]])
def test_who_says_nothing_sensible_of_a_result_has_said_nothing(told: list[Any]) -> None:
    inputs = inputs_of(RELU)
    block = inputs.draw_block(3)
    with serving("entry 0", SubmissionProgram(torch.relu, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        runner.run("batch")
        snapshot = OutputSnapshot(runner.rooms[0].clone())
        assert copy_output(runner, 0, block.calls[0], snapshot).described["aliases"] == [-1]
        runner.descriptions = told
        assert copy_output(runner, 0, block.calls[0], snapshot).described == {}
