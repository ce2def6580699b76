"""A card that waits for the host is told from one that is busy."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.host_wait import MOST_WAITING, NEVER, HostWait, measure_host_wait
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.worker.timing.clocks import Bound, CapturedCalls, HostClock, QueuedCalls
from timing_host import PAUSE_S, Broken, Loadable, Pretended, inputs_of, relu, serving

WORK_US = PAUSE_S * 1e6


@contextmanager
def _opened(
    program: Loadable, time: Pretended, clock: type[HostClock] = HostClock
) -> Iterator[tuple[RunnerClient, CaseInputs]]:
    inputs = inputs_of(relu())
    with serving("eager 0", program, trusted=True, clock=clock(time.now)) as runner:
        runner.open(inputs.layout)
        yield runner, inputs


@pytest.mark.parametrize(
    ("share_of_work", "waits"),
    [(1.0, False), (1.0 - MOST_WAITING + 0.05, False), (1.0 - MOST_WAITING - 0.05, True)],
)
def test_calls_much_longer_than_their_graph_wait(share_of_work: float, waits: bool) -> None:
    time = Pretended(noise=0.0)
    with _opened(Loadable(time.slowed(relu().reference), "function"), time) as (runner, inputs):
        found = measure_host_wait(runner, inputs.draw_block(-1), WORK_US / share_of_work)
        assert found == HostWait(bound=waits, within=waits)


class Uncaptured(HostClock):
    """No graph holds its calls; whether the host is through with them early is given."""

    ahead = False

    def capture(self, calls: Sequence[Bound]) -> CapturedCalls:
        raise RuntimeError(f"{len(calls)} calls are in the way of a capture")

    def time_queued(self, calls: Sequence[Bound]) -> QueuedCalls:
        return replace(super().time_queued(calls), ahead=self.ahead)


class Ahead(Uncaptured):
    """But the first time, when there is no memory at hand."""

    def time_queued(self, calls: Sequence[Bound]) -> QueuedCalls:
        found = super().time_queued(calls)
        self.ahead = True
        return found


@pytest.mark.parametrize(
    ("clock", "share_of_work", "expected"),
    [
        (Ahead, 1.0, NEVER),
        (Ahead, 0.5, HostWait(bound=True, within=True)),
        (Uncaptured, 1.0, HostWait(bound=False, within=True)),  # for how long is not known
        (Uncaptured, 0.5, HostWait(bound=False, within=True)),
    ],
)
def test_what_no_graph_holds_is_queued(
    clock: type[Uncaptured], share_of_work: float, expected: HostWait
) -> None:
    time = Pretended(noise=0.0)
    program = Loadable(time.slowed(relu().reference), "function")
    with _opened(program, time, clock) as (runner, inputs):
        assert measure_host_wait(runner, inputs.draw_block(-1), WORK_US / share_of_work) == expected


def test_of_a_runner_that_raises_nothing_is_known() -> None:
    time = Pretended(noise=0.0)
    with _opened(Broken(relu().reference, 0), time) as (runner, inputs):
        assert measure_host_wait(runner, inputs.draw_block(-1), 1e6) == HostWait(
            bound=False, within=True
        )


def test_nor_of_one_that_is_gone() -> None:
    time = Pretended(noise=0.0)
    with _opened(Loadable(relu().reference, "function"), time) as (runner, inputs):
        runner.channel.close()
        assert measure_host_wait(runner, inputs.draw_block(-1), 1e6) == HostWait(
            bound=False, within=True
        )
