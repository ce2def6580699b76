"""What was measured of the calls of a case, until it is compared."""

from typing import Any

import pytest

from kernelbenchx.core.performance import Clock, Sample
from kernelbenchx.measure.block_times import BlockTimes, TimedSide

NO_RUNNER: Any = None


def _times(
    candidate: dict[tuple[int, int], float], baseline: dict[tuple[int, int], float]
) -> BlockTimes:
    times = BlockTimes()
    for role, found in (("candidate", candidate), ("eager", baseline)):
        for (pair, block), elapsed in found.items():
            times.note(TimedSide(role, pair, NO_RUNNER), Clock.DEVICE, block, elapsed)
    return times


def test_samples_are_the_blocks_that_both_sides_have() -> None:
    times = _times({(0, 0): 5.0, (1, 0): 6.0, (0, 1): 7.0}, {(0, 0): 10.0, (0, 1): 11.0})
    assert times.samples("eager", Clock.DEVICE) == (
        Sample(pair=0, block=0, candidate_us=5.0, baseline_us=10.0),
        Sample(pair=0, block=1, candidate_us=7.0, baseline_us=11.0),
    )
    assert times.samples("eager", Clock.CALL) == ()
    assert times.samples("compile", Clock.DEVICE) == ()


def test_what_the_clock_costs_is_taken_off_both_sides_and_nothing_is_faster_than_nothing() -> None:
    times = _times({(0, 0): 5.0}, {(0, 0): 10.0})
    times.overheads[Clock.DEVICE] = [4.0, 100.0, 3.0]
    (sample,) = times.samples("eager", Clock.DEVICE)
    assert (sample.candidate_us, sample.baseline_us) == (1.0, 6.0)
    times.overheads[Clock.DEVICE] = [7.0]
    (sample,) = times.samples("eager", Clock.DEVICE)
    assert 0.0 < sample.candidate_us < 0.01
    assert times.overhead(Clock.CALL) == 0.0


def _claims(
    blocks: list[tuple[float, float]], clock: Clock = Clock.CALL, pair: int = 0, of: int = 8
) -> BlockTimes:
    times = BlockTimes()
    for claimed, gross in blocks:
        times.note_claim(TimedSide("candidate", pair, NO_RUNNER), clock, claimed, gross, of)
    return times


@pytest.mark.parametrize("clock", list(Clock))
@pytest.mark.parametrize("pair", [0, 1])
def test_a_clock_that_says_much_less_than_ours_is_named(clock: Clock, pair: int) -> None:
    times = _claims([(30.0, 400.0), (31.0, 402.0), (30.0, 410.0), (29.0, 5000.0)], clock, pair)
    assert times.flags() == [
        "the clock in the submission's process says 30 us "
        "where the judge's says 400 us: only the judge's counts"
    ]
    times.overheads[clock] = [10.0]  # of each call
    assert "where the judge's says 320 us" in times.flags()[0]
    times.overheads[clock] = [30.0]  # of 160 us a fifth is no news
    assert times.flags() == []


@pytest.mark.parametrize(
    "blocks",
    [
        [],
        [(200.0, 201.0)] * 4,
        [(200.0, 180.0)] * 4,
        [(5.0, 20.0)] * 4,  # much less, of almost nothing
        [(100.0, 400.0)] * 4,
        [(60.0, 64.0), (60.0, 64.0), (60.0, 9000.0), (60.0, 9000.0)],  # the host did something else
    ],
)
def test_an_honest_clock_is_not_named_for_noise(blocks: list[tuple[float, float]]) -> None:
    assert _claims(blocks).flags() == []


def test_one_process_whose_clock_lies_is_named_beside_one_whose_does_not() -> None:
    times = _claims([(400.0, 400.0)] * 4, pair=0)
    times.claimed |= _claims([(40.0, 400.0)] * 4, pair=1).claimed
    assert times.flags()


def test_only_a_candidate_is_asked_what_its_clock_says() -> None:
    times = BlockTimes()
    times.note_claim(TimedSide("eager", 0, NO_RUNNER), Clock.CALL, 1.0, 1000.0, 8)
    assert times.claimed == {}
