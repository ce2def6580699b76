"""The suite against this installation, at the highest level and as an ordinary user at the lowest.

Whatever the source checks do not change runs once, and that run is held against what its file says
with them and without.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import Attack, Control, attacks, controls
from kernelbenchx.attacks.results import RedteamReport
from kernelbenchx.attacks.side_effects import exclusive
from kernelbenchx.attacks.suite_run import against
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.outcome import Composition, Outcome
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.checking import check_source
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from tiers import mark_slow

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
EVERY = tuple(one for one in attacks() if one.device != "cuda")
BEYOND = tuple(one.name for one in EVERY if one.level > "L1")
CLASSES = tuple(dict.fromkeys(one.ident for one in EVERY))
FAST = ("N1", "C1", "V1", "V13", "X9")
CONTROLS = tuple(one.name for one in controls() if one.device != "cuda")
# A run may have to wait for another suite on a busy machine.
pytestmark = pytest.mark.timeout(3600)


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("ident", mark_slow(CLASSES, fast=FAST))
def test_without_checks_no_attack_gets_what_it_did_not_earn(ident: str) -> None:
    tried = tuple(one for one in EVERY if one.ident == ident)
    report = against(attacks=tried, controls=[], checks=False, device="interpreter")
    _assert_held(report, tried)
    got = {one.name: one.got for one in report.attacks}
    assert _not_allowed_with_checks(got) == []
    waited = {one.name for one in report.attacks if one.stopped_by.startswith("worker: timeout")}
    assert waited <= {one.name for one in tried if one.times_out}, "needs `times-out: yes`"


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("ident", mark_slow(CLASSES, fast=FAST))
def test_with_checks_no_attack_gets_what_it_did_not_earn(ident: str) -> None:
    tried = tuple(one for one in EVERY if one.ident == ident and not _runs_alike(one))
    report = against(attacks=tried, controls=[], checks=True, device="interpreter")
    _assert_held(report, tried)


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("name", mark_slow(CONTROLS, fast=("elementwise", "places_by_arange")))
def test_an_honest_kernel_is_correct_with_checks_and_without(name: str) -> None:
    (control,) = (one for one in controls() if one.name == name)
    ways = [True] * (not control.unchecked) + [False] * (not _runs_alike(control))
    for checks in ways:
        report = against(attacks=[], controls=[control], checks=checks, device="interpreter")
        assert [(one.name, one.problems) for one in report.controls] == [(name, ())]
    assert ways


def test_some_attacks_run_alike_with_checks_and_some_do_not() -> None:
    assert {_runs_alike(one) for one in EVERY} == {True, False}


def test_no_control_is_refused_by_the_checks_and_attacks_are() -> None:
    refused = [one.name for one in controls() if not one.unchecked and _checked(one)[0] is not None]
    assert refused == []
    rejected = [one for one in attacks() if one.checks == {"rejected"}]
    assert len([one for one in rejected if _checked(one)[0] is not None]) > len(rejected) / 2


def test_an_attack_that_runs_alike_is_held_to_its_words_with_checks() -> None:
    assert _not_allowed_with_checks({one.name: "correct" for one in attacks()}) == [
        one.name for one in attacks() if _runs_alike(one) and "correct" not in one.checks
    ]
    assert _not_allowed_with_checks({"c1_constant": "correct"}) == ["c1_constant"]
    # Nothing follows from its run without checks: they refuse it.
    refused = next(one for one in attacks() if one.checks == {"rejected"} != one.no_checks)
    assert _not_allowed_with_checks({refused.name: "correct"}) == []


def _assert_held(report: RedteamReport, tried: tuple[Attack, ...]) -> None:
    assert [(one.name, one.problems) for one in report.through] == []
    assert len(report.stopped) + len(report.beyond) == len(tried) == len(report.attacks)


def _not_allowed_with_checks(got: dict[str, str]) -> list[str]:
    """Whose outcome without checks is theirs with checks as well, and more than the file allows."""
    alike = (one for one in attacks() if one.name in got and _runs_alike(one))
    return [one.name for one in alike if got[one.name] not in one.checks]


def _runs_alike(one: Attack | Control) -> bool:
    """The source checks let it run as it is, and as pure: after that they decide nothing, unless
    its file says so: state is compared with them alone."""
    refused, attempt = _checked(one)
    unchanged = refused is None and attempt.source == one.source
    same = isinstance(one, Control) or one.checks == one.no_checks
    return unchanged and same and attempt.by_source is Composition.PURE


@cache
def _checked(one: Attack | Control) -> tuple[Outcome | None, EvaluationState]:
    submission = Submission(name=one.name, task=catalog.select(one.task)[0], source=one.source)
    known = facts(submission.task)
    attempt = EvaluationState(submission, known, accepted_entries(known))
    return check_source(attempt, Settings(device="interpreter")), attempt


def test_what_l1_does_not_stop_is_documented() -> None:
    assert sorted(BEYOND) == sorted(_documented())


def _concerns_isolation(attack: Attack) -> bool:
    """Aims at the verdict or the machine, or is stopped by the worker: all others are stopped by
    what they answer, which the judge compares at every level alike."""
    return attack.ident[0] in "VX" or attack.level > "L1" or "broken" in attack.no_checks


AT_L1 = {
    letter: tuple(one.name for one in EVERY if one.ident[0] == letter and _concerns_isolation(one))
    for letter in "NCVX"
}
AT_L1["a few"] = (BEYOND[0], BEYOND[-1], "v1_prints_a_verdict")


@pytest.mark.parametrize("group", mark_slow(tuple(AT_L1), fast=("a few",)))
def test_at_l1_an_ordinary_user_stops_what_the_files_say(group: str) -> None:
    names = AT_L1[group]
    # A temporary folder of its own, and so another lock; its name must not speak of tests.
    with exclusive(), tempfile.TemporaryDirectory(prefix="kbx-user-") as folder:
        report = _as_ordinary_user(Path(folder), "--no-checks", "--isolation", "L1", *names)
    assert report["level"] == "L1"
    assert report["through"] == []
    assert report["beyond"] == [name for name in names if name in BEYOND]
    assert report["stopped"] + len(report["beyond"]) == report["attacks"] == len(names)


def _documented() -> list[str]:
    text = (ROOT / "docs" / "explanation" / "trust.md").read_text(encoding="utf-8")
    listed = text.partition("<!-- beyond L1 -->\n")[2].partition("<!-- /beyond L1 -->")[0]
    return [line.split("`")[1] for line in listed.splitlines()]


def _as_ordinary_user(folder: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "interpreter"]
    command += ["--json", *options]
    if os.geteuid() == 0:
        command = [*_without_root(), *command]
    folder.chmod(0o777)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder)}
    ran = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, check=False
    )
    assert ran.returncode in (0, 1), ran.stderr
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def _without_root() -> list[str]:
    """Another user that may read an interpreter installed for root alone, and nothing else."""
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv here to become an ordinary user with")
    reading = ["--inh-caps", "-all,+dac_read_search", "--ambient-caps", "-all,+dac_read_search"]
    become = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *reading]
    tried = subprocess.run([*become, sys.executable, "-c", ""], capture_output=True, check=False)
    if tried.returncode != 0:
        pytest.skip("the interpreter cannot be run by another user here")
    return become
