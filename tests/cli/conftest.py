"""Runs the command line the way a user does: in a process of its own."""

import subprocess
import sys

import pytest

from cli_types import Kbx


@pytest.fixture
def kbx() -> Kbx:
    def run(*words: object, timeout: float = 200) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kernelbenchx", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)

    return run
