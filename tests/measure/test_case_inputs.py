"""Blocks of fresh inputs: the same for the same seed, never the same twice, of one form."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.errors import BrokenTask, EvaluatorFault
from kernelbenchx.measure import case_inputs
from kernelbenchx.measure.case_inputs import Block, CaseInputs
from kernelbenchx.measure.input_layout import FEWEST_SLOTS, MOST_CALL_S, MOST_SLOTS, TimingDevice
from kernelbenchx.spec import Call, Draw, call
from kernelbenchx.spec.call import GeneratorSeed
from kernelbenchx.spec.task import Task
from timing_host import WHERE, Pretended, inputs_of, relu, small


@pytest.fixture(autouse=True)
def took(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the reference takes, as far as anybody knows."""
    found = [0.0]
    real = case_inputs._warm_call

    def warm_call(*given: Any) -> tuple[float, Any]:
        return found[0], real(*given)[1]

    monkeypatch.setattr(case_inputs, "_warm_call", warm_call)
    return found


def _values(block: Block) -> list[tuple[bytes, ...]]:
    return [tuple(storage.numpy().tobytes() for storage in storages) for storages in block.storages]


def _inputs(seed: int = 77, where: TimingDevice = WHERE) -> CaseInputs:
    task = relu()
    return CaseInputs.of(task, "activation/relu", task.timings[0], seed, where)


def test_a_block_is_a_function_of_the_run_s_seed_and_its_number() -> None:
    once, again = _inputs().draw_block(3), _inputs().draw_block(3)
    assert _values(once) == _values(again)
    assert once.seeds is None
    assert len(once.calls) == len(once.storages) == _inputs().layout.slots


def test_a_block_of_the_first_few_slots_has_the_same_values() -> None:
    inputs = _inputs()
    few, whole = inputs.draw_block(3, 2), inputs.draw_block(3)
    assert (few.slots, whole.slots) == (2, inputs.layout.slots)
    assert whole.slots > 2
    assert _values(few) == _values(whole)[:2]
    assert _rand().draw_block(3, 2).seeds == _rand().draw_block(3).seeds[:2]  # type: ignore[index]


def test_the_inputs_of_a_submission_are_its_own_and_always_the_same() -> None:
    inputs = _inputs()
    one, same, other = (inputs.for_submission(digest) for digest in ("a", "a", "b"))
    assert _values(one.draw_block(3)) == _values(same.draw_block(3))
    assert one.layout == other.layout == inputs.layout
    numbers = (-2, -1, 0, 1)
    found = [
        value
        for inputs_of_one in (inputs, one, other)
        for number in numbers
        for value in _values(inputs_of_one.draw_block(number))
    ]
    assert len(set(found)) == len(found)


def test_what_a_submission_is_to_draw_is_its_own_too() -> None:
    inputs = _rand()
    assert (
        inputs.for_submission("a").draw_block(3).seeds
        == inputs.for_submission("a").draw_block(3).seeds
    )
    assert (
        inputs.for_submission("a").draw_block(3).seeds
        != inputs.for_submission("b").draw_block(3).seeds
    )


def test_no_values_come_twice() -> None:
    inputs = _inputs()
    found = [
        value for number in (-3, -2, -1, 0, 1, 2) for value in _values(inputs.draw_block(number))
    ]
    found += _values(_inputs(78).draw_block(0))
    assert len(set(found)) == len(found)


def test_storages_are_those_of_the_calls() -> None:
    block = _inputs().draw_block(0)
    for one, (storage,) in zip(block.calls, block.storages, strict=True):
        assert storage.data_ptr() == one.args[0].data_ptr()


def test_the_device_decides_how_many_slots_there_are() -> None:
    single = _inputs().layout.stride
    for cached, room, slots in ((0, 100, FEWEST_SLOTS), (2, 100, 8), (2, 5, 5), (0, 3, 3)):
        where = TimingDevice("cpu", cached * single, room * single)
        assert _inputs(where=where).layout.slots == slots


def test_a_slow_reference_has_few_slots(took: list[float]) -> None:
    where = TimingDevice("cpu", 1 << 40, 1 << 40)
    assert _inputs(where=where).layout.slots == MOST_SLOTS
    took[:] = [0.005]
    assert _inputs(where=where).layout.slots == 4


