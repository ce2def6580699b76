"""The processes around a submission: who takes part by which clock, and in how many slots."""

from contextlib import ExitStack
from dataclasses import replace

import torch

from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.timed_runners import TimedRunners, fill_slots
from timing_host import Loadable, Pretended, inputs_of, relu, serving

INPUTS = inputs_of(relu())


def _runners(stack: ExitStack, name: str, count: int, *, trusted: bool) -> list[RunnerClient]:
    return [
        stack.enter_context(
            serving(f"{name} {n}", Loadable(torch.relu, "function"), trusted=trusted)
        )
        for n in range(count)
    ]


def _crew(stack: ExitStack, *, replays: int = 2, entries: int = 1) -> TimedRunners:
    return TimedRunners(
        _runners(stack, "entry", entries, trusted=False),
        _runners(stack, "replay", replays, trusted=True),
        {"eager": _runners(stack, "eager", 2, trusted=True)},
    )


def test_replays_are_for_the_cards_clock_and_entries_for_a_callers() -> None:
    with ExitStack() as stack:
        devices, calls = _crew(stack).sides(replayed=True)
        assert [side.runner.name for side in devices] == [
            "replay 0", "replay 1", "eager 0", "eager 1"
        ]  # fmt: skip
        assert [side.runner.name for side in calls] == ["entry 0", "entry 0", "eager 0", "eager 1"]
        assert [side.pair for side in calls] == [0, 1, 0, 1]
        assert [side.role for side in calls] == ["candidate"] * 2 + ["eager"] * 2


def test_without_replays_the_entries_are_for_both() -> None:
    with ExitStack() as stack:
        devices, calls = _crew(stack, replays=0, entries=2).sides(replayed=False)
        assert devices == calls
        assert [side.runner.name for side in devices[:2]] == ["entry 0", "entry 1"]


def test_everybody_gets_another_number_of_slots_and_values_in_all_of_them() -> None:
    with ExitStack() as stack:
        crew, clock = _crew(stack), Pretended().clock()
        for slots in (3, 5, 2):
            inputs = replace(INPUTS, layout=replace(INPUTS.layout, slots=slots))
            block = inputs.draw_block(-1)
            crew.resize(inputs.layout, block, clock)
            for runner in (*crew.entries, *crew.replays, *crew.references):
                assert len(runner.rooms) == slots
                for found, given in zip(runner.inputs, block.storages, strict=True):
                    assert all(map(torch.equal, found, given))
                runner.run("batch", count=slots)


def test_filling_fills_what_there_is() -> None:
    with ExitStack() as stack:
        (runner,) = _runners(stack, "eager", 1, trusted=True)
        runner.open(INPUTS.layout)
        block = INPUTS.draw_block(-1)
        fill_slots(runner, block.first(1), Pretended().clock())
        assert torch.equal(runner.inputs[0][0], block.storages[0][0])
        assert not torch.equal(runner.inputs[1][0], block.storages[1][0])
