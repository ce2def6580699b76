"""The level is found by trying; one may ask for less, never for more."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.runner import isolation
from kernelbenchx.runner.isolation import Identity, Level, WorkerIsolation, choose, detect

ORDINARY = Path(__file__).parent / "probes" / "ordinary.py"


def test_the_level_found_is_one_at_which_a_child_ran() -> None:
    found = detect()
    assert found.level in tuple(Level)
    assert choose(None) == found
    assert choose(str(found.level)) == found


def test_a_lower_level_may_be_asked_for_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        isolation, "detect", lambda: WorkerIsolation(Level.L3, (), 7, Identity.OTHER)
    )
    chosen = choose("L1")
    assert chosen.level == Level.L1
    assert "L3" in str(chosen)


def test_a_higher_level_than_there_is_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    found = WorkerIsolation(Level.L1, ("Landlock: not in this kernel",))
    monkeypatch.setattr(isolation, "detect", lambda: found)
    with pytest.raises(BadInput, match=r"L2 is not available here, only L1: Landlock") as caught:
        choose("L2")
    assert "\n" not in str(caught.value)
    with pytest.raises(BadInput, match="L7"):
        choose("L7")


def test_what_fails_lowers_the_level_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_l1(candidate: WorkerIsolation) -> str:
        return "" if candidate.level == Level.L1 else f"{candidate.level}: mount refused"

    monkeypatch.setattr(isolation, "_try", only_l1)
    found = isolation.detect.__wrapped__()
    assert found.level == Level.L1
    assert "mount refused" in str(found)


def test_two_dots_in_the_path_of_python_lower_no_level(tmp_path: Path) -> None:
    dotted = os.path.relpath(sys.executable, tmp_path)
    program = "from kernelbenchx.runner.isolation import detect; print(detect())"
    done = subprocess.run(
        [dotted, "-c", f"import sys; assert '..' in sys.executable; {program}"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == str(detect()), done.stderr


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="root alone can become another user"
)
@pytest.mark.parametrize("wanted", ["", "L2", "L1"])
def test_an_ordinary_user_is_protected_too(tmp_path: Path, wanted: str) -> None:
    if wanted > detect().level or detect().level < Level.L3:
        pytest.skip("this machine has no namespaces to become an ordinary user in")
    facts = _as_ordinary_user(tmp_path, wanted)
    assert facts["uid"] == 12345
    # Some systems forbid it to ordinary users; nothing else may stand in the way.
    assert facts["level"] == (wanted or Level.L3) or "not permitted" in str(facts["missing"])
    assert not facts["lost"]
    assert facts["again"] == "fine\n"
    uid, pid, writing, signalling, *started = facts["log"]
    assert writing == "refused"
    if facts["level"] == Level.L3:
        assert facts["identity"] == Identity.MAPPED
        assert (uid, pid) == ("65534", "1")
        assert int(started[0]) < 50
    else:
        assert uid == "12345"
        assert facts["over"] == "processes"
        assert signalling == ("got" if wanted == "L1" else "refused")


def _as_ordinary_user(at: Path, wanted: str) -> Any:
    source = Path(isolation.__file__).parents[2]
    packages = Path(msgspec.__file__).parents[1]
    path = os.pathsep.join([str(source), str(packages)])
    done = subprocess.run(
        [sys.executable, str(ORDINARY), str(at), wanted],
        env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
