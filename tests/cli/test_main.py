from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.cli.main import COMMANDS


def test_help_lists_every_command(kbx: Kbx) -> None:
    said = kbx("--help")
    assert said.returncode == 0
    for name, words in COMMANDS.items():
        assert name in said.stdout and words in said.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(kbx: Kbx, name: str) -> None:
    said = kbx(name, "--help")
    assert said.returncode == 0
    assert "--json" in said.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["tasks", "no_such_task"],
        ["show", "activation/*"],
        ["show"],
        ["eval"],
        ["eval", "missing.py"],
        ["eval", "--device", "tpu", "x.py"],
        ["query", "nowhere", "select 1"],
        ["certify", "no_such_task"],
        ["compile", "missing.py"],
    ],
)
def test_bad_usage_is_said_in_a_line_or_two_with_exit_code_2(
    kbx: Kbx, words: list[str], tmp_path: Path
) -> None:
    said = kbx(*words)
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert said.stdout == ""
    assert said.stderr.strip()
    assert len(said.stderr.strip().splitlines()) <= 4
