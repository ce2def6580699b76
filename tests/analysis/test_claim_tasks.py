"""Claims about tasks and kernels, of attempts that are made up for them."""

import math
from collections.abc import Callable

import pytest

from attempts_made import broken, made, speed, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict
from kernelbenchx.analysis.claim_tasks import (
    first_round_findings,
    first_rounds,
    portability,
    task_findings,
)
from kernelbenchx.analysis.frame import frame_of


def _found(attempts: list[Attempt], claim: str) -> list[ClaimFinding]:
    frame = frame_of(attempts)
    found = [*task_findings(frame, "card"), *first_round_findings(frame, "card")]
    return [one for one in found if one.claim == claim]


def _one(attempts: list[Attempt], claim: str) -> ClaimFinding:
    (found,) = _found(attempts, claim)
    return found


def test_a_fusion_task_is_solved_by_any_method_sample_or_round() -> None:
    given = [wrong(f"f/{n}", category="Fusion", method=m) for n in range(20) for m in "ab"]
    one = _one(given, "fusion_unsolved")
    assert (one.first, one.second, one.n, one.value) == (20, 20, 20, 100.0)
    assert one.verdict is ClaimVerdict.HOLDS
    later = [made(f"f/{n}", category="Fusion", method="a", round=1 + n % 2) for n in range(20)]
    solved = _one([*given, *later], "fusion_unsolved")
    assert solved.value == 0.0 and solved.verdict is ClaimVerdict.FAILS
    assert _found([wrong("m/a")], "fusion_unsolved") == []


def test_quantization_counts_tasks_as_draws() -> None:
    few = [wrong(f"q/{n}", category="Quantization", method=m) for n in range(6) for m in "abcde"]
    one = _one(few, "quantization_zero")
    assert (one.value, one.n) == (0.0, 30) and one.verdict is ClaimVerdict.UNKNOWN
    many = [wrong(f"q/{n}", category="Quantization") for n in range(30)]
    assert _one(many, "quantization_zero").verdict is ClaimVerdict.HOLDS
    right = [made(f"q/{n}", category="Quantization") for n in range(30)]
    assert _one(right, "quantization_zero").verdict is ClaimVerdict.FAILS


@pytest.mark.parametrize("end", [made, wrong])
def test_two_quantization_tasks_are_not_enough(end: Callable[..., Attempt]) -> None:
    few = [end(f"q/{n}", category="Quantization", method=m) for n in range(2) for m in "abcde"]
    one = _one(few, "quantization_zero")
    assert (one.n, one.tasks, one.verdict) == (10, 2, ClaimVerdict.FEW)
    enough = [end(f"q/{n}", category="Quantization") for n in range(30)]
    assert _one(enough, "quantization_zero").verdict in (ClaimVerdict.HOLDS, ClaimVerdict.FAILS)


def test_the_smaller_group_of_two_counts() -> None:
    given = [made(f"m/{n}", 2.0 + n / 100, iou=0.5, mfu=0.1) for n in range(30)]
    given += [made(f"c/{n}", 0.5 + n / 100, iou=0.1, mfu=0.5) for n in range(5)]
    one = _one(given, "memory_over_compute")
    assert one.low > 1.0 and (one.tasks, one.verdict) == (5, ClaimVerdict.FEW)


def test_what_does_not_run_says_nothing_of_compiling() -> None:
    given = [wrong(f"m/{n}") for n in range(30)] + [made("m/x")]
    more = [broken(f"m/b{n}") for n in range(30)]
    one, same = (_one(part, "compile_not_correct") for part in (given, [*given, *more]))
    assert (one.first, one.second) == (same.first, same.second) == (1.0, 31.0)
    assert one.verdict is ClaimVerdict.HOLDS
    assert _found(more, "compile_not_correct") == []


def test_slower_than_eager_is_of_kernels_with_a_time() -> None:
    given = [made(f"m/{n}", 0.5 if n < 30 else 2.0) for n in range(40)]
    one = _one([*given, made("m/untimed"), wrong("m/w")], "slower_than_eager")
    assert one.value == pytest.approx(75.0) and one.verdict is ClaimVerdict.HOLDS
    fast = [made(f"m/{n}", 2.0) for n in range(40)]
    assert _one(fast, "slower_than_eager").verdict is ClaimVerdict.FAILS


def test_one_attempt_is_that_of_the_first_round_and_untrusted_times_bound_it() -> None:
    first = [made(f"m/{n}", 0.5) for n in range(30)]
    later = [made(f"m/{n}", 2.0, round=1) for n in range(30)]
    one = _one([*first, *later], "under_20_percent")
    assert (one.value, one.n) == (0.0, 30) and one.verdict is ClaimVerdict.HOLDS
    lost = [made(f"m/l{n}", performance="unmeasured") for n in range(30)]
    bounded = _one([*first, *lost], "under_20_percent")
    assert bounded.value == 0.0 and bounded.high > 50.0
    assert bounded.verdict is ClaimVerdict.UNKNOWN


def test_kernelbench_problems_are_told_apart() -> None:
    given = [made("m/a", 2.0), made("level1/b", 2.0, level=1)]
    assert {one.of for one in _found(given, "under_20_percent")} == {
        "tasks",
        "KernelBench problems",
    }


def test_memory_bound_tasks_are_those_with_the_larger_iou() -> None:
    given = [made(f"m/{n}", 2.0 + n / 100, iou=0.5, mfu=0.1) for n in range(10)]
    given += [made(f"c/{n}", 0.5 + n / 100, iou=0.1, mfu=0.5) for n in range(10)]
    one = _one(given, "memory_over_compute")
    assert one.value > 3.0 and one.verdict is ClaimVerdict.HOLDS and "10 of them" in one.of
    assert _found(given[:10], "memory_over_compute") == []


def _on(gpus: dict[str, float], tasks: int) -> list[Attempt]:
    return [
        made(f"m/{n}", over + n / 1000, gpu=gpu, digest=f"k{n}")
        for gpu, over in gpus.items()
        for n in range(tasks)
    ]


def test_portability_needs_the_same_kernels_on_several_gpus() -> None:
    (one,) = portability(frame_of(_on({"a": 1.0, "b": 3.0}, 12)))
    assert one.value == pytest.approx(3.0, abs=0.02) and one.verdict is ClaimVerdict.HOLDS
    (alike,) = portability(frame_of(_on({"a": 1.0, "b": 1.0}, 12)))
    assert alike.verdict is ClaimVerdict.FAILS
    (few,) = portability(frame_of(_on({"a": 1.0, "b": 3.0}, 5)))
    assert math.isnan(few.low) and few.verdict is ClaimVerdict.FEW
    assert list(portability(frame_of(_on({"a": 1.0}, 12)))) == []


def test_first_rounds_are_by_method_and_task() -> None:
    given = [made("a", round=1), made("a", round=2), made("b", round=0, eager=speed(1.0))]
    assert first_rounds(frame_of(given)).tolist() == [True, False, True]
