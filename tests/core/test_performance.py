"""Records of times: what they answer, how they cross a border, what they refuse."""

import msgspec
import pytest

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Clock, Failed, Performance, Unmeasured
from kernelbenchx.core.record import from_json, to_json
from samples import timed


def test_a_comparison_is_found_by_baseline_and_clock() -> None:
    case = timed(2.0, baselines=("eager", "compile")).cases[0]
    for baseline in ("eager", "compile"):
        for clock in Clock:
            found = case.find_comparison(baseline, clock)
            assert found is not None
            assert (found.baseline, found.clock) == (baseline, clock)
    assert case.find_comparison("other", Clock.DEVICE) is None


def test_a_speedup_is_found_by_baseline() -> None:
    found = timed(2.0, baselines=("compile", "eager"))
    eager, compiled = found.find_speedup(), found.find_speedup("compile")
    assert eager is not None and eager.baseline == "eager"
    assert compiled is not None and compiled.baseline == "compile"
    assert timed(2.0).find_speedup("compile") is None


@pytest.mark.parametrize(
    "performance",
    [
        timed(1.5),
        Failed(case="c", reason=Reason.STALE, detail="d", trick="t"),
        Unmeasured(reason=Reason.DISTURBED, detail="somebody else"),
    ],
)
def test_every_kind_crosses_a_border_unchanged(performance: Performance) -> None:
    again: Performance = from_json(to_json(performance), Performance)  # type: ignore[arg-type]
    assert again == performance


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"faster"}',
        '{"kind":"unmeasured","reason":"disturbed"}',
        '{"kind":"unmeasured","reason":"disturbed","detail":"","score":1}',
        '{"kind":"failed","case":"c","reason":"tired","detail":""}',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        from_json(text, Performance)  # type: ignore[arg-type]
