"""Claims about how far methods get, of attempts that are made up for them."""

import math

import pytest

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict
from kernelbenchx.analysis.claim_reach import reach_findings, worst_portability
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.intervals import wilson


def _found(attempts: list[Attempt], claim: str) -> list[ClaimFinding]:
    return [one for one in reach_findings(frame_of(attempts), "card") if one.claim == claim]


def _one(attempts: list[Attempt], claim: str) -> ClaimFinding:
    (found,) = _found(attempts, claim)
    return found


def test_math_is_asked_of_each_method_alone() -> None:
    good = [made(f"m/{n}", method="good") for n in range(20)]
    half = [(made if n % 2 else wrong)(f"m/{n}", method="half") for n in range(20)]
    other = [wrong(f"l/{n}", method="good", category="Loss") for n in range(20)]
    first, second = _found([*good, *half, *other], "math_solved")
    assert (first.value, first.n, first.verdict) == (100.0, 20, ClaimVerdict.HOLDS)
    plain = wilson(10, 20)
    assert (second.low, second.high) == pytest.approx((100 * plain.low, 100 * plain.high))
    assert (second.value, second.verdict) == (50.0, ClaimVerdict.UNKNOWN)
    assert _found(other, "math_solved") == []


def test_any_of_ten_turns_counts_and_the_eleventh_does_not() -> None:
    def line(task: str, right: int, turns: int = 10) -> list[Attempt]:
        return [(made if turn == right else wrong)(task, round=turn) for turn in range(turns)]

    won = [one for n in range(60) for one in line(f"m/{n}", right=n % 10)]
    one = _one(won, "correct_within_turns")
    assert (one.value, one.n, one.verdict) == (100.0, 60, ClaimVerdict.HOLDS)
    late = [one for n in range(60) for one in line(f"m/{n}", right=10, turns=11)]
    never = _one(late, "correct_within_turns")
    assert (never.value, never.verdict) == (0.0, ClaimVerdict.FAILS)
    assert "1 to 10 turns" in never.subject


def test_fewer_turns_than_ten_never_refute_it() -> None:
    few = [broken(f"m/{n}", round=turn) for n in range(60) for turn in range(3)]
    one = _one(few, "correct_within_turns")
    assert (one.value, one.high, one.verdict) == (0.0, 100.0, ClaimVerdict.UNKNOWN)
    assert "fewer than 10 turns" in one.note
    assert _found([made(f"m/{n}") for n in range(60)], "correct_within_turns") == []


def test_a_task_needs_a_hundred_samples_to_be_a_wall() -> None:
    def tried(task: str, right: bool, many: int = 100) -> list[Attempt]:
        return [
            (made if right and not at else wrong)(
                task, sample=at, submission=f"{task}{at}", digest=f"{task}{at}", key=f"{task}{at}"
            )
            for at in range(many)
        ]

    given = [one for n in range(20) for one in tried(f"m/{n}", right=n < 10)]
    one = _one(given, "wall_of_samples")
    plain = wilson(10, 20)
    assert (one.value, one.first, one.n, one.verdict) == (50.0, 10.0, 20, ClaimVerdict.HOLDS)
    assert (one.low, one.high) == pytest.approx((100 * plain.low, 100 * plain.high))
    fewer = [one for n in range(20) for one in tried(f"m/{n}", right=False, many=99)]
    assert _found(fewer, "wall_of_samples") == []


def _on(gpu: str, task: str, over: float, error: float = 0.1) -> Attempt:
    ends = Speed(
        speedup=over, low=over * (1 - error), high=over * (1 + error), speed_class="undecided"
    )
    return made(task, over, gpu=gpu, eager=ends, key=f"{gpu}{task}")


def test_the_worst_kernel_decides_with_the_ends_of_its_measurements() -> None:
    tasks = [f"m/{n}" for n in range(8)]
    given = [_on("A", task, 1.0) for task in tasks]
    given += [_on("B", task, 20.0 if task == "m/3" else 1.0) for task in tasks]
    (one,) = worst_portability(frame_of(given))
    assert one.value == pytest.approx(20.0) and (one.n, one.tasks) == (8, 8)
    assert one.low == pytest.approx(20.0 * 0.9 / 1.1) and one.high == pytest.approx(20 * 1.1 / 0.9)
    assert one.verdict is ClaimVerdict.HOLDS and "m/3" in one.note
    (alike,) = worst_portability(frame_of([_on(gpu, task, 1.0) for gpu in "AB" for task in tasks]))
    assert alike.verdict is ClaimVerdict.FAILS and not math.isnan(alike.high)
    assert list(worst_portability(frame_of(given[:8]))) == []
