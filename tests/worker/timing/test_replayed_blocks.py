"""Blocks of replayed calls: none finds what an earlier one left, in whatever way it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.timing.calls import BoundCase, Signs
from kernelbenchx.worker.timing.clocks import HostClock
from kernelbenchx.worker.timing.cubin_variables import sections_of
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.replay_program import ReplayProgram
from kernelbenchx.worker.timing.shared_memory import SharedMemory
from ptx_samples import COUNTS, assembled
from replay_samples import (
    BINARY,
    KERNELS,
    FakeKernel,
    FakeLauncher,
    digest_of,
    floats,
    launch,
    number,
    pointer,
    sample,
    view,
)

SLOTS = 3
WAYS = ["graph", "queued", "batch", "call"]


@contextmanager
def _case(
    document: dict[str, Any],
    clock: HostClock | None = None,
    dtype: str = "float16",
    launcher: FakeLauncher | None = None,
    binary: bytes = BINARY,
    **kernels: Any,
) -> Iterator[tuple[BoundCase, Any]]:
    """The calls of a plan on 16 numbers in each slot; and what the judge sees of all slots."""
    program = ReplayProgram(launcher or FakeLauncher(**{**KERNELS, **kernels}))
    program.load({}, pack(document, binary))
    tensor = {"t": "tensor", "storage": 0, "dtype": dtype, "shape": [16]}
    call = {"args": [tensor], "kwargs": {}, "init": [], "state": {}}
    layout = Layout(call, (document["buffers"][0]["nbytes"],), 512, SLOTS)
    exchange = SharedMemory.create(layout.size, "cpu")
    case = BoundCase(layout, exchange, program, clock or HostClock(), torch.device("cpu"))
    for arguments in case.arguments:
        arguments.args[0].fill_(1.0)

    def seen() -> torch.Tensor:
        rooms = [layout.room(exchange.part, slot) for slot in range(SLOTS)]
        for slot in range(SLOTS):
            case.collect(slot)
        return torch.stack([room[:64].view(torch.float32) for room in rooms])

    try:
        case.capture()
        yield case, seen
    finally:
        case.close()
        exchange.close()


@pytest.mark.parametrize("how", WAYS)
def test_every_block_of_an_honest_plan_is_right(how: str) -> None:
    with _case(sample()) as (case, seen):
        for value in (1.0, 5.0, 5.0):
            for arguments in case.arguments:
                arguments.args[0].fill_(value)
            case.run({"how": how})
            torch.testing.assert_close(seen(), torch.full((SLOTS, 16), value + 1))


@pytest.mark.parametrize("how", WAYS)
def test_what_a_kernel_leaves_alone_is_poison_in_every_block(how: str) -> None:
    document = sample()
    del document["steps"][1]  # nothing but the kernel writes the output
    works = [True]

    def add(_grid: Any, out: bytes, *_rest: bytes) -> None:
        if works[0]:
            floats(out, 16)[:] = 2.0

    with _case(document, _add=(KERNELS["_add"][0], add)) as (case, seen):
        case.run({"how": how})
        assert (seen() == 2.0).all()
        works[0] = False
        case.run({"how": how})
        assert seen().isnan().all()


def _counting() -> tuple[dict[str, Any], Any]:
    """Counts its calls in a workspace and in scratch memory, and returns both numbers."""
    document = sample()
    document["steps"] = document["steps"][3:]

    def add(_grid: Any, out: bytes, work: bytes, _factor: bytes, scratch: bytes, _: bytes) -> None:
        for place, address in enumerate((work, scratch)):
            counter = floats(address, 1).view("int32")
            counter += 1
            floats(out, 16)[place] = counter[0]

    return document, (KERNELS["_add"][0], add)


@pytest.mark.parametrize("how", WAYS)
def test_a_counter_in_a_workspace_starts_anew_in_each_block(how: str) -> None:
    document, add = _counting()
    with _case(document, _add=add) as (case, seen):
        for _ in range(3):
            case.run({"how": how})
            assert seen()[:, :2].tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]


@pytest.mark.parametrize("how", WAYS)
def test_a_variable_of_a_binary_starts_anew_in_each_block(how: str) -> None:
    binary = assembled(".global .align 4 .u32 state = 7;", COUNTS)
    document = sample()
    document["steps"] = [launch(binary, "kernel", pointer(2))]
    document["cubins"] = [[digest_of(binary), len(binary)]]
    places: list[bytes] = []

    class Loading(FakeLauncher):
        def kernel(self, cubin: bytes, name: str, shared: int) -> FakeKernel:
            (bank,) = [one for one in sections_of(cubin) if one.name == ".nv.constant4"]
            places.append(cubin[bank.start : bank.start + bank.size])
            return super().kernel(cubin, name, shared)

    def counts(_grid: Any, out: bytes) -> None:
        floats(out, 1)[0] = (state := floats(places[0], 1).view("int32"))[0]
        state += 1

    launcher = Loading(kernel=((8,), counts))
    with _case(document, launcher=launcher, binary=binary) as (case, seen):
        for _ in range(3):
            case.run({"how": how})
            assert seen()[:, 0].tolist() == [7.0, 8.0, 9.0]


def test_fewer_calls_leave_the_outputs_of_other_slots_alone() -> None:
    with _case(sample()) as (case, seen):
        case.run({"how": "queued"})
        case.run({"how": "call", "count": 1})
        case.run({"how": "null"})
        torch.testing.assert_close(seen(), torch.full((SLOTS, 16), 2.0))


def test_parts_start_anew_too() -> None:
    document, add = _counting()
    document["steps"] *= 2
    found: list[float] = []

    def noted(grid: Any, out: bytes, *rest: bytes) -> None:
        add[1](grid, out, *rest)
        found.append(float(floats(out, 16)[0]))

    with _case(document, _add=(add[0], noted)) as (case, _):
        for _ in range(2):
            found.clear()
            assert len(case.parts()["us"]) == 2
            assert found == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("how", WAYS)
def test_arguments_stay_as_they_are_also_where_they_are_the_result(how: str) -> None:
    document = sample()
    document["buffers"] = [{"t": "argument", "storage": 0, "nbytes": 64}]
    document["steps"] = [launch(BINARY, "_double", pointer(0), number("i32", 16))]
    document["result"] = {"t": "tensor", **view(0, 16)}
    with _case(document, dtype="float32") as (case, seen):
        for arguments in case.arguments:
            arguments.args[0].fill_(3.0)
        case.run({"how": how})
        assert (seen()[1:] == 6.0).all()  # the first call may have been made before


@pytest.mark.parametrize("how", WAYS)
def test_memory_is_poisoned_before_any_clock_runs(how: str) -> None:
    states: list[bool] = []

    def look() -> Any:
        own = [memory for call in case._bound for memory, _ in call.own]  # type: ignore[attr-defined]
        states.append(all(bool((memory == 0xFF).all()) for memory in own))
        return 0.0

    with _case(sample(), HostClock(look)) as (case, _):
        case.run({"how": "queued"})
        states.clear()
        case.run({"how": how}, Signs(begin=look, awake=lambda: None, called=look))
        assert states == [True, False]  # before and after the calls
