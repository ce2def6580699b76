"""Outputs of timed calls: which are kept, what is right, and what a wrong one looks like."""

import threading
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.measure.output_judging import (
    describe_failure,
    judge_outputs,
    note_outputs,
    read_first_tensor,
    recheck_late,
)
from kernelbenchx.measure.output_sampling import (
    POISON,
    LastOutput,
    OutputSnapshot,
    SampledOutput,
    copy_output,
)
from kernelbenchx.measure.runner_client import GONE, HUNG, SENSELESS, RunnerFailed
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from timing_host import inputs_of, relu, serving, small

Function = Callable[..., Any]
RELU = relu()


def _all_taken(
    function: Function, task: Task, name: str, *, repeated: bool = False
) -> tuple[SampledOutput, ...]:
    """Every output of one batch, as it was when the clock stopped."""
    inputs = inputs_of(task, name)
    block = inputs.draw_repeated_block(3) if repeated else inputs.draw_block(3)
    more: dict[str, Any] = {} if block.seeds is None else {"seeds": list(block.seeds)}
    with serving("entry 0", SubmissionProgram(function, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        for slot, storages in enumerate(block.storages):
            runner.fill(slot, storages)
            runner.rooms[slot].fill_(POISON)
        runner.run("batch", **more)
        return tuple(
            copy_output(runner, slot, call, OutputSnapshot(runner.rooms[slot].clone()))
            for slot, call in enumerate(block.calls[:4])
        )


def _taken(function: Function, task: Task = RELU, name: str = "activation/relu") -> SampledOutput:
    return _all_taken(function, task, name)[1]


def _judged(taken: SampledOutput, task: Task = RELU) -> Failed | None:
    return judge_outputs(task, task.timings[0], [taken], "interpreter")


def _reason(taken: SampledOutput, task: Task = RELU) -> Reason | None:
    found = _judged(taken, task)
    return None if found is None else found.reason


def _half(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x) * 0.5


def test_a_right_output_is_right_and_has_a_copy_of_everything() -> None:
    taken = _taken(torch.relu)
    assert taken.runner == "entry 0"
    assert _judged(taken) is None


def test_a_wrong_output_says_where_and_is_called_wrong_while_timed() -> None:
    found = _judged(_taken(_half))
    assert found is not None
    assert (found.case, found.reason) == (RELU.timings[0].name, Reason.TIMED_WRONG)
    assert "expected" in found.detail and "elements" in found.detail
    assert found.trick


def test_what_was_not_there_when_the_clock_stopped_is_late() -> None:
    right = _taken(torch.relu)
    nothing = torch.full_like(right.room, POISON)
    assert _reason(replace(right, room=nothing)) is Reason.LATE
    assert _reason(replace(right, room=nothing, later=nothing)) is Reason.LATE
    half = right.room.clone()
    half[:2048] = POISON
    assert _reason(replace(right, room=half, later=right.room)) is Reason.LATE
    assert _reason(replace(right, room=half, later=half)) is Reason.TIMED_WRONG
    assert _reason(replace(right, room=half, later=None)) is Reason.TIMED_WRONG


def test_that_nothing_was_written_is_seen_where_the_output_lies() -> None:
    """The rest of the room holds what was there before, unless somebody poisoned it."""
    right = _taken(torch.relu)
    room = torch.zeros_like(right.room)
    own = 64 * 33 * 4
    assert own < room.numel()
    room[:own] = POISON
    found = _judged(replace(right, room=room, later=None))
    assert found is not None
    assert (found.reason, found.trick) == (
        Reason.LATE, "the output was not written when the timing stopped",
    )  # fmt: skip
    room[own - 1] = 0
    assert _reason(replace(right, room=room, later=None)) is Reason.TIMED_WRONG


@pytest.mark.parametrize("strides", [[1, 64], [0, 0]])
def test_a_result_that_is_said_to_lie_otherwise_is_not_taken_for_unwritten(
    strides: list[int],
) -> None:
    right = _taken(torch.relu)
    said = {**right.described["result"], "strides": strides}
    nothing = torch.full_like(right.room, POISON)
    found = _reason(_said(replace(right, room=nothing, later=None), result=said))
    assert found is Reason.TIMED_WRONG


def _on_a_thread(after_s: float, factor: float = 1.0) -> Function:
    def run(x: torch.Tensor) -> torch.Tensor:
        y = torch.full_like(x, 0.25)
        work = lambda: y.copy_(torch.relu(x) * factor)  # noqa: E731
        threading.Timer(after_s, work).start()
        return y

    return run


LATE_S = 0.05


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_on_a_thread(LATE_S), Reason.LATE),
        (_on_a_thread(LATE_S, factor=0.5), Reason.TIMED_WRONG),
        (_half, Reason.TIMED_WRONG),
        (torch.relu, None),
    ],
)
def test_what_a_thread_finishes_later_is_late_and_what_is_wrong_is_not(
    function: Function, reason: Reason | None
) -> None:
    """Seen when all is over: to look again at once would tell who looks at what."""
    inputs = inputs_of(RELU)
    block, case = inputs.draw_block(3), RELU.timings[0]
    with serving("entry 0", SubmissionProgram(function, "function"), trusted=False) as runner:
        runner.open(inputs.layout)
        for slot, storages in enumerate(block.storages):
            runner.fill(slot, storages)
        runner.run("batch")
        stopped = runner.rooms[0].clone()
        taken = copy_output(runner, 0, block.calls[0], OutputSnapshot(stopped))
        assert torch.equal(taken.room, stopped)
        found = _judged(taken)
        if found is not None:
            assert found.reason is Reason.TIMED_WRONG
            last = LastOutput(runner, 0, block.calls[0], stopped)
            named = recheck_late(RELU, case, found, last, "interpreter")
            assert isinstance(named, Failed)
            assert (named.case, named.detail, named.process) == (
                found.case, found.detail, found.process,
            )  # fmt: skip
            found = named
    assert (None if found is None else found.reason) is reason
    if reason is Reason.LATE:
        assert found is not None and found.trick == "the work went on after the call returned"


