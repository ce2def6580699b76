"""Runs the command line the way a user does, or in this process, where torch is loaded."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from cli_types import Kbx
from kernelbenchx.cli.main import main


@pytest.fixture
def kbx() -> Kbx:
    """In a process of its own."""

    def run(*words: object, timeout: float = 200) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kernelbenchx", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)

    return run


@pytest.fixture
def kbx_here(monkeypatch: pytest.MonkeyPatch) -> Kbx:
    """In this process: for what loads torch, and with `warm_workers` for what evaluates."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command, said, complained = ["kbx", *map(str, words)], io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", command)
        with redirect_stdout(said), redirect_stderr(complained):
            with pytest.raises(SystemExit) as ended:
                main()
        code = ended.value.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(command, code, said.getvalue(), complained.getvalue())

    return run
