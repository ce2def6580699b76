"""Claims about rounds, turns and samples, of attempts that are made up for them."""

import numpy as np
import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict
from kernelbenchx.analysis.claim_rounds import measure_gain, net_of, round_findings
from kernelbenchx.analysis.frame import frame_of


def _found(attempts: list[Attempt], claim: str) -> list[ClaimFinding]:
    return [one for one in round_findings(frame_of(attempts), "card") if one.claim == claim]


def _rounds(*outcomes: float | None, tasks: range) -> list[Attempt]:
    """For each round a speedup, or None where it is wrong."""
    return [
        wrong(f"m/{n}", round=at)
        if over is None
        else made(f"m/{n}", over * 1.01 ** (n % 5), round=at)
        for n in tasks
        for at, over in enumerate(outcomes)
    ]


RESCUED = _rounds(None, None, 0.5, tasks=range(20))
PERSISTENT = _rounds(2.0, 2.0, 2.0, tasks=range(20, 60))


def test_refinement_repairs_where_tasks_become_correct() -> None:
    whole, first, second = _found([*RESCUED, *PERSISTENT], "refinement_repairs")
    assert whole.value == pytest.approx(100 * 20 / 60) and whole.verdict is ClaimVerdict.HOLDS
    assert [whole.first, whole.second] == pytest.approx([100 * 40 / 60, 100.0])
    assert (first.first, first.second, first.verdict) == (0, 0, ClaimVerdict.UNKNOWN)
    assert (second.first, second.second, second.verdict) == (20, 0, ClaimVerdict.HOLDS)
    worse = _rounds(2.0, None, tasks=range(20))
    assert _found(worse, "refinement_repairs")[0].verdict is ClaimVerdict.FAILS
    assert _found(_rounds(2.0, tasks=range(5)), "refinement_repairs") == []


def test_rescued_kernels_are_held_against_persistent_ones() -> None:
    (one,) = _found([*RESCUED, *PERSISTENT], "rescued_slower")
    assert one.value == pytest.approx(0.25, rel=0.01) and one.verdict is ClaimVerdict.HOLDS
    faster = _rounds(None, 4.0, tasks=range(20)) + _rounds(2.0, 2.0, tasks=range(20, 60))
    assert _found(faster, "rescued_slower")[0].verdict is ClaimVerdict.FAILS
    assert _found(PERSISTENT, "rescued_slower") == []


def test_a_mean_that_falls_by_composition_is_no_slowdown_and_no_speedup() -> None:
    (one,) = _found([*RESCUED, *PERSISTENT], "refinement_no_speedup")
    assert one.value == pytest.approx(1.0) and one.n == 40
    assert one.verdict is ClaimVerdict.HOLDS
    quicker = _rounds(1.0, 2.0, tasks=range(20))
    assert _found(quicker, "refinement_no_speedup")[0].verdict is ClaimVerdict.FAILS


def test_kernels_that_were_not_written_again_say_nothing_of_refinement() -> None:
    stopped = _rounds(2.0, tasks=range(20)) + _rounds(None, 1.0, tasks=range(20, 25))
    assert _found(stopped, "refinement_no_speedup") == []


def test_turns_count_the_best_so_far() -> None:
    lost_again = _rounds(None, 2.0, None, tasks=range(30)) + _rounds(0.5, 0.5, tasks=range(30, 40))
    (one,) = _found(lost_again, "gain_by_turns")
    assert [one.first, one.second] == pytest.approx([0.0, 75.0])
    assert one.verdict is ClaimVerdict.HOLDS and "1 to 3 turns" in one.subject
    nothing = _rounds(2.0, 2.0, tasks=range(100))
    assert _found(nothing, "gain_by_turns")[0].verdict is ClaimVerdict.FAILS


def test_without_times_turns_and_samples_are_counted_by_correctness() -> None:
    given = [wrong(f"m/{n}", round=0) for n in range(30)]
    given += [made(f"m/{n}", round=1) for n in range(30)]
    (one,) = _found(given, "gain_by_turns")
    assert one.second == pytest.approx(100.0) and "correct" in one.compared


def _samples(task: int, *right: bool) -> list[Attempt]:
    named = [
        {"sample": at, "submission": f"s{task}-{at}", "digest": f"{task}-{at}"}
        for at in range(len(right))
    ]
    return [
        made(f"m/{task}", 2.0, **one) if yes else wrong(f"m/{task}", **one)
        for yes, one in zip(right, named, strict=True)
    ]


def test_samples_gain_what_an_unbiased_estimate_says() -> None:
    given = [one for n in range(40) for one in _samples(n, True, False, False, False)]
    (one,) = _found(given, "gain_by_samples")
    assert [one.first, one.second] == pytest.approx([25.0, 100.0])
    assert one.verdict is ClaimVerdict.HOLDS and "1 to 4 samples" in one.subject
    alike = [one for n in range(100) for one in _samples(n, n % 2 == 0, n % 2 == 0)]
    assert _found(alike, "gain_by_samples")[0].verdict is ClaimVerdict.FAILS
    assert _found(_samples(0, True), "gain_by_samples") == []


def test_untrusted_times_widen_a_gain() -> None:
    least, later = np.zeros(50), np.ones(50)
    sure = measure_gain("gain_by_turns", "", "fast_1", ((least, least), (later, later)))
    unsure = measure_gain("gain_by_turns", "", "fast_1", ((least, later), (later, later)))
    assert sure.verdict is ClaimVerdict.HOLDS and unsure.verdict is ClaimVerdict.UNKNOWN
    assert unsure.low < sure.low and unsure.high == sure.high


def test_net_counts_kernels() -> None:
    place = np.arange(100)
    one = net_of(place < 15, place >= 99, place, "")
    assert (one.first, one.second, one.value) == (15.0, 1.0, 14.0)
    assert 0.0 < one.low < 14.0 < one.high
