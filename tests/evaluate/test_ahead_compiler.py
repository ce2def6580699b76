"""Who asks for compiling ahead: forms without values, and no failure that matters."""

import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import ahead_compiler as ahead_module
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.ahead_compiler import AheadCompiler, PrioritySemaphore, Urgency
from kernelbenchx.evaluate.calls import plan_slots
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan
from kernelbenchx.worker.frames import pack, unpack
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.order import Order
from kernelbenchx.worker.timing.layout import Layout
from timing_stage import LAYOUTS

TASK = "activation/relu"
FIRST, SECOND = (pack({"kind": "compiled", "files": []}, name) for name in (b"1", b"2"))


class Children:
    """In place of the warm compiler: writes what is planned, the last forever."""

    def __init__(self, *results: bytes | None) -> None:
        self.orders: list[Order] = []
        self.limits: list[Limits] = []
        self.most = self._now = 0
        self._results = list(results)
        self._lock = threading.Lock()

    def run(self, order: Path, result: Path, limits: Limits) -> Ending:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            self.orders.append(Order.parse(order.read_bytes()))
            self.limits.append(limits)
            told = self._results.pop(0) if len(self._results) > 1 else self._results[0]
        time.sleep(0.02)
        if told is not None:
            result.write_bytes(told)
        with self._lock:
            self._now -= 1
        return Ending(lost=told is None)


def _ahead(children: Children, target: str = "sm_90") -> AheadCompiler:
    workers: Any = SimpleNamespace(
        zygotes={"ahead": children}, settings=Settings(device="cuda", compile_time_limit_s=9.0)
    )
    return AheadCompiler(workers, lambda _index: target)


def _attempt() -> EvaluationState:
    known = facts(TASK)
    submission = Submission(name="mine", task=TASK, source=witness_source(TASK))
    return EvaluationState(submission, known, accepted_entries(known))


def _plan(attempt: EvaluationState) -> CallPlan:
    return stages.plan_for(attempt, "cuda", plan_slots(TASK, 1, 2), 33, Settings(device="cuda"))


class Bench:
    def __init__(self, fault: bool = False) -> None:
        self._fault = fault

    def layouts(self, task: str) -> list[Layout]:
        assert task == TASK
        if self._fault:
            raise EvaluatorFault("no bench")
        return LAYOUTS


def _card(fault: bool = False) -> Any:
    return SimpleNamespace(index=0, bench=Bench(fault))


def _untold(_stage: str) -> None:
    """Nobody watches."""


def test_who_waits_for_a_place_is_not_said_to_be_compiled() -> None:
    attempt, told = _attempt(), list[str]()
    ahead = _ahead(Children(FIRST, SECOND))
    ahead.compile_for_checks(attempt, _plan(attempt), _card(), told.append)
    assert told == ["waiting", "compiling"]
    ahead.compile_for_timing(attempt, _card(), told.append)
    assert told[2:] == ["waiting", "waiting", "compiling"]


def test_calls_go_as_forms_without_values_each_once() -> None:
    attempt, children = _attempt(), Children(FIRST)
    plan = _plan(attempt)
    assert _ahead(children).compile_for_checks(attempt, plan, _card(), _untold) == replace(
        plan, compiled=FIRST
    )
    assert attempt.compiled == FIRST
    (order,) = children.orders
    header = order.header
    assert (header["mode"], header["target"], header["seed"]) == ("ahead", "sm_90", plan.seed)
    assert not header["all_configurations"] and header["source"] == plan.source
    assert header["calls"] == [] and bytes(order.payload) == b""
    forms = header["layouts"]
    assert 1 < len(forms) == len(set(forms)) < len(plan.calls)
    assert children.limits[0].wall_s == 9.0


def test_for_times_every_configuration_comes_beside_what_is_there() -> None:
    attempt, children = _attempt(), Children(SECOND)
    attempt.compiled = FIRST
    _ahead(children).compile_for_timing(attempt, _card(), _untold)
    assert attempt.compiled == FIRST + SECOND
    (order,) = children.orders
    assert order.header["all_configurations"]
    assert order.header["layouts"] == [layout.to_json() for layout in LAYOUTS]
    assert [bytes(frame.payload) for frame in order.compiled] == [b"1"]


def _needs(registers: int, name: str = "k", **more: object) -> dict[str, object]:
    return {"name": name, "ok": True, "registers": registers, "configuration": None, **more}


def test_kernels_are_known_by_what_they_need_on_the_inputs_that_are_timed() -> None:
    checks = pack({"kind": "kernels", "kernels": [_needs(20), _needs(30, "tuned")]})
    tuned = _needs(99, "tuned", configuration={"BLOCK": 64})
    times = pack({"kind": "kernels", "kernels": [_needs(80), tuned, "nonsense"]})
    attempt, ahead = _attempt(), _ahead(Children(checks, times))
    ahead.compile_for_checks(attempt, _plan(attempt), _card(), _untold)
    known = [(one.name, one.registers, one.target) for one in attempt.kernels]
    assert known == [("k", 20, "sm_90"), ("tuned", 30, "sm_90")]
    ahead.compile_for_timing(attempt, _card(), _untold)
    assert [(one.name, one.registers) for one in attempt.kernels] == [("k", 80), ("tuned", 30)]


