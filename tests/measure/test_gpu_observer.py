"""With a driver that is pretended, since NVML's answers come with a card."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from kernelbenchx.core.performance import Observation
from kernelbenchx.measure import gpu_observer
from kernelbenchx.measure.gpu_observer import find_disturbance, list_throttling, make_observer

UUID = "b4532c28-272a-a21e-6905-7810d31c1cee"
REFUSED = 3


class Driver:
    """Answers as NVML does: a code, and the value through a pointer."""

    def __init__(self, reasons: int = 0, processes: tuple[int, ...] | None = ()) -> None:
        self.reasons = reasons
        self.processes = processes

    def nvmlInit_v2(self) -> int:
        return 0

    def nvmlDeviceGetHandleByUUID(self, name: bytes, _handle: Any) -> int:
        return 0 if name == f"GPU-{UUID}".encode() else REFUSED

    def nvmlDeviceGetClockInfo(self, _handle: Any, which: int, value: Any) -> int:
        value._obj.value = {1: 1980, 2: 3201}[which]
        return 0

    def nvmlDeviceGetTemperature(self, _handle: Any, _sensor: int, value: Any) -> int:
        value._obj.value = 33
        return 0

    def nvmlDeviceGetPowerUsage(self, _handle: Any, value: Any) -> int:
        value._obj.value = 134_660
        return 0

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, _handle: Any, value: Any) -> int:
        assert isinstance(value._obj, ctypes.c_ulonglong)
        value._obj.value = self.reasons
        return 0

    def nvmlDeviceGetComputeRunningProcesses_v3(self, _handle: Any, count: Any, rows: Any) -> int:
        if self.processes is None:
            return REFUSED
        for row, pid in zip(rows, self.processes, strict=False):
            row.pid = pid
        count._obj.value = len(self.processes)
        return 0


class RenamedDriver(Driver):
    def nvmlDeviceGetCurrentClocksEventReasons(self, _handle: Any, value: Any) -> int:
        value._obj.value = 0x20
        return 0


class SilentDriver(Driver):
    """Knows the card and answers nothing."""

    def nvmlDeviceGetClockInfo(self, *_: Any) -> int:
        return REFUSED

    def nvmlDeviceGetTemperature(self, *_: Any) -> int:
        return REFUSED

    def nvmlDeviceGetPowerUsage(self, *_: Any) -> int:
        return REFUSED

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, *_: Any) -> int:
        return REFUSED


def test_a_card_tells_clocks_heat_and_power() -> None:
    assert make_observer(UUID, Driver())({1}) == Observation(
        sm_mhz=1980, memory_mhz=3201, temperature_c=33, power_w=134.66
    )


def test_a_prefixed_uuid_names_the_same_card() -> None:
    assert make_observer(f"GPU-{UUID}", Driver())(()).sm_mhz == 1980


@pytest.mark.parametrize("uuid", ["", "another"])
def test_a_card_that_the_driver_does_not_know_says_nothing(uuid: str) -> None:
    assert make_observer(uuid, Driver())(()) == Observation()


def test_without_nvml_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_observer, "LIBRARY", "libnvidia-ml-that-is-not-there.so")
    assert make_observer(UUID)(()) == Observation()


def test_a_question_without_an_answer_is_none() -> None:
    assert make_observer(UUID, SilentDriver(processes=None))({1}) == Observation()


@pytest.mark.parametrize(
    ("reasons", "words"),
    [
        (0x0, ()),
        (0x1, ()),  # idle
        (0x4, ("power cap",)),
        (0x48, ("hardware slowdown", "hardware thermal slowdown")),
        (0xA0, ("software thermal slowdown", "power brake")),
    ],
)
def test_reasons_for_lower_clocks_become_words(reasons: int, words: tuple[str, ...]) -> None:
    assert make_observer(UUID, Driver(reasons))(()).throttled == words


def test_the_newer_name_of_the_question_is_used_where_there_is_one() -> None:
    assert make_observer(UUID, RenamedDriver())(()).throttled == ("software thermal slowdown",)


@pytest.mark.parametrize(
    ("listed", "own", "strangers"),
    [
        ((10, 11), {10, 11}, 0),
        ((10, 11, 12), {10, 11}, 1),
        ((10, 10, 12, 12), {10}, 1),
        ((12,), {10}, None),  # ids of another namespace, ours among them
        ((), {10}, None),  # a container that sees none, not even ours
        ((), set(), None),
        ((12, 13), set(), 2),
        (None, {10}, None),
    ],
)
def test_strangers_are_counted_only_in_a_list_that_can_be_read(
    listed: tuple[int, ...] | None, own: set[int], strangers: int | None
) -> None:
    assert make_observer(UUID, Driver(processes=listed))(own).other_processes == strangers


QUIET = Observation(sm_mhz=1980, other_processes=0)


@pytest.mark.parametrize(
    ("seen", "word"),
    [
        (Observation(throttled=("hardware thermal slowdown",)), "hardware thermal slowdown"),
        (Observation(throttled=("power cap", "power brake")), "power brake"),
        (Observation(other_processes=1), "another process was on the GPU"),
        (Observation(other_processes=3), "3 other processes were on the GPU"),
    ],
)
@pytest.mark.parametrize("order", [lambda a, b: (a, b), lambda a, b: (b, a)])
def test_a_slowed_or_shared_card_is_disturbed(
    seen: Observation,
    word: str,
    order: Callable[[Observation, Observation], tuple[Observation, Observation]],
) -> None:
    assert word in find_disturbance(*order(QUIET, seen))


@pytest.mark.parametrize(
    "seen", [QUIET, Observation(), Observation(throttled=("power cap", "application clocks"))]
)
def test_a_card_under_load_is_not(seen: Observation) -> None:
    assert find_disturbance(QUIET, seen) == ""


def test_a_power_cap_is_worth_a_remark_and_a_thermal_slowdown_is_more_than_that() -> None:
    capped = Observation(throttled=("power cap", "hardware thermal slowdown"))
    assert list_throttling(QUIET, capped) == ("power cap",)
    assert list_throttling(QUIET, QUIET) == ()
