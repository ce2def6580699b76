"""What the benchmarks of a card say of sides that are the same, and of slowdowns."""

import json
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, Tier, Unmeasured
from kernelbenchx.evaluate.process_slots import ProcessSlots
from samples import LARGE, SMALL, evaluation, timed, timed_case

REPORTS, SAME, SLOWDOWN = map(benchmark, ("_reports", "card_same", "card_slowdown"))
PLANS, WALLED = benchmark("_plans"), benchmark("_walled")


def _main(module: Any, monkeypatch: pytest.MonkeyPatch, *words: str, code: int = 0) -> None:
    monkeypatch.setattr("sys.argv", ["benchmark", *words])
    assert module.main() == code


def _said(capsys: pytest.CaptureFixture[str]) -> tuple[str, dict[str, Any]]:
    out = capsys.readouterr().out
    return out, json.loads(out.splitlines()[-1])


def _same(speedups: Sequence[float], part: str = "replays") -> list[Any]:
    return [
        row for one in speedups for row in SAME.rows_of(part, "activation/relu", timed_case(one))
    ]


def test_sides_that_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    report = REPORTS.Report()
    rows = _same([1.0] * 20) + _same([1.0], "entries")
    SAME.say_rows(report, rows)
    found = SAME.summary(report, rows)
    assert [(one["part"], one["clock"], one["cases"], one["called"]) for one in found] == [
        ("entries", "device", 1, 0),
        ("entries", "call", 1, 0),
        ("replays", "device", 20, 0),
        ("replays", "call", 20, 0),
    ]
    assert report.end({}, None) == 0
    assert "activation/relu" in capsys.readouterr().out


def test_too_many_that_look_different() -> None:
    report = REPORTS.Report()
    SAME.summary(report, _same([1.0] * 18 + [1.015] * 2))
    assert len(report._broken) == 2
    assert all("2 of 20 called" in one for one in report._broken)
    assert report.end({}, None) == 1


def _known(speedup: float, width: float, case: str, clock: str = "device") -> list[Any]:
    """One case, known so well."""
    rows = SAME.rows_of("entries", "activation/relu", timed_case(speedup, case))
    return [
        replace(row, low=speedup - width, high=speedup + width, pace="undecided")
        for row in rows
        if row.clock == clock
    ]


@pytest.mark.parametrize("case", [LARGE, SMALL])
@pytest.mark.parametrize(
    ("speedup", "width", "broken"),
    [
        (1.019, 0.03, []),
        (0.981, 0.03, []),
        (1.021, 0.03, ["largest deviation"]),
        (0.979, 0.03, ["largest deviation"]),
        (1.010, 0.005, ["without 1 (50.0 %"]),
        (1.050, 0.030, ["largest deviation", "without 1 (50.0 %"]),
    ],
)
def test_by_the_device_clock_every_case_must_be_near_one_and_its_interval_hold_it(
    case: str, speedup: float, width: float, broken: list[str]
) -> None:
    """Also where it is bound by overhead."""
    report = REPORTS.Report()
    SAME.summary(report, _same([1.0], "entries") + _known(speedup, width, case))
    assert len(report._broken) == len(broken)
    assert all(part in one for part, one in zip(broken, report._broken, strict=True))


@pytest.mark.parametrize(("others", "holds"), [(19, True), (18, False)])
def test_one_interval_in_twenty_may_be_without_the_truth(others: int, holds: bool) -> None:
    report = REPORTS.Report()
    SAME.summary(report, _same([1.0] * others, "entries")[::2] + _known(1.01, 0.005, LARGE))
    assert (report._broken == []) is holds


def test_of_the_call_clock_it_is_only_said_how_far_off_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = REPORTS.Report()
    (found,) = SAME.summary(report, _known(1.3, 0.1, LARGE, "call"))
    assert report.end({}, None) == 0
    assert found["largest"] == pytest.approx(0.3)
    assert "entries, call clock: 1 cases, 0 ties, 1 undecided; furthest off by 30.00 %" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("speedups", "said"),
    [
        ([1.004, 1.006, 1.002, 1.0], "3 of 4 above 1, mean deviation +0.30 %"),
        ([1.004, 1 / 1.004, 0.99, 1 / 0.99], "2 of 4 above 1, mean deviation +0.00 %"),
        ([0.99, 1.0, 1.0, 1.0], "0 of 4 above 1, mean deviation -0.25 %"),
    ],
)
def test_a_lean_to_one_side_is_said(
    capsys: pytest.CaptureFixture[str], speedups: list[float], said: str
) -> None:
    found = SAME.summary(REPORTS.Report(), _same(speedups))
    out = capsys.readouterr().out
    for clock in ("device", "call"):
        assert f"replays, {clock} clock: {said}" in out
    assert found[0]["above"] == int(said[0])
    assert f"{100 * found[0]['mean']:+.2f} %" in said


