"""A card that waits for the host is told from one that is busy."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kernelbenchx.measure.blocks import Inputs
from kernelbenchx.measure.runners import Runner
from kernelbenchx.measure.waiting import MOST_WAITING, NEVER, Waiting, waiting
from timing_host import PAUSE_S, Broken, Loadable, Pretended, inputs_of, relu, serving

WORK_US = PAUSE_S * 1e6


@contextmanager
def _opened(program: Loadable, time: Pretended) -> Iterator[tuple[Runner, Inputs]]:
    inputs = inputs_of(relu())
    with serving("eager 0", program, trusted=True, clock=time.clock()) as runner:
        runner.open(inputs.layout)
        yield runner, inputs


@pytest.mark.parametrize(
    ("share_of_work", "waits"),
    [(1.0, False), (1.0 - MOST_WAITING + 0.05, False), (1.0 - MOST_WAITING - 0.05, True)],
)
def test_calls_much_longer_than_their_graph_wait(share_of_work: float, waits: bool) -> None:
    time = Pretended(noise=0.0)
    with _opened(Loadable(time.slowed(relu().reference), "function"), time) as (runner, inputs):
        found = waiting(runner, inputs.block(-1), WORK_US / share_of_work)
        assert found == Waiting(bound=waits, within=waits)


def test_of_what_no_graph_holds_it_is_not_known_for_how_long_it_waits() -> None:
    time = Pretended(noise=0.0)
    with _opened(Broken(relu().reference, 0), time) as (runner, inputs):
        assert waiting(runner, inputs.block(-1), 1e6) == Waiting(bound=False, within=True)


def test_a_runner_that_is_gone_is_not_said_to_wait() -> None:
    time = Pretended(noise=0.0)
    with _opened(Loadable(relu().reference, "function"), time) as (runner, inputs):
        runner.channel.close()
        assert waiting(runner, inputs.block(-1), 1e6) == NEVER
