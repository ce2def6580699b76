"""What the benchmarks of a card say of sides that are the same, and of slowdowns."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from benchmark_files import benchmark
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Performance, Unmeasured
from samples import LARGE, SMALL, evaluation, timed, timed_case

REPORTS, SAME, SLOWDOWN = map(benchmark, ("_reports", "card_same", "card_slowdown"))


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


@pytest.mark.parametrize(
    ("speedups", "broken"),
    [([1.0] * 18 + [1.015] * 2, "called"), ([1.0] * 40 + [0.975], "largest deviation")],
)
def test_sides_that_look_different(speedups: list[float], broken: str) -> None:
    report = REPORTS.Report()
    SAME.summary(report, _same(speedups))
    assert report._broken and all(broken in one for one in report._broken)
    assert report.end({}, None) == 1


def _bound(speedup: float) -> list[Any]:
    """A case bound by overhead, known to three percent."""
    rows = SAME.rows_of("entries", "activation/relu", timed_case(speedup, SMALL))
    return [replace(row, low=speedup - 0.03, high=speedup + 0.03, pace="undecided") for row in rows]


@pytest.mark.parametrize(("speedup", "broken"), [(1.025, ""), (1.05, "bound by overhead hold 1")])
def test_of_a_case_bound_by_overhead_the_interval_must_hold_one(
    speedup: float, broken: str
) -> None:
    report = REPORTS.Report()
    SAME.summary(report, _same([1.0], "entries") + _bound(speedup))
    assert [broken in one for one in report._broken] == ([True] if broken else [])


def _performed(attempt: Any, card: Any, tell: Any) -> Performance:
    assert card == "the card"
    tell("timing")
    assert "tl." not in attempt.submission.source
    if attempt.submission.name == "gelu":
        return Unmeasured(reason=Reason.DISTURBED, detail="somebody else", case="big")
    return timed(1.0)


HERE = {"isolation": "L3", "environment": evaluation().environment}


def _station() -> Any:
    cards = SimpleNamespace(
        start=lambda _names: None, given=lambda: nullcontext("the card"), crews=nullcontext()
    )
    card = SimpleNamespace(bench=SimpleNamespace(close=lambda: None))
    timing = SimpleNamespace(performance=_performed)
    return SimpleNamespace(cards=cards, card=card, timing=timing, **HERE)


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


def test_every_reference_can_be_submitted() -> None:
    for name in SAME.catalog.names():
        names: dict[str, Any] = {}
        exec(compile(SAME.reference_source(name), name, "exec"), names)
        assert callable(names[SAME.catalog.load(name).entry])


def _slowed(run: int, pace: str, baseline_us: float = 100.0) -> Any:
    return SLOWDOWN.Row(
        run=run, task="activation/relu", case=LARGE, slots=4, baseline_us=baseline_us,
        speedup=0.952, low=0.95, high=0.955, pace=pace, blocks=4,
    )  # fmt: skip


def test_slowdowns_that_were_found() -> None:
    report = REPORTS.Report()
    rows = [_slowed(run, "slower") for run in (1, 2)] + [_slowed(1, "tie", 19.0)]
    SLOWDOWN.say_rows(report, rows)
    found = SLOWDOWN.summary(report, rows, 2)
    assert [(one["cases"], one["slower"]) for one in found] == [(1, 1), (1, 1)]
    assert report.end({}, None) == 0


def test_both_runs_of_a_slowdown_have_seeds_of_their_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[int] = []

    def measure(_here: Any, plans: list[str], run: int, seed: int, _lost: list[str]) -> list[Any]:
        assert plans == ["a plan"]
        seen.append(seed)
        return [_slowed(run, "slower")]

    card = SimpleNamespace(device="cpu")
    here = SimpleNamespace(card=card, **HERE)
    bench = SimpleNamespace(close=lambda: None)
    monkeypatch.setattr(SLOWDOWN, "station", lambda *_: nullcontext(here))
    monkeypatch.setattr(SLOWDOWN, "bench_of", lambda *_: (bench, None))
    monkeypatch.setattr(SLOWDOWN, "recorded_witnesses", lambda *_: ["a plan"])
    monkeypatch.setattr(SLOWDOWN, "measure", measure)
    _main(SLOWDOWN, monkeypatch, "--only", "relu")
    _, document = _said(capsys)
    assert len(set(seen)) == 2
    assert document["seeds"][1:] == seen


@pytest.mark.parametrize("rows", [[], [_slowed(1, "slower")] * 18 + [_slowed(1, "undecided")]])
def test_slowdowns_that_were_not(rows: list[Any]) -> None:
    report = REPORTS.Report()
    SLOWDOWN.summary(report, rows, 1)
    assert report.end({}, None) == 1