def test_what_has_another_name_keeps_it() -> None:
    nobody: Any = None
    last = LastOutput(nobody, 0, nobody, torch.empty(0))
    wrong = Failed(case="a", reason=Reason.TIMED_WRONG, detail="no")
    ours = Unmeasured(reason=Reason.EVALUATOR, detail="no")
    late = Failed(case="a", reason=Reason.LATE, detail="no")
    case = RELU.timings[0]
    assert recheck_late(RELU, case, wrong, None, "interpreter") is wrong
    assert recheck_late(RELU, case, ours, last, "interpreter") is ours
    assert recheck_late(RELU, case, late, last, "interpreter") is late


def test_who_does_not_answer_any_more_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, wrong = inputs_of(RELU), Failed(case="a", reason=Reason.TIMED_WRONG, detail="no")
    monkeypatch.setattr("kernelbenchx.measure.output_judging.LATER_S", 0.0)
    with serving("entry 0", SubmissionProgram(_half, "function"), trusted=False) as runner:
        runner.open(inputs.layout)  # it made no call: there is nothing to collect
        last = LastOutput(runner, 0, inputs.draw_block(3).calls[0], runner.rooms[0].clone())
        assert recheck_late(RELU, RELU.timings[0], wrong, last, "interpreter") is wrong


def test_the_answer_of_an_earlier_call_is_stale() -> None:
    first, second = _all_taken(torch.relu, RELU, "activation/relu")[:2]
    stale = replace(second, room=first.room, later=first.room)
    assert _reason(replace(stale, before=first.room)) is Reason.STALE
    assert _reason(replace(stale, before=second.room)) is Reason.TIMED_WRONG
    assert _reason(replace(second, before=second.room)) is None


