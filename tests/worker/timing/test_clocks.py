"""The host's clock, and what a card's clock asks of a card, in which order."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.worker.timing import clocks
from kernelbenchx.worker.timing.clocks import GpuClock, HostClock, clock_of
from timing_host import Pretended


def _counting(time: Pretended, seconds: float) -> tuple[Any, list[int]]:
    made: list[int] = []

    def call() -> int:
        time.pass_by(seconds)
        made.append(len(made))
        return made[-1]

    return call, made


def test_calls_one_after_another_take_their_sum() -> None:
    time = Pretended(noise=0.0)
    call, made = _counting(time, 2e-6)
    found = time.clock().time_queued([call] * 3)
    assert found.us == pytest.approx(6.0)
    assert found.results == made == [0, 1, 2]
    assert not found.ahead  # the calls are the host's own work


def test_a_graph_on_the_host_makes_the_calls_again_and_has_the_new_results() -> None:
    time = Pretended(noise=0.0)
    clock = time.clock()
    call, made = _counting(time, 5e-6)
    captured = clock.capture([call, call])
    assert captured.results == [0, 1]
    assert clock.graph_us(captured) == pytest.approx(10.0)
    assert captured.results == [2, 3]
    assert len(made) == 4


def test_a_call_that_raises_is_not_captured() -> None:
    def broken() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        HostClock().capture([broken])


def test_the_device_decides_which_clock_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[torch.device] = []
    monkeypatch.setattr(torch.cuda, "set_device", chosen.append)
    assert isinstance(clock_of(torch.device("cpu")), HostClock)
    assert chosen == []
    assert isinstance(clock_of(torch.device("cuda:1")), GpuClock)
    assert chosen == [torch.device("cuda:1")]


class Stream:
    """Takes down what would be queued on a card; each step of it takes a millisecond."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.queued: list[str] = []
        self.cycles: list[int] = []
        stream = self

        class Event:
            def __init__(self, *, enable_timing: bool) -> None:
                assert enable_timing
                self.at = -1

            def record(self) -> None:
                self.at = stream.step("event")

            def query(self) -> bool:
                return "wait" in stream.queued[self.at :]

            def elapsed_time(self, later: "Event") -> float:
                assert stream.queued[-1] == "wait"
                return float(later.at - self.at)

        monkeypatch.setattr(torch.cuda, "set_device", lambda _device: None)
        monkeypatch.setattr(torch.cuda, "Event", Event)
        monkeypatch.setattr(torch.cuda, "_sleep", self.spin, raising=False)
        monkeypatch.setattr(torch.cuda, "synchronize", lambda _device=None: self.step("wait"))
        monkeypatch.setattr(clocks, "_FLUSH_BYTES", 1)

    def spin(self, cycles: int) -> None:
        self.cycles.append(cycles)
        self.step("spin")

    def step(self, what: str) -> int:
        self.queued.append(what)
        return len(self.queued)


class Flushing(GpuClock):
    """Without memory of a card."""

    stream: Stream

    def flush(self) -> None:
        self.stream.step("flush")


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Flushing:
    stream = Stream(monkeypatch)
    clock = Flushing(torch.device("cuda:0"))
    clock.stream = stream
    return clock


def test_on_a_card_calls_queue_behind_a_spin_after_the_cache_is_emptied(card: Flushing) -> None:
    found = card.time_queued([lambda: card.stream.step("call")] * 2)
    assert card.stream.queued == ["flush", "spin", "event", "call", "call", "event", "wait"]
    assert found.us == 3000.0
    assert found.results == [4, 5]


@pytest.mark.parametrize("waits", [False, True])
def test_who_waits_for_the_card_in_a_call_does_not_queue_ahead_of_it(
    card: Flushing, waits: bool
) -> None:
    assert card.time_queued([card.synchronise if waits else list]).ahead is not waits


def test_a_device_is_touched_and_waited_for(
    card: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    little = SimpleNamespace(zero_=lambda: card.stream.step("little"))
    monkeypatch.setattr(torch, "zeros", lambda *_size, **_where: little)
    card.touch()
    assert card.stream.queued == ["little", "wait"]
    HostClock().touch()


def test_a_graph_is_one_launch_and_waits_for_a_shorter_spin(card: Flushing) -> None:
    captured: Any = SimpleNamespace(replay=lambda: card.stream.step("graph"))
    assert card.graph_us(captured) == 2000.0
    assert card.stream.queued == ["flush", "spin", "event", "graph", "event", "wait"]
    card.time_queued([])
    short, long = card.stream.cycles
    assert 0 < short < long


def test_on_a_card_each_part_is_between_two_events_of_its_call(card: Flushing) -> None:
    def slow() -> None:
        for _ in range(3):
            card.stream.step("slow")

    parts = [lambda: card.stream.step("quick"), slow]
    assert card.parts_us([parts, parts]) == [4000.0, 8000.0]
    call = ["event", "quick", "event", *["slow"] * 3, "event"]
    assert card.stream.queued == ["flush", "spin", *call, *call, "wait"]


def test_parts_on_the_host_take_their_own_time() -> None:
    time = Pretended(noise=0.0)
    parts = [_counting(time, seconds)[0] for seconds in (1e-6, 3e-6)]
    assert time.clock().parts_us([parts] * 2) == pytest.approx([2.0, 6.0])


class Graphs:
    """Captures on a card that is not there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.streams: list[Any] = ["usual"]
        self.states: list[Any] = []
        self.ended: list[Any] = []
        graphs = self

        class Generator:
            device = "cuda:0"

            def __init__(self, _device: str) -> None: ...

            def graphsafe_get_state(self) -> str:
                return "new"

            def graphsafe_set_state(self, state: str) -> None:
                graphs.states.append(state)

        @contextmanager
        def graph(_graph: Any, pool: str) -> Iterator[None]:
            assert pool == "pool"
            self.streams.append("capturing")
            yield  # as torch: a capture that fails stays where it is
            self.streams.append("usual")

        cuda = torch.cuda
        monkeypatch.setattr(cuda, "CUDAGraph", SimpleNamespace)
        monkeypatch.setattr(cuda, "graph", graph)
        monkeypatch.setattr(cuda, "current_stream", lambda: self.streams[-1])
        monkeypatch.setattr(cuda, "set_stream", self.streams.append)
        monkeypatch.setattr(cuda, "current_device", lambda: 0)
        monkeypatch.setattr(cuda, "graph_pool_handle", lambda: "pool")
        monkeypatch.setattr(torch._C, "_cuda_endAllocateToPool", self.end, raising=False)
        monkeypatch.setattr(cuda, "default_generators", (Generator(""),))
        monkeypatch.setattr(torch, "Generator", Generator)

    def end(self, device: int, pool: str) -> None:
        self.ended.append((device, pool))
        raise RuntimeError("not currently recording")  # as torch, where it has ended


def test_a_capture_that_fails_leaves_no_stream_no_generator_and_no_pool_behind(
    card: Flushing, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = Graphs(monkeypatch)
    assert card.capture([lambda: 1]).results == [1]
    assert graphs.states == graphs.ended == []
    with pytest.raises(ZeroDivisionError):
        card.capture([lambda: 1 // 0])
    assert graphs.streams[-1] == "usual"
    assert graphs.states == ["new"]
    assert graphs.ended == [(0, "pool")]
