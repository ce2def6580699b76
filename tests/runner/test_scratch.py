"""Results are read as bytes of a bounded size, from regular files only."""

import os
import stat
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
