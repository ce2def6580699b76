"""Calls described beside their storages, room for results, and how many slots there are."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.core.errors import BrokenTask, EvaluatorFault
from kernelbenchx.measure.input_layout import (
    FEWEST_SLOTS,
    FIXED,
    LEAST_SLOTS,
    LONG_BATCH_S,
    MOST_CALL_S,
    MOST_SLOTS,
    SLOW_SLOTS,
    TimingDevice,
    bounds_for,
    describe_call,
    fits_cache,
    layout_for,
    output_bytes,
    require_room,
    require_same_form,
    require_timely,
    seed_of,
    slots_for,
)
from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call
from kernelbenchx.worker.timing.layout import ALIGNMENT, Layout
from timing_host import relu, small


def _rebuilt(one: Call) -> tuple[Layout, Any]:
    """The arguments as a runner sees them, in memory of its own."""
    found = describe_call(one)
    layout = layout_for(found, 512, 1, "function")
    memory = torch.zeros(layout.size, dtype=torch.uint8)

    def part(start: int, size: int) -> torch.Tensor:
        return memory[start : start + size]

    for number, storage in enumerate(found.storages):
        layout.storage(part, 0, number).copy_(storage)
    return layout, layout.arguments(part, 0, torch.device("cpu"))


def test_what_a_runner_sees_is_what_was_drawn() -> None:
    wide = torch.arange(24.0).view(4, 6)
    state = {"weight": torch.ones(3, dtype=torch.bfloat16)}
    drawn = Call(
        (wide[1:, ::2], 3, [torch.tensor(7)]), {"eps": 1e-5, "dim": None}, (4, True), state
    )
    layout, seen = _rebuilt(drawn)
    assert torch.equal(seen.args[0], wide[1:, ::2])
    assert seen.args[0].stride() == (6, 2)
    assert seen.args[1:] == (3, [torch.tensor(7)])
    assert seen.kwargs == {"eps": 1e-5, "dim": None}
    assert seen.init == (4, True)
    assert torch.equal(seen.state["weight"], state["weight"])
    assert Layout.from_json(layout.to_json()) == layout


def test_tensors_that_share_memory_share_a_storage_and_others_do_not() -> None:
    whole = torch.zeros(8)
    found = describe_call(call(whole, whole[4:], torch.zeros(8), out=whole.view(2, 4)))
    assert found.indices == (0, 0, 1, 0)
    assert [storage.numel() for storage in found.storages] == [32, 32]


def test_empty_tensors_have_storages_of_their_own() -> None:
    found = describe_call(call(torch.zeros(0), torch.zeros(0, 3), torch.ones(1)))
    assert found.indices == (0, 1, 2)
    assert [storage.numel() for storage in found.storages] == [0, 0, 4]


def test_stand_ins_stay_stand_ins_and_seeds_are_not_told() -> None:
    found = describe_call(call(GeneratorSeed(77), device=CaseDevice()))
    assert found.template["args"] == [{"t": "generator", "v": 0}]
    assert found.template["kwargs"] == {"device": {"t": "device"}}
    assert "77" not in str(found.template)


def test_the_seed_of_a_call_is_its_generator_s() -> None:
    assert seed_of(call(1, generator=GeneratorSeed(5)), 9) == 5
    assert seed_of(call(GeneratorSeed(6)), 9) == 6
    assert seed_of(call(1), 9) == 9


def test_there_is_room_for_what_the_reference_returns_and_some_more() -> None:
    task = relu()
    room = output_bytes(task.native(task.draw(task.timings[0], 1), "cpu"))
    assert room % ALIGNMENT == 0
    assert 64 * 33 * 4 < room < 64 * 33 * 4 * 2 + (2 << 20)
    qr = small("linear_algebra/qr", shape=(600, 400), dtype=torch.float32)
    both = (600 * 400 + 400 * 400) * 4
    assert output_bytes(qr.native(qr.draw(qr.timings[0], 1), "cpu")) > both


@pytest.mark.parametrize(
    ("stride", "cache", "room", "slots"),
    [
        (1 << 30, 50 << 20, 100 << 30, FEWEST_SLOTS),
        (10 << 20, 50 << 20, 100 << 30, 20),
        (1 << 10, 50 << 20, 100 << 30, MOST_SLOTS),
        (1 << 30, 50 << 20, 3 << 30, 3),
        (0, 0, 1 << 30, FEWEST_SLOTS),
    ],
)
def test_slots_exceed_the_cache_and_not_the_memory(
    stride: int, cache: int, room: int, slots: int
) -> None:
    assert slots_for(stride, 0.0, TimingDevice("cpu", cache, room)) == slots


@pytest.mark.parametrize(
    ("call_s", "room", "slots"),
    [
        (0.0, 100 << 30, MOST_SLOTS),
        (0.0005, 100 << 30, MOST_SLOTS),
        (0.002, 100 << 30, 10),
        (0.019, 100 << 30, SLOW_SLOTS),
        (60.0, 100 << 30, SLOW_SLOTS),
        (60.0, 2 << 30, 2),
        (0.002, 5 << 30, 5),
    ],
)
def test_slots_do_not_take_the_reference_long(call_s: float, room: int, slots: int) -> None:
    assert slots_for(1 << 30, call_s, TimingDevice("cpu", 50 << 30, room)) == slots


@pytest.mark.parametrize(
    ("call_s", "slots"), [(1e-3, FEWEST_SLOTS), (2e-4, 10), (2e-5, MOST_SLOTS), (0.0, MOST_SLOTS)]
)
def test_slots_take_the_reference_long_enough_together(call_s: float, slots: int) -> None:
    where = TimingDevice("cpu", 0, 100 << 30, least_s=2e-3)
    assert slots_for(1 << 30, call_s, where) == slots
    assert slots_for(1 << 30, call_s, TimingDevice("cpu", 0, 100 << 30)) == FEWEST_SLOTS


@pytest.mark.parametrize(
    ("call_s", "room", "most"),
    [
        (0.0, 100 << 30, MOST_SLOTS),
        (0.0, 7 << 30, 7),
        (LONG_BATCH_S / 5.5, 100 << 30, 5),
        (1.0, 100 << 30, 0),
    ],
)
def test_for_who_is_quick_there_may_be_as_many_slots_as_memory_and_the_reference_allow(
    call_s: float, room: int, most: int
) -> None:
    found = bounds_for(1 << 30, call_s, TimingDevice("cpu", 0, room, least_s=3.0))
    assert (found.least_s, found.most) == (3.0, most)


@pytest.mark.parametrize(
    ("stride", "calls", "fewest"), [(1 << 30, 1, FEWEST_SLOTS), (1 << 30, 9, 9), (10 << 20, 1, 10)]
)
def test_for_who_is_slow_there_are_enough_slots_to_exceed_the_cache_and_for_the_contract(
    stride: int, calls: int, fewest: int
) -> None:
    where = TimingDevice("cpu", 50 << 20, 100 << 30)
    assert bounds_for(stride, 0.0, where, calls).fewest == fewest
    lasting = replace(where, least_s=1e-9)
    assert bounds_for(stride, 0.0, lasting, calls).fewest == FIXED.fewest > MOST_SLOTS


@pytest.mark.parametrize(
    ("call_s", "fits"), [(0.0075, True), (0.0047, True), (0.0009, True), (0.00085, False)]
)
def test_a_reference_that_is_slow_leaves_too_few_slots_to_exceed_the_cache(
    call_s: float, fits: bool
) -> None:
    """As in qr: what a call touches is less than its stride, which has room to spare."""
    where, touched = TimingDevice("cuda:0", 66 << 20, 100 << 30), 3 << 20
    slots = slots_for(touched + (1 << 20), call_s, where)
    assert fits_cache(touched, slots, where) is fits


def test_what_fits_into_the_cache_exactly_fits_and_a_host_has_none() -> None:
    card, host = TimingDevice("cuda:0", 12, 0), TimingDevice("cpu", 12, 0)
    assert fits_cache(4, 3, card)
    assert not fits_cache(4, 4, card) and not fits_cache(5, 3, card)
    assert not fits_cache(4, 3, host)


@pytest.mark.parametrize(("calls", "least"), [(1, LEAST_SLOTS), (2, 2), (3, 3), (9, 9)])
def test_there_are_always_enough_slots_for_two_values_and_for_the_contract(
    calls: int, least: int
) -> None:
    scarce, plenty = TimingDevice("cpu", 0, 1), TimingDevice("cpu", 0, 100 << 30)
    assert slots_for(1 << 30, 0.0, scarce, calls) == least
    assert slots_for(1 << 30, 60.0, plenty, calls) == max(least, SLOW_SLOTS)


@pytest.mark.parametrize(("calls", "least"), [(1, LEAST_SLOTS), (3, 3)])
def test_a_card_without_room_for_them_is_refused(calls: int, least: int) -> None:
    stride = 1 << 20
    require_room("a/task, n=3", stride, TimingDevice("cuda", 0, least * stride), calls)
    with pytest.raises(EvaluatorFault) as refused:
        require_room("a/task, n=3", stride, TimingDevice("cuda", 0, least * stride - 1), calls)
    words = f"a/task, n=3: the GPU has too little memory for {least} calls of this case"
    assert str(refused.value) == words


def test_a_case_that_takes_eager_too_long_on_a_card_is_a_broken_task() -> None:
    card, host = TimingDevice("cuda:0", 0, 0), TimingDevice("cpu", 0, 0)
    require_timely("a/task, n=3", MOST_CALL_S, card)
    require_timely("a/task, n=3", 60.0, host)
    with pytest.raises(BrokenTask) as refused:
        require_timely("a/task, n=3", 0.0801, card)
    words = "a/task, n=3: eager takes 80 ms; no timed case may take more than 50 ms"
    assert str(refused.value) == words


def test_draws_may_differ_in_values_only() -> None:
    first = describe_call(call(torch.zeros(4), 3))
    layout = layout_for(first, 512, 2, "function")
    require_same_form(layout, [first, describe_call(call(torch.ones(4), 3))], "a/task")
    for other in (
        call(torch.zeros(5), 3),
        call(torch.zeros(4), 4),
        call(torch.zeros(8)[:4], 3),
        call(torch.zeros(4, dtype=torch.int32), 3),
        call(torch.zeros(8)[::2], 3),
    ):
        with pytest.raises(BrokenTask, match="a/task"):
            require_same_form(layout, [first, describe_call(other)], "a/task")
