"""The performance stage with pretended children and a pretended bench: whose failure it is."""

import signal
import threading
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.runner.endings import Ending
from kernelbenchx.worker.timing.recorded_steps import READS
from timing_stage import LAYOUTS, SAID, Bench, Children, Stage


def _value_dependent(_op: str, times: int) -> dict[str, Any]:
    return {"not_replayable": "by values" if times == 2 else ""}


def test_two_entries_and_two_replays_are_made_ready_and_gone_afterwards() -> None:
    stage = Stage(Children())
    assert stage.run() == SAID
    assert stage.bench.given == [(2, 2)]
    assert stage.told == ["waiting", "preparing", "waiting", "timing"]
    entries, replays = stage.children.of("timing"), stage.children.of("replay")
    assert [one.asked for one in entries] == [["hello", "prepare", "prepare", "prepare"]] * 2
    assert [one.asked for one in replays] == [["hello"], ["hello"]]
    assert [one.killed for one in stage.children.all] == [1] * 4


def test_nothing_of_a_submission_goes_to_a_replay() -> None:
    stage = Stage(Children())
    stage.run()
    entries, replays = stage.children.of("timing"), stage.children.of("replay")
    for entry in entries:
        assert (entry.header["source"], entry.header["entries"]) == ("SOURCE", ["relu"])
        assert entry.compiled == 1
    for replay in replays:
        assert (replay.header["source"], replay.header["entries"]) == ("", [])
        assert replay.compiled == 0
    assert {one.header["device"] for one in stage.children.all} == {"cpu"}


def _queues(stage: Stage) -> list[bool]:
    return [bool(one.header["few_queues"]) for one in stage.children.of("timing")]


@pytest.mark.parametrize("foreseen", [True, False])
def test_what_cannot_be_replayed_has_two_entries_that_compiled_every_form(foreseen: bool) -> None:
    """It may use several streams: nobody is timed by the clock who got one queue on the card."""
    stage = Stage(Children(_value_dependent))
    assert stage.run(foreseen=foreseen) == SAID
    assert stage.bench.given == [(2, 0)]
    assert _queues(stage) == ([False] * 2 if foreseen else [True, True, False, False])
    for entry in stage.children.of("timing"):
        assert entry.asked.count("prepare") == len(LAYOUTS)
    assert all(one.killed for one in stage.children.all)
    assert [one.asked for one in stage.children.of("replay")] == [[], []]


OPERATOR = "torch operator aten.of_a_name_that_is_very_long_indeed"


@pytest.mark.parametrize(
    ("obstacles", "told"),
    [
        ((OPERATOR, READS, OPERATOR), READS),
        ((OPERATOR, "draws random numbers", ""), OPERATOR),
        (("", "draws random numbers", OPERATOR), "draws random numbers"),
    ],
)
def test_that_the_host_waits_in_one_case_is_not_lost(obstacles: tuple[str, ...], told: str) -> None:
    def answers(op: str, times: int) -> dict[str, Any]:
        return {"not_replayable": obstacles[times - 1]} if op == "prepare" else {"ok": True}

    stage = Stage(Children(entry=answers))
    assert stage.run() == SAID
    assert stage.bench.obstacles == [told]


def test_an_obstacle_that_only_one_entry_sees_is_one() -> None:
    lock, seen = threading.Lock(), [0]

    def answers(op: str, _times: int) -> dict[str, Any]:
        with lock:
            seen[0] += op == "prepare"
            last = seen[0] == 2 * len(LAYOUTS)
        return {"not_replayable": "by values" if last else ""}

    stage = Stage(Children(entry=answers))
    assert stage.run() == SAID
    assert (stage.bench.obstacles, stage.bench.given) == (["by values"], [(2, 0)])


def test_what_turns_out_not_to_be_replayable_begins_anew_on_the_clock() -> None:
    """On other inputs: those that it saw were to be answered by replays."""
    stage = Stage(Children(), Bench(ReplayFailure("its launches depend on values"), SAID))
    assert stage.run() == SAID
    assert stage.bench.given == [(2, 2), (2, 0)]
    assert stage.bench.obstacles == ["", "its launches depend on values"]
    first, second = stage.bench.digests
    assert first != second
    assert stage.told == ["waiting", "preparing", "waiting", "timing"] * 2
    assert _queues(stage) == [True, True, False, False]
    for entry in stage.children.of("timing"):
        assert entry.asked.count("prepare") == len(LAYOUTS)
    assert all(one.killed for one in stage.children.of("timing"))


def test_a_bench_that_never_ceases_to_ask_for_another_crew_is_our_fault() -> None:
    stage = Stage(Children(), Bench(ReplayFailure("no")))
    found = stage.run()
    assert isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR
    assert stage.bench.given == [(2, 2), (2, 0)]


def test_both_entries_are_there_before_either_prepares_itself() -> None:
    started: list[int] = []

    def answers(op: str, _times: int) -> dict[str, Any]:
        if op == "prepare":
            started.append(len(stage.children.of("timing")))
        return {"ok": True}

    stage = Stage(Children(entry=answers))
    assert stage.run() == SAID
    assert started == [2] * (2 * len(LAYOUTS))  # beside each other: the second costs no time
    assert _queues(stage) == [True, True]  # all that is replayed is in one stream


def test_what_it_raises_before_it_is_timed_is_no_verdict() -> None:
    error = {"error": {"type": "ValueError", "message": "zeros"}}
    stage = Stage(Children(lambda op, _: error if op == "prepare" else {"ok": True}))
    assert stage.run() == SAID
    assert stage.bench.given == [(2, 2)]


