"""Cards as slots: the one with the fewest submissions is next; benches start beside and end."""

import os
import queue
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate import gpu_slots as cards_module
from kernelbenchx.evaluate.gpu_lock import PARKED, PATIENCE, GpuLock
from kernelbenchx.evaluate.gpu_slots import MOST_RUNNERS, REPLAYING, GpuSlot, GpuSlots
from kernelbenchx.evaluate.replay_processes import PAIRS
from kernelbenchx.runner.gpu_lease import GpuLease
from kernelbenchx.runner.gpu_users import live_users, user_of
from kernelbenchx.runner.zygote_process import MOST_CHILDREN


class FakeBench:
    def __init__(self, fault: bool = False) -> None:
        self.seen, self.closed = queue.SimpleQueue[str](), 0
        self._fault = fault
        self.expected: list[str] = []
        self.gate, self.may_end = GpuLock(1, 1), threading.Event()

    def measure_peaks(self) -> None:
        self.seen.put("peaks, alone" if self.gate._owned else "peaks beside others")
        assert self.may_end.wait(60.0)
        if self._fault:
            raise EvaluatorFault("no card")

    def expect(self, tasks: Sequence[str]) -> None:
        self.expected += tasks

    def list_compilations(self) -> list[ReferenceCompilation]:
        if self._fault:
            raise EvaluatorFault("no card")
        return [
            ReferenceCompilation(task=n, seconds=1.0, cases=1, fell_back=False)
            for n in self.expected
        ]

    def layouts(self, task: str) -> list[Any]:
        self.seen.put(task)
        if self._fault:
            raise EvaluatorFault("no card")
        return []

    def close(self) -> None:
        self.closed += 1


def _cards(*benches: FakeBench) -> GpuSlots:
    made: list[Any] = list(benches)
    return GpuSlots(tuple(GpuSlot(n, bench.gate, bench) for n, bench in enumerate(made)))


def test_submissions_are_spread_and_stay_where_they_are() -> None:
    cards = _cards(FakeBench(), FakeBench())
    with ExitStack() as stack:
        given = [stack.enter_context(cards.assign_gpu()).index for _ in range(4)]
        assert sorted(given) == [0, 0, 1, 1]
    with cards.assign_gpu() as first, cards.assign_gpu() as second:
        assert {first.device, second.device} == {"cuda:0", "cuda:1"}


def test_a_card_is_given_back_also_after_a_failure() -> None:
    cards = _cards(FakeBench(), FakeBench())
    with cards.assign_gpu() as kept:
        for _ in range(3):
            with pytest.raises(ValueError, match="inside"), cards.assign_gpu() as other:
                assert other is not kept
                raise ValueError("inside")


