"""Which kernel takes how much of a call's time."""

from typing import Any

import msgspec
import pytest

from kernelbenchx.core.performance import KernelShare
from kernelbenchx.measure.kernel_shares import MOST_PARTS, measure_kernel_shares
from kernelbenchx.measure.runner_client import GONE, RunnerFailed
from kernelbenchx.replay.schema import ReplayPlan
from replay_samples import BINARY, launch, sample


class Told:
    """A runner that says what it is told to."""

    def __init__(self, *runs: list[float] | RunnerFailed) -> None:
        self._runs = list(runs)
        self.steps: list[str] = []

    def fill(self) -> None:
        self.steps.append("fill")

    def read_step_times(self) -> list[float]:
        self.steps.append("parts")
        said = self._runs.pop(0)
        if isinstance(said, RunnerFailed):
            raise said
        return said


def _plan(steps: list[dict[str, Any]] | None = None) -> ReplayPlan:
    document = sample()
    document["steps"] = document["steps"] if steps is None else steps
    return msgspec.convert(document, ReplayPlan)


def _found(runner: Any, plan: ReplayPlan) -> tuple[KernelShare, ...]:
    return measure_kernel_shares([runner], plan, lambda _one: runner.fill())


def test_shares_are_of_the_median_run_and_the_largest_comes_first() -> None:
    runner = Told([1.0, 1.0, 6.0, 2.0], [10.0, 10.0, 60.0, 20.0], [1.0, 1.0, 6.0, 2.0])
    found = _found(runner, _plan())
    assert [(one.name, one.launches) for one in found] == [
        ("_double", 1),
        ("_add", 1),
        ("copy", 1),
        ("fill", 1),
    ]
    assert [one.share for one in found] == pytest.approx([0.6, 0.2, 0.1, 0.1])
    assert runner.steps == ["fill", "parts"] * 3


def test_launches_of_one_kernel_are_added_up() -> None:
    steps = [launch(BINARY, name) for name in ("_add", "_double", "_add")]
    found = _found(Told(*[[1.0, 1.0, 2.0]] * 3), _plan(steps))
    assert found[0] == KernelShare(name="_add", launches=2, share=0.75)
    assert sum(one.share for one in found) == 1.0


def test_one_launch_is_all_of_it_and_nobody_is_asked() -> None:
    runner = Told()
    assert _found(runner, _plan(sample()["steps"][2:3])) == ()
    assert runner.steps == []


@pytest.mark.parametrize(
    "said", [[], [1.0, 2.0], [0.0] * 4, RunnerFailed(GONE, "the process ended")]
)
def test_what_is_not_known_is_not_said(said: list[float] | RunnerFailed) -> None:
    assert _found(Told(said, said, said), _plan()) == ()


def test_names_are_the_submission_s_and_cannot_do_anything_to_a_terminal_or_a_record() -> None:
    steps = [launch(BINARY, f"_k{n}\x1b[2J") for n in range(40)]
    found = _found(Told(*[[float(n) for n in range(40)]] * 3), _plan(steps))
    assert len(found) == MOST_PARTS
    assert found[0].name == "_k39?[2J"


def test_without_a_plan_there_are_no_parts() -> None:
    assert measure_kernel_shares([], None, lambda _one: None) == ()
