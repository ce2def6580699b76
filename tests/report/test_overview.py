"""The tables of the first page: how far attempts get, and why and where the others fail."""

from typing import Any

from msgspec.structs import replace

from kernelbenchx.analysis.apply_standard import judge_by
from kernelbenchx.analysis.attempt import Speed
from kernelbenchx.core.scopes import Scope, ScopeCount
from kernelbenchx.core.standards import Standard
from kernelbenchx.report.overview import ALL, BEFORE, tables
from report_samples import attempt

SLOW = Speed(speedup=0.5, low=0.4, high=0.6, speed_class="slower")
UNTIMED: dict[str, Any] = {"performance": "", "eager": None, "score": None}


def _failed(*scopes: Scope) -> tuple[ScopeCount, ...]:
    return tuple(
        ScopeCount(scope=scope, passed=2 - (scope in scopes), total=2)
        for scope in (Scope.CORE, Scope.LAYOUT, Scope.DTYPE)
    )


ATTEMPTS = [
    attempt("1" * 64, core=True),
    attempt("2" * 64, core=True, eager=SLOW),
    attempt("3" * 64, core=True, performance="unmeasured", eager=None),
    attempt("4" * 64, core=True, outcome="correct", reason="timed_wrong", performance="failed"),
    attempt(
        "5" * 64, core=True, outcome="wrong", reason="bad_shape", scopes=_failed(Scope.LAYOUT),
        **UNTIMED,
    ),
    attempt(
        "6" * 64, core=False, outcome="broken", reason="out_of_bounds", method="other",
        scopes=_failed(Scope.CORE, Scope.DTYPE), **UNTIMED,
    ),
    attempt("7" * 64, core=False, outcome="rejected", reason="imports", **UNTIMED),
]  # fmt: skip


def _funnel(attempts: list[Any], method: str) -> list[tuple[Any, ...]]:
    funnel, _ = tables(attempts)
    return [row[2:] for row in funnel.rows if row[1] == method]


def test_each_step_says_how_many_take_it_and_what_became_of_the_others() -> None:
    assert [(row[0], row[1], row[4]) for row in _funnel(ATTEMPTS, ALL)] == [
        ("judged", 7, ""),
        ("passes the source checks", 6, "1 rejected"),
        ("core correct", 5, "1 broken"),
        ("correct", 3, "1 failed at scale, 1 wrong"),
        ("timed", 2, "1 not timed"),
        ("faster than eager", 1, "1 slower"),
    ]


def test_standards_are_steps_up_to_the_one_that_counts() -> None:
    strict = [
        replace(one, basic=bool(one.core) or at == 5, core=bool(one.core))
        for at, one in enumerate(ATTEMPTS)
    ]
    steps = [(row[0], row[1]) for row in _funnel(strict, ALL)]
    assert steps[2:5] == [("basic correct", 6), ("core correct", 5), ("correct", 3)]
    loose = judge_by(strict, Standard.BASIC)
    steps = [(row[0], row[1]) for row in _funnel(loose, ALL)]
    assert steps[2:4] == [("basic correct", 6), ("correct", 6)], "no stricter one stands between"


def test_the_methods_of_a_gpu_have_the_same_steps_and_add_up() -> None:
    every, agent, other = (_funnel(ATTEMPTS, name) for name in (ALL, "agent", "other"))
    assert [row[0] for row in agent] == [row[0] for row in other] == [row[0] for row in every]
    assert [a[1] + b[1] for a, b in zip(agent, other, strict=True)] == [row[1] for row in every]
    assert [row[1] for row in other] == [1, 1, 0, 0, 0, 0]


def test_a_run_without_scopes_rejections_and_times_has_the_steps_that_it_can_have() -> None:
    old = [
        attempt("1" * 64, **UNTIMED),
        attempt("2" * 64, outcome="wrong", reason="bad_shape", **UNTIMED),
        attempt("3" * 64, outcome="broken", reason="crash", **UNTIMED),
    ]
    found = _funnel(old, "agent")
    assert [(row[0], row[1]) for row in found] == [("judged", 3), ("runs", 2), ("correct", 1)]
    assert _funnel(old, ALL) == [], "one method alone is not repeated as all methods"


def test_gpus_are_counted_apart() -> None:
    funnel, causes = tables([*ATTEMPTS, attempt("8" * 64, gpu="B", core=True)])
    assert {row[0] for row in funnel.rows} == {"NVIDIA H200", "B"}
    assert [row[3] for row in funnel.rows if row[0] == "B"] == [1, 1, 1, 1, 1]
    assert {row[0] for row in causes.rows} == {"NVIDIA H200"}


def test_failures_are_counted_by_scope_and_cause() -> None:
    _, causes = tables(ATTEMPTS)
    assert {row[1:4] for row in causes.rows} == {
        (BEFORE, "policy", 1),
        ("core", "bounds", 1),
        ("layout", "shape", 1),
        ("dtype", "bounds", 1),
        ("scale", "values", 1),
    }
    assert {row[4] for row in causes.rows} == {1 / 7}


def test_a_failure_without_a_known_cause_is_not_listed() -> None:
    _, causes = tables([attempt(outcome="wrong", reason="", **UNTIMED), attempt("2" * 64)])
    assert causes.rows == ()
