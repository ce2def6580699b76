"""Transcripts are read in a terminal, each message once."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from asked_runs import write_asked_run
from cli_types import Kbx
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation


@pytest.fixture
def run(tmp_path: Path) -> Path:
    long = "x = " + "very_long_name + " * 12
    return write_asked_run(
        tmp_path, {"math/div": 2}, words=f"words\n```python\n{long}\n```\n\x1b[2J"
    )


def test_a_conversation_fits_eighty_columns_and_moves_no_cursor(
    kbx_here: Kbx, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = kbx_here("show", run, "div__round1", "--transcript")
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert lines[0].startswith("round 1, model-2026, 60 + 40 tokens, $0.2500 ─")
    assert [line for line in lines if line in ("system", "user", "reasoning", "reply")] == [
        "system", "user", "reasoning", "reply",
    ]  # fmt: skip
    assert max(map(cell_len, lines)) <= 80 and "\x1b" not in said.stdout
    assert "round 0" not in said.stdout, "that was asked for another submission"


def test_the_same_as_json(kbx_here: Kbx, run: Path) -> None:
    (only,) = json.loads(kbx_here("show", run, "div__round0", "--transcript", "--json").stdout)
    assert only["step"] == "round 0" and only["request"]["messages"][0]["role"] == "system"


def test_a_result_says_where_its_transcript_is(kbx_here: Kbx, run: Path) -> None:
    said = kbx_here("show", run, "div__round0").stdout
    assert said.endswith(f"kbx show {run} div__round0 --transcript\n")


def test_where_no_model_was_asked_it_is_one_line(kbx_here: Kbx, tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("key", evaluation("relu"), "s")
    said = kbx_here("show", tmp_path, "relu", "--transcript")
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert "no model was asked for relu" in said.stderr
    assert "--transcript" not in kbx_here("show", tmp_path, "relu").stdout
    alone = kbx_here("show", tmp_path, "--transcript")
    assert alone.returncode == 2 and "about one submission" in alone.stderr