@pytest.mark.parametrize(
    ("call_s", "slots"),
    [
        (1e-3, None),  # twelve take long enough
        (0.9e-3, None),  # and two more would not be worth it
        (0.5e-3, 24),
        (1e-5, MOST_SLOTS),
    ],
)
def test_for_a_candidate_that_is_quicker_there_are_more_slots(
    call_s: float, slots: int | None, took: list[float]
) -> None:
    took[0] = 1e-3
    inputs = _inputs(where=replace(WHERE, room_bytes=1 << 28, least_s=0.012)).for_submission("a")
    assert inputs.layout.slots == 12
    longer = inputs.longer(call_s)
    if slots is None:
        assert longer is None
        return
    assert longer is not None
    assert longer.layout == replace(inputs.layout, slots=slots)
    assert _values(longer.draw_block(0))[:12] == _values(inputs.draw_block(0))
    assert longer.longer(1e-9) is None and not longer.may_be_shorter  # once


def test_where_nobody_waits_for_the_first_launch_slots_stay_as_they_are() -> None:
    assert _inputs().longer(1e-9) is None


@pytest.mark.parametrize(
    ("call_s", "slots"),
    [
        (1e-3, None),  # all of them take as long as they should
        (1.2e-3, 16),
        (1.0, FEWEST_SLOTS),
    ],
)
def test_for_a_candidate_that_is_slow_there_are_fewer_slots(
    call_s: float, slots: int | None
) -> None:
    inputs = _inputs(where=replace(WHERE, cache_bytes=5 << 20, room_bytes=1 << 28)).for_submission(
        "a"
    )
    assert inputs.layout.slots == 20
    inputs = replace(inputs, bounds=replace(inputs.bounds, fewest=FEWEST_SLOTS))
    assert inputs.may_be_shorter
    shorter = inputs.shorter(call_s)
    if slots is None:
        assert shorter is None
        return
    assert shorter is not None
    assert shorter.layout == replace(inputs.layout, slots=slots)
    assert shorter.longer(1e-9) is None and not shorter.may_be_shorter


def test_where_there_are_few_slots_it_does_not_matter_who_is_slow() -> None:
    assert not _inputs().may_be_shorter
    assert _inputs().shorter(60.0) is None


def test_the_first_few_of_a_block() -> None:
    inputs = _rand()
    few, whole = inputs.draw_block(3).first(2), inputs.draw_block(3)
    assert few.slots == 2
    assert whole.seeds is not None and few.seeds == whole.seeds[:2]
    assert _values(_inputs().draw_block(3).first(2)) == _values(_inputs().draw_block(3, 2))
    assert _inputs().draw_block(3).first(2).seeds is None


def test_the_first_call_of_a_reference_is_not_the_one_that_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    passing = Pretended(noise=0.0)
    steps = [1000.0, 0.01, 0.02]

    def slow(x: torch.Tensor) -> torch.Tensor:
        passing.pass_by(steps.pop(0))
        return torch.relu(x)

    monkeypatch.setattr(case_inputs, "time", SimpleNamespace(perf_counter=passing.now))
    task = replace(relu(), reference=slow)
    drawn = task.draw(task.timings[0], 1)
    took, outputs = case_inputs._warm_call(task, drawn, "cpu")
    assert took == pytest.approx(0.01)
    assert outputs.leaves[0].value.shape == drawn.args[0].shape
    assert steps == []


class Card(TimingDevice):
    """Memory and clock are the host's, and how long eager may take is what a card allows."""

    most_call_s = MOST_CALL_S


CARD = Card("cpu", 1 << 12, 1 << 22)


def _takes(*steps: float, monkeypatch: pytest.MonkeyPatch) -> tuple[Task, list[float]]:
    """A task whose eager takes so long, call by call, then as the last; and what its calls took."""
    passing, left, took = Pretended(noise=0.0), list(steps), []

    def eager(x: torch.Tensor) -> torch.Tensor:
        took.append(left.pop(0) if len(left) > 1 else left[0])
        passing.pass_by(took[-1])
        return torch.relu(x)

    monkeypatch.setattr(case_inputs, "time", SimpleNamespace(perf_counter=passing.now))
    return replace(relu(), eager=eager), took


def _made(task: Task, where: TimingDevice = CARD) -> CaseInputs:
    return CaseInputs.of(task, "activation/relu", task.timings[0], 77, where)


