"""Commands that see a folder as a disk that cannot be written."""

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


def run_on_read_only(folder: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to which the folder is mounted read-only; skip where that is not possible."""
    if not _can_mount():
        pytest.skip("a read-only mount needs a mount namespace")
    return _mounted(folder, command)


@cache
def _can_mount() -> bool:
    try:
        tried = _mounted(Path(__file__).parent, ["touch", str(Path(__file__).parent / "written")])
    except OSError:
        return False
    return "Read-only" in tried.stderr


def _mounted(folder: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    unshare = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    return subprocess.run(
        [*unshare, "sh", "-c", _MOUNT, str(folder), *command],
        capture_output=True,
        text=True,
        check=False,
    )
