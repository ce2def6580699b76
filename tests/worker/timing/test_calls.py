"""The calls of one case: each way to make them, their seeds, where results can be seen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
import torch

from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.calls import BoundCase, Signs
from kernelbenchx.worker.timing.clocks import Bound, HostClock
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.shared_memory import SharedMemory
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from timing_host import Pretended

SLOTS = 3
TENSOR = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}


def _layout(**kwargs: Any) -> Layout:
    call = {"args": [TENSOR], "kwargs": kwargs, "init": [], "state": {}}
    return Layout(call, (8,), 512, SLOTS)


@contextmanager
def _case(
    function: Callable[..., Any],
    clock: HostClock | None = None,
    layout: Layout | None = None,
    program: SubmissionProgram | None = None,
) -> Iterator[tuple[BoundCase, Callable[[int], list[float]]]]:
    """A case whose slot n has n in all its arguments; and what the judge sees of a slot."""
    layout = layout or _layout()
    exchange = SharedMemory.create(layout.size, "cpu")
    program = program or SubmissionProgram(function, "function")
    case = BoundCase(layout, exchange, program, clock or HostClock(), torch.device("cpu"))
    for slot, arguments in enumerate(case.arguments):
        arguments.args[0].fill_(float(slot))
    rooms = [layout.room(exchange.part, slot) for slot in range(SLOTS)]
    try:
        yield case, lambda slot: rooms[slot][:8].view(torch.float32).tolist()
    finally:
        exchange.close()


def _plus_one(x: torch.Tensor) -> torch.Tensor:
    return x + 1.0


def test_a_batch_makes_all_calls_and_shows_their_results() -> None:
    with _case(_plus_one) as (case, seen):
        assert case.run({"how": "batch"})["us"] >= 0.0
        assert [seen(slot) for slot in range(SLOTS)] == [[1.0] * 2, [2.0] * 2, [3.0] * 2]


def test_once_makes_one_call_and_leaves_the_rest() -> None:
    made: list[int] = []

    def noted(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return x + 1.0

    with _case(noted) as (case, seen):
        assert case.run({"how": "once"}) == {"us": 0.0} and made == [1]
        case.collect(0)
        assert seen(0) == [1.0] * 2 and seen(1) == [0.0] * 2
        case.run({"how": "call", "count": 1})
        assert made == [1] * 3, "what is timed is called once before"


@pytest.mark.parametrize("how", ["call", "batch"])
def test_fewer_calls_leave_the_other_slots_alone(how: str) -> None:
    with _case(_plus_one) as (case, seen):
        case.run({"how": how, "count": 2})
        assert [seen(slot) for slot in range(SLOTS)] == [[1.0] * 2, [2.0] * 2, [0.0] * 2]
        with pytest.raises(KeyError):
            case.collect(2)


@pytest.mark.parametrize("how", ["queued", "graph"])
def test_calls_of_the_device_s_clock_show_results_when_asked(how: str) -> None:
    time = Pretended(noise=0.0)
    with _case(time.slowed(_plus_one, 4e-6), time.clock()) as (case, seen):
        assert case.capture() == {"graph": True}
        assert case.run({"how": how})["us"] == pytest.approx(4.0 * SLOTS)
        assert seen(2) == [0.0, 0.0]
        assert case.collect(2)["result"]["shape"] == [2]
        assert (seen(1), seen(2)) == ([0.0, 0.0], [3.0, 3.0])


@pytest.mark.parametrize("how", ["queued", "graph", "batch"])
def test_new_values_in_the_memory_give_new_results(how: str) -> None:
    with _case(_plus_one) as (case, seen):
        case.capture()
        case.run({"how": how})
        case.collect(0)
        case.arguments[0].args[0].fill_(9.0)
        case.run({"how": how})
        case.collect(0)
        assert seen(0) == [10.0, 10.0]


def test_what_cannot_be_captured_says_why_and_runs_otherwise() -> None:
    made: list[int] = []

    def broken(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        if len(made) <= 1:
            raise RuntimeError("not in a graph")
        return x + 1.0

    with _case(broken) as (case, _seen):
        found = case.capture()
        assert found == {"graph": False, "why": "RuntimeError: not in a graph"}
        with pytest.raises(ValueError, match="graph"):
            case.run({"how": "graph"})
        assert case.run({"how": "queued"})["us"] >= 0.0


def test_nothing_but_the_copies() -> None:
    time = Pretended(noise=0.0)
    with _case(time.slowed(_plus_one, 1.0), time.clock()) as (case, seen):
        case.run({"how": "queued"})
        before = time.now()
        assert case.run({"how": "null", "count": 1})["us"] >= 0.0
        assert (seen(0), seen(1)) == ([1.0, 1.0], [0.0, 0.0])
        assert case.run({"how": "null"})["us"] >= 0.0
        assert seen(1) == [2.0, 2.0]
        assert time.now() == before  # nothing was called


def test_who_waits_for_each_call_waits_before_the_next() -> None:
    steps: list[str] = []

    class Watched(HostClock):
        def synchronise(self) -> None:
            steps.append("wait")

    def call(x: torch.Tensor) -> torch.Tensor:
        steps.append("call")
        return x

    with _case(call, Watched()) as (case, _seen):
        case.run({"how": "call"})
        assert steps == ["call", "wait"] + ["call", "wait"] * SLOTS + ["wait", "wait"]
        steps.clear()
        case.run({"how": "batch"})
        assert steps == ["call", "wait"] + ["call"] * SLOTS + ["wait", "wait"]


@pytest.mark.parametrize("how", ["call", "batch", "null"])
def test_only_one_call_comes_before_the_start_and_the_end_is_said_before_results_are_copied(
    how: str,
) -> None:
    made: list[str] = []

    def call(x: torch.Tensor) -> torch.Tensor:
        made.append("call")
        return x + 1.0

    class Touched(HostClock):
        def touch(self) -> None:
            made.append("touch")

    with _case(call, Touched()) as (case, seen):
        case.run({"how": "queued"})
        made.clear()

        def sign(name: str) -> Callable[[], None]:
            def said() -> None:
                assert seen(0) == [0.0, 0.0]
                made.append(name)

            return said

        case.run({"how": how}, Signs(sign("begin"), sign("awake"), sign("called")))
        before, calls = ([], []) if how == "null" else (["call"], ["call"] * SLOTS)
        assert made == [*before, "begin", "touch", "awake", *calls, "called"]
        assert seen(0) == [1.0, 1.0]


@pytest.mark.parametrize("how", ["", "all", "null call"])
def test_another_way_is_an_error(how: str) -> None:
    with _case(_plus_one) as (case, _seen), pytest.raises(ValueError, match="no way to run"):
        case.run({"how": how})


def _random(x: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    return torch.rand(x.shape, generator=generator)


def _drawn(seed: int) -> list[float]:
    return torch.rand(2, generator=torch.Generator().manual_seed(seed)).tolist()


@pytest.mark.parametrize("how", ["batch", "queued"])
@pytest.mark.parametrize("given", [False, True])
def test_every_call_has_its_seed(how: str, given: bool) -> None:
    layout = _layout(generator={"t": "generator", "v": 0}) if given else _layout()
    with _case(_random, layout=layout) as (case, seen):
        case.run({"how": how, "seeds": [5, 6, 5]})
        for slot, seed in enumerate((5, 6, 5)):
            case.collect(slot)
            assert seen(slot) == _drawn(seed)


def test_seeds_are_asked_for_when_calls_have_begun() -> None:
    begun: list[str] = []

    def seed(call: int) -> int:
        assert begun == ["begin", "awake"]
        return 5 + call

    def sign(name: str) -> Callable[[], None]:
        return lambda: begun.append(name)

    signs = Signs(sign("begin"), sign("awake"), sign("called"), seed=seed)
    with _case(_random) as (case, seen):
        case.run({"how": "batch", "seeded": True}, signs)
        assert [seen(slot) for slot in range(SLOTS)] == [_drawn(5 + slot) for slot in range(SLOTS)]


def test_results_are_put_when_they_are_wanted_and_all_are_told_of_afterwards() -> None:
    steps: list[str] = []

    with _case(_plus_one) as (case, seen):

        def sign(name: str, value: float) -> Callable[[], None]:
            def said() -> None:
                assert seen(0) == [value, value]
                steps.append(name)

            return said

        signs = Signs(
            sign("begin", 0.0), sign("awake", 0.0), sign("called", 0.0),
            put=sign("put", 0.0), done=sign("done", 1.0),
        )  # fmt: skip
        found = case.run({"how": "batch"}, signs)["results"]
        assert steps == ["begin", "awake", "called", "put", "done"]
        assert [one["result"]["shape"] for one in found] == [[2]] * SLOTS
        assert case.run({"how": "null"})["results"] == []


def test_of_a_result_that_cannot_be_described_nothing_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_given: object) -> None:
        raise RuntimeError("CUDA out of memory")

    with _case(_plus_one) as (case, _seen):
        monkeypatch.setattr("kernelbenchx.worker.timing.calls.describe_result", fails)
        assert case.run({"how": "batch"})["results"] == [None] * SLOTS


def test_one_call_takes_one_seed_and_a_wrong_number_of_them_is_an_error() -> None:
    with _case(_random) as (case, seen):
        case.run({"how": "call", "count": 1, "seeds": [8]})
        assert seen(0) == _drawn(8)
        for header in (
            {"how": "call", "count": 1, "seeds": [8, 9]},
            {"how": "batch", "seeds": [8]},
        ):
            with pytest.raises(ValueError, match="zip"):
                case.run(header)


def test_without_seeds_calls_draw_on() -> None:
    with _case(_random) as (case, seen):
        torch.manual_seed(1)
        case.run({"how": "batch"})
        assert seen(0) != seen(1)


def test_the_program_is_bound_once_for_each_slot() -> None:
    class Counting(SubmissionProgram):
        bound = 0

        def bind(self, arguments: Arguments) -> Bound:
            self.bound += 1
            return super().bind(arguments)

    layout, program = _layout(), Counting(_plus_one, "function")
    case = BoundCase(
        layout, SharedMemory.create(layout.size, "cpu"), program, HostClock(), torch.device("cpu")
    )
    for how in ("batch", "queued", "batch"):
        case.run({"how": how})
    assert program.bound == SLOTS
    case.close()


def test_a_closed_case_has_no_calls_any_more_and_leaves_the_memory() -> None:
    layout = _layout()
    exchange = SharedMemory.create(layout.size, "cpu")
    case = BoundCase(
        layout, exchange, SubmissionProgram(_plus_one, "function"), HostClock(), torch.device("cpu")
    )
    case.run({"how": "batch"})
    case.close()
    assert case.arguments == []
    with pytest.raises(KeyError):
        case.collect(0)
    room = layout.room(exchange.part, 0)
    assert room[:8].view(torch.float32).tolist() == [1.0, 1.0]
    exchange.close()


@pytest.mark.parametrize("how", ["queued", "batch", "call"])
def test_what_is_collected_again_is_what_is_there_by_then(how: str) -> None:
    results: list[torch.Tensor] = []

    def kept(x: torch.Tensor) -> torch.Tensor:
        results.append(x + 1.0)
        return results[-1]

    with _case(kept) as (case, seen):
        case.run({"how": how})
        case.collect(0)
        for one in results:
            one.fill_(99.0)
        assert seen(0) == [1.0, 1.0]
        case.collect(0)
        assert seen(0) == [99.0, 99.0]


class _InParts(SubmissionProgram):
    """Calls that are known by so many parts, each of them a microsecond longer than the last."""

    def __init__(self, count: int, time: Pretended) -> None:
        super().__init__(_plus_one, "function")
        self.made: list[int] = []
        self._count, self._time = count, time

    def bind(self, arguments: Arguments) -> Bound:
        def part(number: int) -> None:
            self.made.append(number)
            self._time.pass_by((number + 1) * 1e-6)

        def call() -> Any:
            return _plus_one(arguments.args[0])

        call.parts = [partial(part, number) for number in range(self._count)]  # type: ignore[attr-defined]
        return call


@pytest.mark.parametrize(
    ("count", "times", "made"),
    [
        (0, [], 0),
        (1, [], 0),
        (2, [3.0, 6.0], 3 * 2),
        (100, [float(n) for n in range(1, 101)], 100),
        (129, [], 0),
    ],
)
def test_calls_of_several_parts_are_timed_by_parts(
    count: int, times: list[float], made: int
) -> None:
    time = Pretended(noise=0.0)
    program = _InParts(count, time)
    with _case(_plus_one, time.clock(), program=program) as (case, _):
        assert case.parts() == {"us": pytest.approx(times)}
    assert len(program.made) == made


def test_calls_that_are_one_function_have_no_parts() -> None:
    with _case(_plus_one) as (case, _):
        assert case.parts() == {"us": []}
