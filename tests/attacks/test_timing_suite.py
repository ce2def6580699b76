"""Attacks on the clock without one: what their headers say about everything but times."""

from dataclasses import replace

import pytest

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import (
    Attack,
    Control,
    attacks,
    timing_attacks,
    timing_controls,
)
from kernelbenchx.attacks.running import against
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.rule import Report
from kernelbenchx.checks.run import check
from kernelbenchx.evaluate.expectation import expectation_of

EVERYWHERE = {
    "t3_patched_clocks",
    "t5_hooks_the_clock",
    "t7_cache_by_address",
    "t21_lazy_configuration",
}
"""Attacks whose preparations also run where there is no card; they cheat on large inputs only."""


def _checked(one: Attack | Control) -> Report:
    return check(one.source, expectation_of(facts(catalog.select(one.task)[0]), "triton"))


@pytest.mark.parametrize("attack", timing_attacks(), ids=lambda one: one.name)
def test_the_source_checks_say_what_the_header_says(attack: Attack) -> None:
    compile(attack.source, attack.name, "exec")
    report = _checked(attack)
    assert bool(report.fatal) == ("rejected" in attack.checks)
    if not report.fatal:
        assert report.composition is attack.composition


@pytest.mark.parametrize("control", timing_controls(), ids=lambda one: one.name)
def test_honest_kernels_pass_the_source_checks_unless_they_say_so(control: Control) -> None:
    compile(control.source, control.name, "exec")
    report = _checked(control)
    assert bool(report.fatal) == control.unchecked
    if not report.fatal:
        assert report.composition is control.composition


def test_some_attacks_pass_the_checks_and_only_a_clock_that_judges_stops_them() -> None:
    passing = [one.name for one in timing_attacks() if "correct" in one.checks]
    assert len(passing) >= 4
    assert len(passing) < len(timing_attacks())


@pytest.mark.arena
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("warm_workers")
def test_attacks_on_the_clock_get_the_verdict_that_their_headers_say() -> None:
    tried = [replace(one, device="any") for one in timing_attacks() if one.name in EVERYWHERE]
    assert len(tried) == len(EVERYWHERE)
    honest = [
        replace(one, device="any")
        for one in timing_controls()
        if one.name in ("timing_workspace", "timing_graph_over_copies")
    ]
    report = against(attacks=tried, controls=honest, checks=False, device="interpreter")
    assert [(one.name, one.problems) for one in report.through] == []
    assert [(one.name, one.problems) for one in report.controls if not one.ok] == []
    assert len(report.stopped) == len(tried)
    assert len(report.controls) == 2


def test_they_are_not_among_the_attacks_on_verdicts() -> None:
    assert not {one.name for one in attacks()} & {one.name for one in timing_attacks()}