def test_a_changed_argument_is_wrong_and_a_declared_one_is_not() -> None:
    softmax = small("math/softmax", shape=(4, 8), dtype=torch.float32, dim=1)

    def changing(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        found = softmax.reference(x, *args, **kwargs)
        x.zero_()
        return found

    assert _reason(_taken(softmax.reference, softmax, "math/softmax"), softmax) is None
    found = _judged(_taken(changing, softmax, "math/softmax"), softmax)
    assert found is not None and "was changed" in found.detail


def _said(taken: SampledOutput, **change: Any) -> SampledOutput:
    return replace(taken, described={**taken.described, **change})


def test_a_result_that_lies_in_an_argument_is_wrong_where_the_reference_s_does_not() -> None:
    taken = _taken(torch.relu)
    assert _judged(_said(taken, aliases=[-1])) is None
    found = _judged(_said(taken, aliases=[0]))
    assert found is not None
    assert "shares its memory with argument input" in found.detail


SENSELESS_RESULTS: list[Any] = [
    None,
    3,
    {"t": "tensor"},
    {"t": "tensor", "at": 0, "dtype": "float32", "shape": [1 << 40]},
    {"t": "tensor", "at": -1, "dtype": "float32", "shape": [64, 33]},
    {"t": "tensor", "at": 1 << 40, "dtype": "float32", "shape": [64, 33]},
    {"t": "tensor", "at": "0", "dtype": "float32", "shape": [64, 33]},
    {"t": "tensor", "at": 0, "dtype": "float32", "shape": [-64, 33]},
    {"t": "tensor", "at": 0, "dtype": "object", "shape": [64, 33]},
    {"t": "float", "v": "much"},
]


@pytest.mark.parametrize("result", SENSELESS_RESULTS)
def test_a_description_that_describes_nothing_is_malformed(result: Any) -> None:
    taken = _taken(torch.relu)
    assert _reason(_said(taken, result=result)) is Reason.MALFORMED


@pytest.mark.parametrize(
    "change",
    [
        {"aliases": 3},
        {"aliases": ["input"]},
        {"devices": [5]},
        {"layouts": None},
        {"aliases": [1 << 80]},
    ],
)
def test_nonsense_about_a_right_output_is_malformed(change: dict[str, Any]) -> None:
    taken = _taken(torch.relu)
    assert _reason(_said(taken, **change)) is Reason.MALFORMED
    del taken.described[next(iter(change))]
    assert _reason(taken) is Reason.MALFORMED


@pytest.mark.parametrize(
    "result",
    [
        {"t": "none"},
        {"t": "other", "v": "Thing"},
        {"t": "dict", "v": {}},
        {"t": "int", "v": 1 << 70},
        {"t": "tensor", "at": 0, "dtype": "float32", "shape": [33, 64]},
        {"t": "tensor", "at": 0, "dtype": "int32", "shape": [64, 33]},
        {"t": "tensor", "at": 3, "dtype": "float32", "shape": [64, 32]},
    ],
)
def test_another_result_than_was_asked_for_is_wrong(result: dict[str, Any]) -> None:
    assert _reason(_said(_taken(torch.relu), result=result)) is Reason.TIMED_WRONG


def test_several_outputs_are_found_where_they_lie() -> None:
    task = small("linear_algebra/qr", shape=(6, 4), dtype=torch.float32)
    name = "linear_algebra/qr"
    assert _judged(_taken(task.reference, task, name), task) is None
    swapped = _taken(lambda *a, **k: tuple(reversed(task.reference(*a, **k))), task, name)
    assert _reason(swapped, task) is Reason.TIMED_WRONG


def _rand(*size: Any, generator: torch.Generator) -> torch.Tensor:
    return torch.rand(*size, generator=generator)


def test_a_contract_about_several_calls_judges_them_together() -> None:
    task = small("random/rand", shape=(40000,), dtype=torch.float32)
    assert task.contract.calls == 3
    right = _all_taken(_rand, task, "random/rand", repeated=True)[:3]
    assert judge_outputs(task, task.timings[0], right, "interpreter") is None
    others = _all_taken(_rand, task, "random/rand")[:3]
    found = judge_outputs(task, task.timings[0], (right[0], right[1], others[2]), "interpreter")
    assert found is not None and found.reason is Reason.TIMED_WRONG
    same = judge_outputs(task, task.timings[0], (right[0],) * 3, "interpreter")
    assert same is not None


@pytest.mark.parametrize(
    ("kind", "reason", "said"),
    [
        (HUNG, Reason.TIMEOUT, "the submission's process gave x"),
        (GONE, Reason.CRASH, "the submission crashed: x"),
        (SENSELESS, Reason.MALFORMED, "the submission's process sent an unreadable answer: x"),
        ("ZeroDivisionError", Reason.RUNTIME_ERROR, "ZeroDivisionError: x"),
    ],
)
def test_a_runner_that_failed_is_the_submission_s_failure(
    kind: str, reason: Reason, said: str
) -> None:
    found = describe_failure("a case", RunnerFailed(kind, "x" * 5000))
    assert (found.case, found.reason) == ("a case", reason)
    assert found.detail.startswith(said)
    assert len(found.detail) <= 1000


class Noting:
    """Keeps what it is given, or has no memory for it."""

    def __init__(self, *, short: bool = False) -> None:
        self.outputs: list[torch.Tensor] = []
        self._short = short

    def note(self, output: torch.Tensor) -> None:
        if self._short:
            raise torch.OutOfMemoryError("CUDA out of memory")
        self.outputs.append(output)

    def has_repeats(self, taken: Any) -> bool:
        return bool(taken)


def test_of_every_output_is_noted_what_makes_sense() -> None:
    taken = _all_taken(torch.relu, RELU, "activation/relu")[:4]
    said = taken[1].described["result"]
    huge = {**said, "shape": [1 << 20, 1 << 20], "strides": [0, 0]}
    told = [taken[0].described, *({"result": one} for one in ({**said, "at": 1 << 40}, huge)), "no"]
    runner: Any = SimpleNamespace(name="entry 0", descriptions=told)
    calls, rooms = [one.call for one in taken], [one.room for one in taken]
    noting = Noting()
    note_outputs(noting, runner, [*calls, calls[0]], [*rooms, rooms[0]])  # one is told of nowhere
    (found,), same = noting.outputs, read_first_tensor(taken[0])
    assert (found.data_ptr(), found.shape) == (same.data_ptr(), same.shape)
    with pytest.raises(torch.OutOfMemoryError):
        note_outputs(Noting(short=True), runner, calls, rooms)
