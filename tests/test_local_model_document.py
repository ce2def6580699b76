"""docs/how-to/run-a-local-model.md shows the commands that were run and their output."""

import re
import shlex
from pathlib import Path

import pytest

from benchmark_files import FOLDER, benchmark
from generate.loopback import Loopback, Say
from kernelbenchx.cli.main import kbx

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "run-a-local-model.md").read_text(
    encoding="utf-8"
)
PRINTED = (FOLDER / "local_model.txt").read_text(encoding="utf-8").splitlines()
PREFIX = ".venv/bin/kbx "


def _words(command: str) -> list[str]:
    return shlex.split(command.removeprefix(PREFIX))


def test_what_it_shows_was_printed_in_this_order() -> None:
    shown = benchmark("local_model").shown(PAGE)
    assert len(shown) > 20
    left = iter(PRINTED)
    assert [line for line in shown if line not in left] == []


def test_all_commands_after_the_installation_were_run() -> None:
    commands = benchmark("local_model").commands(PAGE)
    (at,) = [number for number, line in enumerate(commands) if "llama_cpp.server" in line]
    ran = [line.removeprefix("$ ") for line in PRINTED if line.startswith("$ ")]
    assert ran == [f"{commands[at]} &", *commands[at + 1 :]]
    assert all("pip install" in line or "venv" in line for line in commands[:at])


def test_its_commands_run_against_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them in their order; only the model is another."""
    monkeypatch.chdir(tmp_path)
    commands = [one for one in benchmark("local_model").commands(PAGE) if one.startswith(PREFIX)]
    with Loopback(lambda _: Say("A kernel? `pass`.")) as server:
        for line in commands:
            words = [re.sub(r"http://\S+:8000/v1", server.url, word) for word in _words(line)]
            stage = ["--stage", "check"] if words[0] == "generate" else []
            assert kbx.main([*words, *stage], standalone_mode=False) in (0, None)
    assert [one.body["model"] for one in server.asked] == ["smollm2"] * 5
    said = capsys.readouterr().out
    assert said.count("0 of 5 tasks solved") == 2
    assert (tmp_path / "runs" / "smollm2-report" / "index.html").is_file()


def test_it_says_plainly_that_nothing_came_of_it() -> None:
    assert "none of those below is right" in " ".join(PAGE.split())
    assert any(line.startswith("0 of 5 tasks solved") for line in PRINTED)
