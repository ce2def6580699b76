import errno
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.cli import tasks
from kernelbenchx.cli.main import COMMANDS

LONG = "a" * 300


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


def test_without_a_command_there_is_help(kbx_here: Kbx) -> None:
    said = kbx_here()
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == kbx_here("--help").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "No such command 'nonsense'. See kbx --help."),
        (["evla"], "No such command 'evla'. Did you mean eval? See kbx --help."),
        (["--nonsense"], "No such option"),
        (["tasks", "--jsn"], "Did you mean '--json'? See kbx tasks --help."),
        (["show"], "Missing argument 'TASK|RUN'. See kbx show --help."),
        (["eval"], "Missing argument"),
        (["eval", "--device", "tpu", "x.py"], "'tpu' is not one of 'auto', 'cuda', 'interpreter'."),
        (["eval", "--jobs", "none", "x.py"], "Invalid value for '--jobs'"),
        (["generate"], "Missing option '--method'. See kbx generate --help."),
        (["generate", "--method"], "Option '--method' requires an argument."),
        (["generate", "--in-flight", "0"], "Invalid value for '--in-flight': 0"),
        (["certify", "--nonsense"], "See kbx certify --help."),
        (["redteam", "--nonsense"], "See kbx redteam --help."),
        (["compile", "a", "b"], "Got unexpected extra argument (b). See kbx compile --help."),
        (["query"], "Missing argument 'RUNS... SQL'"),
        (["analyze"], "See kbx analyze --help."),
        (["export"], "Missing command. See kbx export --help."),
        (["export", "nonsense"], "No such command 'nonsense'. See kbx export --help."),
        (["export", "recording", "x"], "Missing option '--out'. See kbx export recording --help."),
        (["report"], "See kbx report --help."),
        (["tasks", "one\n\x1b[31mtwo"], "no task matches 'one"),
        (["tasks", "no_such_task"], "no_such_task"),
        (["show", "activation/*"], "activation/*"),
        (["query", "nowhere", "select 1"], "nowhere"),
        (["certify", "no_such_task"], "no_such_task"),
        (["eval", "missing.py"], "missing.py"),
        (["compile", "missing.py"], "missing.py"),
        (["eval", ""], "Invalid value for 'SOURCES...': the name is empty; '.' is the current"),
        (["show", LONG], "aaa…: File name too long"),
        (["show", LONG, "relu"], "File name too long"),
        (["eval", f"{LONG}.py"], "File name too long"),
        (["compile", f"{LONG}.py"], "File name too long"),
        (["query", LONG, "select 1"], "File name too long"),
        (["analyze", LONG], "File name too long"),
        (["report", LONG, "--out", "site"], "File name too long"),
        (["report", "here", "--out", "/proc/site"], "cannot write the report /proc/site: "),
    ],
)
def test_bad_usage_is_said_in_one_line_with_exit_code_2(
    kbx_here: Kbx, words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = kbx_here(*words)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("kbx: ") and said in found.stderr
    line, end, more = found.stderr.partition("\n")
    assert (end, more) == ("\n", "") and line.isprintable(), found.stderr


@pytest.mark.parametrize(
    "error",
    [sqlite3.OperationalError("database or disk is full"), OSError(errno.ENOSPC, "No space left")],
)
def test_a_full_disk_is_said_in_one_line(
    kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(tasks.command, "callback", _raising(error))
    found = kbx_here("tasks")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("kbx: cannot write: ")
    assert found.stderr.count("\n") == 1


def test_other_errors_of_the_system_are_faults_and_show_where(
    kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (OSError(errno.EBADF, "bad file"), OSError(errno.EBADF, "bad file", 7)):
        monkeypatch.setattr(tasks.command, "callback", _raising(error))
        with pytest.raises(OSError, match="bad file"):
            kbx_here("tasks")


def test_what_a_file_does_not_allow_is_said_with_its_name(
    kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", "there/\x1b[31mit")
    monkeypatch.setattr(tasks.command, "callback", _raising(refused))
    found = kbx_here("tasks")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "kbx: there/ [31mit: Permission denied\n"


def _raising(error: Exception) -> Callable[..., None]:
    def fail(**_: object) -> None:
        raise error

    return fail


def test_it_is_said_likewise_in_a_process_of_its_own(kbx: Kbx) -> None:
    said = kbx("generate", "--model")
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "kbx: Option '--model' requires an argument.\n"


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_any_name_is_judged_and_shown_in_an_ascii_locale(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    for name in ("größe", "\udcff", "a\nb"):
        (tmp_path / f"relu__{name}.py").write_text(witness_source("activation/relu"))

    def run(*words: str) -> "subprocess.CompletedProcess[bytes]":
        command = [sys.executable, "-m", "kernelbenchx", *words]
        environment = os.environ | variables
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, timeout=200, check=False
        )

    done = run("eval", ".", "--stage", "check", "--out", "o", "--json")
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout.decode("ascii"))["results"]
    assert len({one["submission"] for one in results}) == 3
    assert all(one["submission"].isprintable() for one in results)
    shown = run("show", "o")
    assert shown.returncode == 0 and b"relu__" in shown.stdout.decode("ascii").encode()
