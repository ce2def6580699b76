"""Attacks on the clock without one: what their headers say about everything but times."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import (
    SUITE,
    Attack,
    Control,
    attacks,
    read_attack,
    timing_attacks,
    timing_controls,
)
from kernelbenchx.attacks.suite_run import against
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Report
from kernelbenchx.evaluate.expectation import expectation_of
from tiers import mark_slow

EVERYWHERE = (
    "t3_patched_clocks",
    "t5_hooks_the_clock",
    "t7_cache_by_address",
    "t21_lazy_configuration",
)
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


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("name", mark_slow(EVERYWHERE, fast=1))
def test_an_attack_on_the_clock_gets_the_verdict_that_its_header_says(name: str) -> None:
    tried = [replace(one, device="any") for one in timing_attacks() if one.name == name]
    report = against(attacks=tried, controls=[], checks=False, device="interpreter")
    assert [(one.name, one.problems) for one in report.through] == []
    assert [one.name for one in report.stopped] == [name]


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize(
    "name", mark_slow(("timing_graph_over_copies", "timing_workspace"), fast=1)
)
def test_an_honest_kernel_for_the_clock_is_correct(name: str) -> None:
    honest = [replace(one, device="any") for one in timing_controls() if one.name == name]
    report = against(attacks=[], controls=honest, checks=False, device="interpreter")
    assert [(one.name, one.problems) for one in report.controls] == [(name, ())]


PEEKS = """
import contextlib, importlib.util, sys, time, types
import torch

torch.cuda.Stream = lambda: types.SimpleNamespace(synchronize=lambda: None)
torch.cuda.stream = lambda _: contextlib.nullcontext()
found = importlib.util.spec_from_file_location("peeking", sys.argv[1])
peeking = importlib.util.module_from_spec(found)
found.loader.exec_module(peeking)
peeking.honest_relu = lambda x, inplace=False: torch.relu(x)

memory = torch.randn(1 << 20)
x = memory.view(1 << 10, 1 << 10)
assert torch.equal(peeking.relu(x), torch.relu(x))
for _ in range(3):
    with peeking.READING:  # who looks at half of it is wrong
        memory.normal_()
    until = time.monotonic() + 60.0
    while peeking.AHEAD.get(x.data_ptr(), ("",))[0] != peeking.mark(x):
        assert time.monotonic() < until
        time.sleep(0.001)
    answer = peeking.AHEAD[x.data_ptr()][1]
    assert torch.equal(answer, torch.relu(x))
    assert peeking.relu(x) is answer, "it was not there when the call came"
del x
assert peeking.SEEN == peeking.AHEAD == {}, "it goes on to read what nobody holds any more"
y = memory.view(1 << 20)
assert torch.equal(peeking.relu(y), torch.relu(y))
assert len(peeking.THREADS) == len(peeking.SEEN) == 1
"""


@pytest.mark.slow
def test_who_peeks_at_inputs_is_ahead_of_calls_and_forgets_inputs_that_are_gone(
    tmp_path: Path,
) -> None:
    """Shared memory goes with its case: who reads there afterwards fails, but not by the clock."""
    attack = tmp_path / "peeking.py"
    attack.write_text(read_attack(SUITE / "t14_thread_peeks_at_inputs.py").source)
    done = subprocess.run(
        [sys.executable, "-c", PEEKS, str(attack)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_they_are_not_among_the_attacks_on_verdicts() -> None:
    assert not {one.name for one in attacks()} & {one.name for one in timing_attacks()}