@pytest.mark.parametrize(
    ("wanted", "jobs", "indices", "sharers"),
    [((), 6, (0, 1, 2), 2), ((1,), 6, (1,), 6), ((0, 2), 1, (0, 2), 1)],
)
def test_the_cards_that_are_named_or_all(
    monkeypatch: pytest.MonkeyPatch,
    wanted: tuple[int, ...],
    jobs: int,
    indices: tuple[int, ...],
    sharers: int,
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    settings = Settings(device="cuda", gpus=wanted, jobs=jobs, baselines=("eager", "compile"))
    cards = GpuSlots.of(settings, 5)
    assert tuple(slot.index for slot in cards.slots) == indices
    for slot in cards.slots:
        assert (slot.bench.device, slot.bench.seed) == (slot.device, 5)
        assert slot.bench.baselines == ("eager", "compile")
        with ExitStack() as stack:
            for _ in range(sharers):
                stack.enter_context(slot.gate.acquire_shared())
    cards.close()  # nothing was started


@pytest.mark.parametrize("cards", [1, 4, 9])
@pytest.mark.parametrize("jobs", [1, 16, MOST_CHILDREN - 24])
def test_there_are_never_more_processes_than_a_parent_may_have(
    monkeypatch: pytest.MonkeyPatch, jobs: int, cards: int
) -> None:
    """Else who has a card waits for room to replay, and those with the room wait for the card."""
    monkeypatch.setattr(torch.cuda, "device_count", lambda: cards)
    crews = GpuSlots.of(Settings(device="cuda", jobs=jobs), 5).process_slots.most
    assert jobs + cards * PAIRS + crews * MOST_RUNNERS <= MOST_CHILDREN
    assert jobs + max(REPLAYING, cards * PAIRS) + (crews + 1) * MOST_RUNNERS > MOST_CHILDREN


def test_a_group_is_smaller_than_what_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    (slot,) = GpuSlots.of(Settings(device="cuda", jobs=1), 5).slots
    assert slot.gate._patience == PATIENCE < PARKED


def test_somebody_is_timed_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    assert GpuSlots.of(Settings(device="cuda", jobs=MOST_CHILDREN), 5).process_slots.most == 1


@pytest.mark.parametrize("fault", [False, True])
def test_where_no_peaks_were_ever_kept_they_are_measured_before_anybody_uses_the_card(
    monkeypatch: pytest.MonkeyPatch, fault: bool
) -> None:
    monkeypatch.setattr(cards_module, "is_kept", lambda _uuid: False)
    bench = FakeBench(fault)
    _cards(bench).start(("a/task",))
    assert bench.gate._owned, "a submission could be there already"
    assert bench.seen.get(timeout=60.0) == "peaks, alone" and not bench.expected
    bench.may_end.set()
    assert bench.seen.get(timeout=60.0) == "a/task" and bench.expected == ["a/task"]
    with bench.gate.acquire_shared():
        pass  # it was given back


def test_nobody_waits_for_ever_for_a_start_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_uuid: str) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(cards_module, "is_kept", fails)
    (slot,), ready = _cards(FakeBench()).slots, threading.Event()
    with pytest.raises(ZeroDivisionError):
        cards_module._start_bench(slot, ("a/task",), ready)
    assert ready.is_set()


def test_where_peaks_are_known_nobody_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards_module, "is_kept", lambda _uuid: True)
    bench = FakeBench()
    _cards(bench).start(("a/task",))
    assert bench.seen.get(timeout=60.0) == "a/task"


def test_benches_start_beside_everything_else_and_a_fault_is_not_ours_to_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cards_module, "is_kept", lambda _uuid: True)
    benches = FakeBench(), FakeBench(fault=True)
    cards = _cards(*benches)
    cards.start(("a/task", "b/task"))
    assert [benches[0].seen.get(timeout=60.0) for _ in range(2)] == ["a/task", "b/task"]
    assert benches[1].seen.get(timeout=60.0) == "a/task"
    assert benches[0].expected == ["a/task", "b/task"]
    assert [one.task for one in cards.list_compilations()] == ["a/task", "b/task"]
    cards.close()
    assert [bench.closed for bench in benches] == [1, 1]


def test_each_card_has_the_lease_of_its_uuid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(cards_module, "gpu_uuid", lambda index: f"uuid {index}")
    cards = GpuSlots.of(Settings(device="cuda"), 5, "runs/mine")
    assert [slot.lease.uuid for slot in cards.slots] == ["uuid 0", "uuid 1"]
    assert all(slot.bench.lease is slot.lease for slot in cards.slots)
    with cards.slots[0].gate.acquire_exclusive():
        held = user_of(tmp_path / "GPU-uuid 0.lock")
        assert held is not None and held.words == f"pid {os.getpid()} (runs/mine)"
        assert [one.run for one in live_users("uuid 0")] == ["runs/mine"]
        assert live_users("uuid 1") == []
    assert user_of(tmp_path / "GPU-uuid 0.lock") is None
    cards.close()
    assert live_users("uuid 0") == []


def test_stopping_ends_those_that_wait_for_another_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(cards_module, "gpu_uuid", lambda _index: "fake")
    cards, faults = GpuSlots.of(Settings(device="cuda"), 5), queue.SimpleQueue[str]()

    def wait() -> None:
        try:
            with cards.slots[0].gate.acquire_shared():
                faults.put("it was let in")
        except EvaluatorFault as fault:
            faults.put(str(fault))

    with GpuLease("fake").alone():
        threading.Thread(target=wait, daemon=True).start()
        with pytest.raises(queue.Empty):
            faults.get(timeout=0.2)
        cards.stop_waiting()
        assert "closed while it waited" in faults.get(timeout=60.0)