def _performed(attempt: Any, card: Any, tell: Any) -> Performance:
    assert card == "the GPU"
    tell("timing")
    assert "tl." not in attempt.submission.source
    if attempt.submission.name == "gelu":
        return Unmeasured(reason=Reason.DISTURBED, detail="somebody else", case="big")
    return timed(1.0)


HERE = {"isolation": "L3", "environment": evaluation().environment}


def _station() -> Any:
    cards = SimpleNamespace(
        start=lambda _names: None,
        assign_gpu=lambda: nullcontext("the GPU"),
        process_slots=ProcessSlots(4),
    )
    card = SimpleNamespace(bench=SimpleNamespace(close=lambda: None))
    timing = SimpleNamespace(time_submission=_performed)
    return SimpleNamespace(gpu_slots=cards, card=card, timing=timing, **HERE)


@pytest.mark.parametrize(("names", "code"), [(("relu",), 0), (("relu", "gelu"), 1)])
def test_references_go_through_the_whole_performance_stage(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    names: tuple[str, ...],
    code: int,
) -> None:
    monkeypatch.setattr(SAME, "station", lambda *_: nullcontext(_station()))
    _main(SAME, monkeypatch, "--part", "entries", "--jobs", "2", "--only", *names, code=code)
    out, document = _said(capsys)
    assert "entries, device clock: 2 cases" in out
    assert len(document["rows"]) == 4
    assert document["lost"] == ["activation/gelu big: disturbed: somebody else"][: len(names) - 1]


def test_every_faithful_program_can_be_submitted() -> None:
    for name in SAME.catalog.function_names():
        names: dict[str, Any] = {}
        exec(compile(SAME.faithful_source(name), name, "exec"), names)
        assert callable(names[SAME.catalog.load(name).entry])


def test_what_is_submitted_is_what_it_is_timed_against() -> None:
    task = SAME.catalog.load("fusion/fused_bmm_dropout_gelu")
    names: dict[str, Any] = {}
    exec(compile(SAME.faithful_source("fusion/fused_bmm_dropout_gelu"), "it", "exec"), names)
    case = next(one for one in task.cases(0) if one.params["dtype"] == torch.bfloat16)
    found = []
    for function in (names[task.entry], task.faithful, task.baseline):
        given = task.draw(case, 1).copy().concrete()
        torch.manual_seed(1)
        found.append(function(*given.args, **given.kwargs))
    submitted, faithful, eager = found
    assert torch.equal(submitted, faithful)
    assert torch.equal(submitted, eager)  # which rounds once, too


def _slowed(run: int, pace: str, baseline_us: float = 100.0, tier: str = "replay") -> Any:
    return SLOWDOWN.Row(
        run=run, task="activation/relu", case=LARGE, tier=tier, slots=4, baseline_us=baseline_us,
        speedup=0.952, low=0.95, high=0.955, pace=pace, blocks=4,
    )  # fmt: skip


def test_slowdowns_that_were_found(capsys: pytest.CaptureFixture[str]) -> None:
    report = REPORTS.Report()
    rows = [_slowed(run, "slower") for run in (1, 2)] + [_slowed(1, "tie", 19.0)]
    rows.append(_slowed(2, "slower", tier="host_timed"))
    SLOWDOWN.say_rows(report, rows)
    found = SLOWDOWN.summary(report, rows, 2)
    assert [(one["cases"], one["slower"]) for one in found] == [(1, 1), (2, 2)]
    assert [one["tier"] for one in found[1]["tiers"]] == ["replay", "host_timed"]
    assert report.end({}, None) == 0
    assert "run 2, tier host_timed: 1 of 1 called slower" in capsys.readouterr().out


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [_slowed(1, "slower")] * 18 + [_slowed(1, "undecided")],
        [_slowed(1, "slower")] * 18 + [_slowed(1, "undecided", tier="host_timed")],
    ],
)
def test_slowdowns_that_were_not(rows: list[Any]) -> None:
    report = REPORTS.Report()
    SLOWDOWN.summary(report, rows, 1)
    assert report.end({}, None) == 1


PLAN = PLANS.Recorded("activation/relu", "first", (b"", b""), b"")
WALLS = [WALLED.Walled("random/rand", case, "draws random numbers") for case in ("a", "b")]


