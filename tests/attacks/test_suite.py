"""The whole suite against this installation: highest level, and the lowest as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.attacks.arena import exclusive
from kernelbenchx.attacks.attack import attacks, controls
from kernelbenchx.attacks.running import against

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
ATTACKS = "[ncvx][0-9]*_*"
"""All attacks and no control."""
pytestmark = [pytest.mark.arena, pytest.mark.timeout(900)]


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("checks", [True, False], ids=["with checks", "without checks"])
def test_no_attack_gets_what_it_did_not_earn(checks: bool) -> None:
    report = against(attacks=attacks(), controls=controls(), checks=checks, device="interpreter")
    assert [(one.name, one.problems) for one in report.through] == []
    assert [(one.name, one.problems) for one in report.controls if not one.ok] == []
    assert len(report.stopped) + len(report.beyond) == len(attacks()) == len(report.attacks)
    waited = {one.name for one in report.attacks if one.stopped_by.startswith("worker: timeout")}
    assert waited <= {one.name for one in attacks() if one.times_out}, "needs `times-out: yes`"


def test_at_l1_an_ordinary_user_stops_what_the_files_say() -> None:
    # A temporary folder of its own, and so another lock; its name must not speak of tests.
    with exclusive(), tempfile.TemporaryDirectory(prefix="kbx-user-") as folder:
        report = _as_ordinary_user(Path(folder), "--no-checks", "--isolation", "L1", ATTACKS)
    assert report["level"] == "L1"
    assert report["through"] == []
    assert report["beyond"] == [one.name for one in attacks() if one.level > "L1"]
    assert sorted(report["beyond"]) == sorted(_documented())
    assert report["stopped"] + len(report["beyond"]) == report["attacks"] == len(attacks())


def _documented() -> list[str]:
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
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
