"""A function or module as a program: what it is called with, how its kernels are tuned."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from triton import Config
from triton.runtime.autotuner import Autotuner

from kernelbenchx.checks.binding import bind
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.record import to_plain
from kernelbenchx.worker.binding import NotTaken
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing import recording
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from kernelbenchx.worker.weights import WeightsDoNotFit


def _arguments(*args: Any, **kwargs: Any) -> Arguments:
    return Arguments(args, kwargs, (), {}, {})


def test_a_call_has_its_arguments_and_may_be_made_again() -> None:
    entry = SubmissionProgram(lambda x, *, by: x * by, "function")
    x = torch.ones(2)
    call = entry.bind(_arguments(x, by=3))
    assert call().tolist() == [3.0, 3.0]
    x.fill_(2.0)
    assert call().tolist() == [6.0, 6.0]
    entry.release()


def _binding(wanted: str, given: str) -> dict[str, Any]:
    own = parse_signature(f"f({given})")[1]
    return dict(to_plain(bind(parse_signature(f"f({wanted})")[1], own)))


def test_a_call_is_bound_to_the_entry_s_own_signature_before_it_is_timed() -> None:
    binding = {"call": _binding("input, by=1", "factor, input")}
    arguments = _arguments(torch.ones(2), by=3)
    x = arguments.args[0]
    call = SubmissionProgram(lambda factor, input: input * factor, "function", binding).bind(
        arguments
    )
    assert call().tolist() == [3.0, 3.0]
    x.fill_(2.0)
    assert call().tolist() == [6.0, 6.0]
    lacking = {"call": _binding("input, by=1", "x")}
    assert SubmissionProgram(torch.relu, "function", lacking).bind(
        _arguments(x, by=1)
    )().tolist() == [2.0, 2.0]
    with pytest.raises(NotTaken, match="no `by`"):
        SubmissionProgram(torch.relu, "function", lacking).bind(arguments)


def test_a_module_is_made_and_called_in_its_own_form() -> None:
    class Named(Scaled):
        def __init__(self, *, size: int) -> None:
            super().__init__(size)

        def forward(self, *, x: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
            return super().forward(x)

    state = {"weight": torch.tensor([1.0, 2.0]), "shift": torch.zeros(2)}
    binding = {"init": _binding("size, /", "*, size"), "call": _binding("x, /", "*, x")}
    assert SubmissionProgram(Named, "module", binding).bind(_module(**state))().tolist() == [
        1.0,
        2.0,
    ]
    with pytest.raises(TypeError):
        SubmissionProgram(Named, "module").bind(_module(**state))


def test_a_submission_takes_no_plan() -> None:
    with pytest.raises(TypeError, match="no plan"):
        SubmissionProgram(torch.relu, "function").load({}, b"")


class Scaled(torch.nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((size,), 9.0))
        self.shift: torch.Tensor
        self.register_buffer("shift", torch.full((size,), 9.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.shift


def _module(**state: torch.Tensor) -> Arguments:
    return Arguments((torch.ones(2),), {}, (2,), state, {})


def test_a_module_works_on_the_shared_memory_itself() -> None:
    state = {"weight": torch.tensor([1.0, 2.0]), "shift": torch.zeros(2)}
    call = SubmissionProgram(Scaled, "module").bind(_module(**state))
    assert call().tolist() == [1.0, 2.0]
    state["weight"].fill_(5.0)
    state["shift"].fill_(0.5)
    found = call()
    assert found.tolist() == [5.5, 5.5]
    assert not found.requires_grad


def test_each_slot_has_a_module_of_its_own() -> None:
    entry = SubmissionProgram(Scaled, "module")
    one, two = (
        entry.bind(_module(weight=torch.full((2,), value), shift=torch.zeros(2)))
        for value in (1.0, 2.0)
    )
    assert (one()[0].item(), two()[0].item()) == (1.0, 2.0)


def test_a_module_with_parameters_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(WeightsDoNotFit, match="`weight` of shape"):
        SubmissionProgram(Scaled, "module").bind(_module(scale=torch.zeros(3)))


def test_a_buffer_that_nobody_gave_stays_the_module_s_own() -> None:
    call = SubmissionProgram(Scaled, "module").bind(_module(weight=torch.zeros(2)))
    assert call().tolist() == [9.0, 9.0]


def test_weights_of_a_seed_are_not_shared() -> None:
    state = {"weight": torch.zeros(2), "shift": torch.zeros(2)}
    given = Arguments((torch.ones(2),), {}, (2,), state, {}, weights_seed=1, loads=False)
    assert SubmissionProgram(Scaled, "module").bind(given)().tolist() == [18.0, 18.0]


class Tuned:
    """An entry that launches one autotuned kernel."""

    def __init__(self, costs: dict[int, float], *, own: bool = False) -> None:
        self.ran: list[int] = []
        self.measured: list[int] = []
        self._last = 0

        def run(*_args: Any, BLOCK: int, **_options: Any) -> None:
            self.ran.append(BLOCK)
            self._last = BLOCK

        def bench(fn: Any, quantiles: Any = None, **_more: Any) -> list[float]:
            fn()
            self.measured.append(self._last)
            return [costs[self._last]] * len(quantiles or [0.5])

        self.bench = bench
        fn = SimpleNamespace(run=run, fn=run)
        configs = [Config({"BLOCK": block}) for block in costs]
        self.tuner = Autotuner(fn, ["n"], configs, ["n"], None, None)
        if own:
            self.tuner._do_bench = bench

    def __call__(self, n: int) -> None:
        self.tuner.run(n)


COSTS = {16: 3.0, 32: 1.0, 64: 2.0}


def test_preparing_runs_every_configuration_and_chooses_none() -> None:
    tuned = Tuned(COSTS)
    SubmissionProgram(tuned, "function").prepare(_arguments(5))
    assert set(tuned.ran) == {16, 32, 64}
    assert tuned.measured == []
    assert tuned.tuner.cache == {}


def test_tuning_measures_and_chooses_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned = Tuned(COSTS)
    monkeypatch.setattr("triton.testing.do_bench", tuned.bench)
    entry = SubmissionProgram(tuned, "function")
    entry.prepare(_arguments(5))
    entry.tune(_arguments(5))
    assert sorted(tuned.measured) == [16, 32, 64]
    tuned.ran.clear()
    entry.bind(_arguments(5))()
    assert tuned.ran == [32]


def test_a_submission_s_own_benchmark_is_used_for_tuning() -> None:
    tuned = Tuned(COSTS, own=True)
    SubmissionProgram(tuned, "function").tune(_arguments(5))
    assert sorted(tuned.measured) == [16, 32, 64]


def test_a_submission_s_own_benchmark_still_tunes_after_preparing() -> None:
    tuned = Tuned(COSTS, own=True)
    entry = SubmissionProgram(tuned, "function")
    entry.prepare(_arguments(5))
    assert tuned.measured == []
    entry.tune(_arguments(5))
    assert sorted(tuned.measured) == [16, 32, 64]


def test_what_raises_in_preparation_leaves_triton_as_it_was() -> None:
    before = Autotuner.run
    with pytest.raises(ZeroDivisionError):
        SubmissionProgram(lambda: 1 // 0, "function").prepare(_arguments())
    assert Autotuner.run is before


@pytest.mark.parametrize(
    ("plan", "obstacle"), [({}, ""), ({"obstacle": "reads a value"}, "reads a value")]
)
def test_the_obstacle_is_what_recording_says(
    monkeypatch: pytest.MonkeyPatch, plan: dict[str, Any], obstacle: str
) -> None:
    seen: list[Any] = []

    def record_call(call: Any, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        seen.append((call(), arguments))
        return plan, b""

    monkeypatch.setattr(recording, "record_call", record_call)
    arguments = _arguments(4)
    assert SubmissionProgram(lambda n: n + 1, "function").obstacle(arguments) == obstacle
    assert seen == [(5, arguments)]