def _fails_in_prepare(how: Ending | bytes) -> Children:
    return Children(lambda op, _: how if op == "prepare" else {"ok": True})


@pytest.mark.parametrize(
    ("how", "reason", "said"),
    [
        (Ending(signal=signal.SIGSEGV), Reason.CRASH, "SIGSEGV"),
        (Ending(over="memory", signal=signal.SIGKILL), Reason.MEMORY, "memory"),
        (Ending(exit_code=3, log="bye\n"), Reason.EXIT, "bye"),
        (Ending(exit_code=0), Reason.CRASH, "the process ended"),
        (b"\0" * 8 + b"nonsense" * 10, Reason.MALFORMED, "header"),
    ],
)
def test_an_entry_that_dies_before_it_is_timed_has_failed(
    how: Ending | bytes, reason: Reason, said: str
) -> None:
    stage = Stage(_fails_in_prepare(how))
    found = stage.run()
    assert isinstance(found, Failed)
    assert found.reason is reason
    assert said in found.detail
    assert stage.bench.given == []
    assert stage.told == ["waiting", "preparing"]


def test_an_entry_that_does_not_answer_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    def hangs(op: str, _times: int) -> dict[str, Any]:
        if op == "prepare":
            ended.wait(60.0)
        return {"ok": True}

    monkeypatch.setattr(
        "kernelbenchx.evaluate.submission_timing.Timing._settings",
        Settings(device="cuda", compile_time_limit_s=0.05),
    )
    stage = Stage(Children(hangs))
    found = stage.run()
    ended.set()
    assert isinstance(found, Failed) and found.reason is Reason.TIMEOUT


def test_a_child_that_never_started_is_our_fault() -> None:
    children = Children()
    children.lost = {2}  # the replays are there first
    stage = Stage(children)
    found = stage.run()
    assert isinstance(found, Unmeasured)
    assert found.reason is Reason.EVALUATOR
    assert stage.bench.given == []


@pytest.mark.parametrize("lost", [{0}, {1}, {0, 1}])
def test_a_replay_that_never_started_is_replaced(lost: set[int]) -> None:
    children = Children()
    children.lost = lost
    stage = Stage(children)
    assert stage.run() == SAID
    assert len(children.of("replay")) == 4
    assert stage.bench.given == [(2, 2)]


def test_replays_that_fail_to_start_twice_are_our_fault() -> None:
    stage = Stage(Children(replay=lambda _op, _times: Ending(signal=signal.SIGSEGV)))
    found = stage.run()
    assert isinstance(found, Unmeasured)
    assert "replaying" in found.detail
    assert stage.bench.given == []


@pytest.mark.parametrize("where", ["layouts", "time"])
def test_a_bench_that_fails_is_our_fault_and_children_are_ended(where: str) -> None:
    stage = Stage(Children(), Bench(EvaluatorFault("the bench ended unexpectedly")))
    stage.bench.no_layouts = where == "layouts"
    found = stage.run()
    assert isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR
    assert len(stage.children.all) == (0 if where == "layouts" else 4)
    assert all(one.killed for one in stage.children.all)


def test_children_are_ended_whatever_happens() -> None:
    stage = Stage(Children(), Bench(ZeroDivisionError("a bug of ours")))
    with pytest.raises(ZeroDivisionError):
        stage.run()
    assert [one.killed for one in stage.children.all] == [1] * 4


class Dying(Bench):
    """A process ends while it is timed, and the bench sees only that it is gone."""

    def __init__(
        self,
        children: Children,
        ending: Ending,
        reason: Reason = Reason.CRASH,
        mode: str = "timing",
    ) -> None:
        super().__init__(Failed(case="c", reason=reason, detail="Gone: the process ended"))
        self._children, self._ending, self._mode = children, ending, mode

    def time(self, *given: Any) -> Performance | ReplayFailure:
        self._children.of(self._mode)[0].end(self._ending)
        return super().time(*given)


@pytest.mark.parametrize("mode", ["timing", "replay"])
@pytest.mark.parametrize(
    ("ending", "kind", "reason"),
    [
        (Ending(signal=signal.SIGSEGV), Failed, Reason.CRASH),
        (Ending(over="memory", signal=signal.SIGKILL), Failed, Reason.MEMORY),
        (Ending(lost=True, fault="the parent is gone"), Unmeasured, Reason.EVALUATOR),
        (Ending(over="wall", signal=signal.SIGKILL), Unmeasured, Reason.EVALUATOR),
        (Ending(exit_code=0), Failed, Reason.CRASH),
    ],
)
def test_the_parent_knows_why_a_process_was_gone(
    ending: Ending, kind: type[Failed | Unmeasured], reason: Reason, mode: str
) -> None:
    children = Children()
    found = Stage(children, Dying(children, ending, mode=mode)).run()
    assert isinstance(found, kind)
    assert (found.case, found.reason) == ("c", reason)


def test_another_failure_stays_what_it_is() -> None:
    children = Children()
    bench = Dying(children, Ending(lost=True), Reason.STALE)
    found = Stage(children, bench).run()
    assert isinstance(found, Failed) and found.reason is Reason.STALE


@pytest.mark.parametrize("core_only", [True, False])
def test_the_bench_is_told_whether_core_cases_alone_are_to_be_timed(core_only: bool) -> None:
    stage = Stage(Children())
    stage.one(core_only=core_only, dtype="float32" if core_only else "")
    stage.timing.close()
    assert set(stage.bench.core_only) == {core_only}
    assert set(stage.bench.dtypes) == {"float32" if core_only else ""}
