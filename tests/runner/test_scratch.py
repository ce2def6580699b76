"""Results are read as bytes of a bounded size, from regular files only."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result


def test_the_folder_is_private_and_goes_away() -> None:
    with Scratch() as scratch:
        assert stat.S_IMODE(scratch.path.stat().st_mode) == 0o700
        order = scratch.order("a", b"data")
        assert order.read_bytes() == b"data"
        assert not scratch.result("a").exists()
    assert not scratch.path.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from kernelbenchx.runner.scratch import Scratch
scratch = Scratch(where=Path(sys.argv[1]))
(scratch.path / "lib").mkdir()
(scratch.path / "lib" / "file").write_text("")
(scratch.path / "lib").chmod(0o555)
print(scratch.path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def _killed(at: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(at)], capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    return Path(done.stdout.strip())


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    left = _killed(tmp_path)
    assert (left / "lib" / "file").exists()
    with Scratch(where=tmp_path) as scratch:
        assert scratch.path.exists()
        assert not left.exists()
        later = _killed(tmp_path)
        with Scratch(where=tmp_path):
            assert later.exists()  # a process looks once


def test_what_somebody_still_uses_or_never_owned_stays(tmp_path: Path) -> None:
    stranger = tmp_path / "kbx-stranger"
    stranger.mkdir()
    (tmp_path / "kbx-link").symlink_to(stranger)
    with Scratch(where=tmp_path) as living:
        look = (
            "import sys; from pathlib import Path; from kernelbenchx.runner import scratch as s; "
        )
        look += "s.remove_abandoned(Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-c", look, str(tmp_path)], check=True)
        assert living.path.exists() and stranger.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kbx-link", "kbx-stranger"]


def test_a_folder_may_be_left_twice(tmp_path: Path) -> None:
    scratch = Scratch(where=tmp_path)
    for _ in range(2):
        scratch.__exit__(None, None, None)
    assert not scratch.path.exists()


def test_a_result_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_bytes(b"12345678")
    assert read_result(path, limit_bytes=8) == b"12345678"
    with pytest.raises(OversizedResult, match="8 bytes, 7 allowed"):
        read_result(path, limit_bytes=7)


def test_links_pipes_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "missing"):
        with pytest.raises(EvaluatorFault, match=name):
            read_result(tmp_path / name, limit_bytes=100)