@pytest.mark.parametrize(("lost", "code"), [(0, 0), (1, 1)])
def test_both_runs_of_a_slowdown_have_seeds_of_their_own_and_all_cases(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lost: int, code: int
) -> None:
    seen: list[int] = []
    wanted = len(SLOWDOWN.catalog.load("activation/relu").timings)

    def measure(_here: Any, cases: list[Any], run: int, seed: int, _missing: Any) -> list[Any]:
        assert cases == [PLAN, WALLS[0]]
        seen.append(seed)
        return [_slowed(run, "slower")] * (wanted - lost)

    card = SimpleNamespace(device="cpu")
    here = SimpleNamespace(card=card, **HERE)
    bench = SimpleNamespace(close=lambda: None)
    monkeypatch.setattr(SLOWDOWN, "station", lambda *_: nullcontext(here))
    monkeypatch.setattr(SLOWDOWN, "bench_of", lambda *_: (bench, None))
    monkeypatch.setattr(SLOWDOWN, "recorded_witnesses", lambda *_: [PLAN, WALLS[0]])
    monkeypatch.setattr(SLOWDOWN, "measure", measure)
    _main(SLOWDOWN, monkeypatch, "--only", "relu", code=code)
    out, document = _said(capsys)
    assert len(set(seen)) == 2
    assert document["seeds"][1:] == seen
    assert "not replayed: random/rand a: draws random numbers" in out
    assert f"in every run ({2 * (wanted - lost)} of {2 * wanted})" in out


@pytest.mark.parametrize(
    ("raises", "said"), [(False, "evaluator: a baseline failed"), (True, "out of memory")]
)
def test_a_run_replays_what_can_be_and_times_the_rest_by_the_judges_clock(
    monkeypatch: pytest.MonkeyPatch, raises: bool, said: str
) -> None:
    """One that cannot be timed is missing, the others are in the order in which they came."""
    ended: list[str] = []
    where = SimpleNamespace(room_bytes=1 << 30)
    bench: Any = SimpleNamespace(where=where, close=lambda: ended.append("bench"))
    runner = SimpleNamespace(rounds=1)
    crew = SimpleNamespace(stack=ExitStack())
    crew.stack.callback(ended.append, "crew")
    layout = SimpleNamespace(slots=5)

    def inputs_of(_bench: Any, task: str, _case: str, *, walled: bool = False) -> Any:
        assert walled is (task == "random/rand")
        return SimpleNamespace(layout=layout)

    def walled(_place: Any, _inputs: Any, rounds: int, got: Any, why: str) -> Any:
        assert (rounds, got, why) == (4, crew, "draws random numbers")
        assert not ended
        walls.append(1)
        if len(walls) == 2 and raises:
            raise RuntimeError("out of memory")
        if len(walls) == 2:
            return Unmeasured(reason=Reason.EVALUATOR, detail="a baseline failed", case="b")
        return timed_case(0.95, "a", tier=Tier.HOST_TIMED)

    walls: list[int] = []
    monkeypatch.setattr(SLOWDOWN, "bench_of", lambda *_: (bench, None))
    monkeypatch.setattr(SLOWDOWN, "inputs_of", inputs_of)
    monkeypatch.setattr(SLOWDOWN, "in_twenties", lambda inputs, *_: (inputs, 4))
    monkeypatch.setattr(SLOWDOWN, "slowed_replays", lambda *_: nullcontext([runner]))
    monkeypatch.setattr(SLOWDOWN, "replays", lambda *_: nullcontext([runner]))
    monkeypatch.setattr(SLOWDOWN, "wall_crews", lambda *_: nullcontext([crew]))
    monkeypatch.setattr(SLOWDOWN, "beside_the_clock", lambda *_: nullcontext())
    monkeypatch.setattr(SLOWDOWN, "timed", lambda *_: timed_case(0.95, "first"))
    monkeypatch.setattr(SLOWDOWN, "timed_walled", walled)
    missing: list[str] = []
    here: Any = SimpleNamespace(card=SimpleNamespace(device="cpu"))
    rows = SLOWDOWN.measure(here, [*WALLS, PLAN], 1, 7, missing.append)
    assert [(row.case, row.tier) for row in rows] == [("a", "host_timed"), ("first", "replay")]
    assert missing == [f"run 1: random/rand b: {said}"]
    assert runner.rounds == 4
    assert ended == ["crew", "bench"]


def test_a_tier_that_cannot_be_timed_leaves_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise EvaluatorFault("too little memory")

    closed: list[bool] = []
    bench: Any = SimpleNamespace(close=lambda: closed.append(True))
    row = SLOWDOWN.row_of(1, "activation/relu", 4, timed_case(0.95, "first"))
    monkeypatch.setattr(SLOWDOWN, "bench_of", lambda *_: (bench, None))
    monkeypatch.setattr(SLOWDOWN.Run, "replayed", lambda *_: [row])
    monkeypatch.setattr(SLOWDOWN.Run, "walled", broken)
    missing: list[str] = []
    here: Any = SimpleNamespace(card=SimpleNamespace(device="cpu"))
    assert SLOWDOWN.measure(here, [*WALLS, PLAN], 2, 7, missing.append) == [row]
    assert missing == ["run 2: host-timed: too little memory"]
    assert closed == [True]