def test_both_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for room, kept in ((len(FIRST + SECOND), FIRST + SECOND), (len(FIRST + SECOND) - 1, FIRST)):
        monkeypatch.setattr(ahead_module, "MOST_BYTES", room)
        attempt, ahead = _attempt(), _ahead(Children(FIRST, SECOND))
        ahead.compile_for_checks(attempt, _plan(attempt), _card(), _untold)
        ahead.compile_for_timing(attempt, _card(), _untold)
        assert attempt.compiled == kept


@pytest.mark.parametrize("result", [None, b"", b"garbage", bytes(2000)])
def test_a_failure_costs_only_time(result: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_module, "MOST_BYTES", 1000)
    monkeypatch.setattr(ahead_module, "_HEADERS", 100)
    attempt, ahead = _attempt(), _ahead(Children(result))
    plan = _plan(attempt)
    assert ahead.compile_for_checks(attempt, plan, _card(), _untold) == plan
    ahead.compile_for_timing(attempt, _card(), _untold)
    assert attempt.compiled == b"" and attempt.kernels == []


def test_for_an_unknown_card_nobody_is_asked() -> None:
    attempt, children = _attempt(), Children(FIRST)
    plan = _plan(attempt)
    assert _ahead(children, "").compile_for_checks(attempt, plan, _card(), _untold) == plan
    assert children.orders == []


def test_a_bench_that_fails_says_so_later() -> None:
    attempt, children = _attempt(), Children(SECOND)
    attempt.compiled = FIRST
    _ahead(children).compile_for_timing(attempt, _card(fault=True), _untold)
    assert attempt.compiled == FIRST and children.orders == []


@pytest.mark.parametrize(("cores", "most"), [(1, 1), (4, 1), (7, 3)])
def test_some_cores_are_left_to_others(
    cores: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    children = Children(FIRST)
    ahead = _ahead(children)
    threads = [
        threading.Thread(target=ahead.compile_for_timing, args=(_attempt(), _card(), _untold))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert len(children.orders) == 6 and children.most == most


def test_a_real_compiler_compiles_each_form_once(pipeline: Pipeline) -> None:
    attempt = _attempt()
    # The session's compiler differs from one for a card only in what it loads beforehand.
    zygotes = {"ahead": pipeline.workers.zygotes["compile"]}
    workers: Workers = replace(pipeline.workers, zygotes=zygotes)
    ahead = AheadCompiler(workers, lambda _index: "sm_90")
    plan = ahead.compile_for_checks(attempt, _plan(attempt), _card(), _untold)
    assert len(list(unpack(attempt.compiled))) > 1
    assert attempt.kernels and all(one.registers > 0 for one in attempt.kernels)
    ahead.compile_for_checks(attempt, plan, _card(), _untold)
    assert attempt.compiled == b""  # all was there


def _gone(places: PrioritySemaphore, wanted: list[Urgency]) -> list[Urgency]:
    """In which order they went, when all of them wait behind one that is there already."""
    order: list[Urgency] = []

    def go(urgency: Urgency) -> None:
        with places.acquire(urgency):
            order.append(urgency)

    threads = []
    with places.acquire((0, 0)):
        for urgency in wanted:
            threads.append(threading.Thread(target=go, args=(urgency,)))
            threads[-1].start()
            time.sleep(0.01)
        assert not order
    for thread in threads:
        thread.join(60.0)
    return order


def test_the_most_urgent_goes_first() -> None:
    wanted = [(1, 900), (1, 20), (0, 5000), (1, 20)]
    assert _gone(PrioritySemaphore(1), wanted) == [(0, 5000), (1, 20), (1, 20), (1, 900)]


@pytest.mark.parametrize("count", [1, 3])
def test_no_more_than_there_is_room_for(count: int) -> None:
    places, lock, full = PrioritySemaphore(count), threading.Lock(), threading.Event()
    inside = most = 0

    def go() -> None:
        nonlocal inside, most
        with places.acquire((0, 0)):
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == count:
                    full.set()
            full.wait(30.0)
            time.sleep(0.01)
            with lock:
                inside -= 1

    threads = [threading.Thread(target=go) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert most == count


def test_a_failure_gives_the_place_back() -> None:
    places = PrioritySemaphore(1)
    with pytest.raises(KeyError), places.acquire((0, 0)):
        raise KeyError
    assert _gone(places, [(0, 1)]) == [(0, 1)]
