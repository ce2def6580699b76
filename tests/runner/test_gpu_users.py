import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.runner import gpu_users
from kernelbenchx.runner.gpu_users import GpuUser, Registration, live_users, lock_folder, user_of

UUID = "fake"
_PROGRAM = """
import sys, time
from pathlib import Path
from kernelbenchx.runner.gpu_users import Registration
kept = Registration("fake", "runs/other", Path(sys.argv[1]))
print("there", flush=True)
time.sleep(60)
"""


def _files(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_run_is_known_while_it_lives_and_not_after_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline()
        assert [(one.pid, one.run) for one in live_users(UUID, tmp_path)] == [
            (other.pid, "runs/other")
        ]
        assert live_users("another", tmp_path) == []
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert live_users(UUID, tmp_path) == [] and _files(tmp_path) == []


def test_two_runs_of_one_process_are_two_and_leave_nothing(tmp_path: Path) -> None:
    kept = [Registration(UUID, run, tmp_path) for run in ("a", "b")]
    assert sorted(one.run for one in live_users(UUID, tmp_path)) == ["a", "b"]
    assert {one.pid for one in live_users(UUID, tmp_path)} == {os.getpid()}
    for one in (*kept, kept[0]):
        one.close()
    assert _files(tmp_path) == []


def test_the_word_of_another_user_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Registration(UUID, "run", tmp_path)
    (path,) = tmp_path.iterdir()
    assert live_users(UUID, tmp_path) == [GpuUser.here("run")]
    with monkeypatch.context() as patch:
        patch.setattr(gpu_users, "_trusted_users", lambda: (os.geteuid() + 1,))
        assert live_users(UUID, tmp_path) == [] and path.exists()
        assert user_of(path) == GpuUser.here("run"), "enough to name who holds a lease"
    monkeypatch.setattr(gpu_users, "_namespace", lambda: "another container")
    assert live_users(UUID, tmp_path) == [], "its number means another process here"
    kept.close()


@pytest.mark.parametrize("content", [b"", b"x", b"[]", b'{"pid": 1}', b'{"pid": "x", "run": ""}'])
def test_what_says_nothing_names_no_one(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "lock"
    file.write_bytes(content)
    assert user_of(file) is None
    assert user_of(tmp_path / "missing") is None and user_of(tmp_path) is None


def test_a_run_is_named_without_signs_for_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    file.write_bytes(GpuUser(7, "a\x1b[31mb", "n").to_bytes())
    found = user_of(file)
    assert found is not None and found.words == "pid 7 (a?[31mb)"
    assert GpuUser(7, "", "n").words == "pid 7"


def test_one_that_ended_does_not_live() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here = GpuUser.here("run")
    assert here.lives and not GpuUser(ended.pid, "run", here.namespace).lives


def test_the_folder_is_the_same_for_all_and_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "of a job"))
    monkeypatch.delenv("KBX_GPU_LOCKS", raising=False)
    assert str(lock_folder()) == "/tmp/kernelbenchx-gpus"
    monkeypatch.setenv("KBX_GPU_LOCKS", str(tmp_path / "locks"))
    assert lock_folder().stat().st_mode & 0o7777 == 0o1777