@pytest.mark.parametrize(
    ("steps", "calls"),
    [
        ((MOST_CALL_S * 0.99,), 1),
        ((9.0, 0.01), 2),
        ((9.0, 8.0, 0.01), 3),
        ((0.2,) * 9 + (0.01,), 10),
    ],
)
def test_a_case_is_taken_once_eager_is_quick_enough(
    steps: tuple[float, ...], calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first calls are cold, and others may work on the card for a while."""
    task, calls_made = _takes(*steps, monkeypatch=monkeypatch)
    assert _made(task).layout.slots == 3
    assert len(calls_made) == calls


@pytest.mark.parametrize(("step", "calls"), [(0.0501, 100), (0.5, 10), (60.0, 3)])
def test_a_case_whose_eager_stays_slow_is_refused_with_its_name(
    step: float, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, calls_made = _takes(step, monkeypatch=monkeypatch)
    with pytest.raises(BrokenTask, match="no timed case may take more than 50 ms") as refused:
        _made(task)
    assert str(refused.value).startswith(f"activation/relu, {task.timings[0].name}: eager takes")
    assert len(calls_made) == calls


def test_on_a_host_any_time_will_do_and_eager_is_not_even_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task, calls_made = _takes(60.0, monkeypatch=monkeypatch)
    assert _made(task, WHERE).layout == _made(replace(task, eager=None), WHERE).layout
    assert calls_made == []


def test_copies_of_arguments_and_the_making_of_a_module_are_no_time_of_eager(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passing = Pretended(noise=0.0)
    took = [0.01]

    class Slow(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            passing.pass_by(9.0)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            passing.pass_by(took[0])
            return torch.relu(x)

    monkeypatch.setattr(case_inputs, "time", SimpleNamespace(perf_counter=passing.now))
    task = replace(relu(), reference=Slow)
    assert _made(task).layout.form == "module"
    took[:] = [0.06]
    with pytest.raises(BrokenTask, match="eager takes 60 ms"):
        _made(task)


def test_there_are_slots_for_two_values_and_for_the_contract_or_the_case_is_refused() -> None:
    task = relu()
    random = replace(task, contract=_rand().task.contract)
    single = _made(task, WHERE).layout.stride
    for one, calls in ((task, 2), (random, 3)):
        enough = TimingDevice("cpu", 0, calls * single)
        assert _made(one, enough).layout.slots == calls
        with pytest.raises(EvaluatorFault, match=f"too little memory for {calls} calls"):
            _made(one, replace(enough, room_bytes=calls * single - 1))


def _rand() -> CaseInputs:
    task = small("random/rand", shape=(64,), dtype=torch.float32)
    return inputs_of(task, "random/rand")


def test_calls_with_generators_have_their_seeds() -> None:
    block = _rand().draw_block(1)
    assert block.seeds is not None
    given = [one.kwargs["generator"] for one in block.calls]
    assert [GeneratorSeed(seed) for seed in block.seeds] == given
    assert len(set(block.seeds)) == len(block.seeds)


def test_random_tasks_without_generators_have_seeds_that_nobody_knows() -> None:
    task = replace(relu(), randomness="randint")
    inputs = CaseInputs.of(task, "activation/relu", task.timings[0], 77, WHERE)
    first, second = inputs.draw_block(0).seeds, inputs.draw_block(1).seeds
    assert first is not None and second is not None
    assert len({*first, *second}) == 2 * inputs.layout.slots
    assert inputs.draw_block(0).seeds == first


def test_a_repeated_block_holds_one_call_as_often_as_the_contract_asks() -> None:
    inputs = _rand()
    assert inputs.task.contract.calls == 3 <= inputs.layout.slots
    block = inputs.draw_repeated_block(4)
    assert block.seeds is not None
    first, second, third = block.seeds[:3]
    assert first == third != second
    assert block.seeds[0] == inputs.draw_block(4).seeds[0]  # type: ignore[index]


def test_where_one_call_is_enough_nothing_is_repeated() -> None:
    inputs = _inputs()
    assert _values(inputs.draw_repeated_block(2)) == _values(inputs.draw_block(2))


def test_a_task_whose_inputs_change_their_form_cannot_be_timed() -> None:
    sizes: Iterator[int] = iter(range(5, 100))

    def growing(draw: Draw, **_: object) -> Call:
        return call(draw.normal((next(sizes),), torch.float32))

    task = replace(relu(), inputs=growing)
    inputs = CaseInputs.of(task, "activation/relu", task.timings[0], 77, WHERE)
    with pytest.raises(BrokenTask, match="differ in form"):
        inputs.draw_block(0)


def test_storages_that_calls_of_the_case_write_are_known() -> None:
    update = small("optimizer/AdamW", shape=(40,), dtype=torch.float32, step=3)
    changed = inputs_of(update, "optimizer/AdamW").changed
    assert 0 < len(changed) < len(inputs_of(update, "optimizer/AdamW").layout.storages)
    reading = small("math/softmax", shape=(8, 9), dim=1, dtype=torch.float32)
    assert inputs_of(reading, "math/softmax").changed == ()


@pytest.mark.parametrize(("inplace", "changed"), [(False, ()), (True, (0,))])
def test_what_may_be_written_is_not_written_in_every_case(
    inplace: bool, changed: tuple[int, ...]
) -> None:
    task = small("activation/relu", shape=(8, 9), dtype=torch.float32, inplace=inplace)
    assert task.writes
    assert inputs_of(task, "activation/relu").changed == changed
