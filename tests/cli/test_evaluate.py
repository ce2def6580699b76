"""`kbx eval` from the outside: outcomes, resuming, killing, telling apart."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source

RELU = witness_source("activation/relu")


def _sources(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"relu__{number}.py").write_text(RELU + f"# {number}\n")
    return folder


def _rows(kbx: Kbx, run: Path) -> list[dict[str, Any]]:
    said = kbx("query", run, "select submission, outcome, created from evaluations", "--json")
    rows: list[dict[str, Any]] = json.loads(said.stdout)
    return rows


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("as_json", [False, True])
def test_outcomes_are_shown_to_people_and_to_machines(
    kbx_here: Kbx, tmp_path: Path, as_json: bool
) -> None:
    (tmp_path / "relu__right.py").write_text(RELU)
    (tmp_path / "relu__torch.py").write_text(
        "import torch\ndef relu(input, inplace=False):\n    return torch.relu(input)\n"
    )
    words = ["--json"] if as_json else []
    said = kbx_here("eval", tmp_path, "--device", "interpreter", "--out", tmp_path / "run", *words)
    assert said.returncode == 0, said.stderr
    if not as_json:
        assert "correct" in said.stdout and "rejected" in said.stdout
        assert "provisional" in said.stdout and "isolation L" in said.stdout
        return
    document = json.loads(said.stdout)
    assert document["counts"] == {"correct": 1, "rejected": 1}
    assert document["compiled"] == []
    right = next(one for one in document["results"] if one["submission"] == "relu__right")
    assert right["outcome"]["kind"] == "correct"
    assert right["composition"] == "pure"
    assert right["provisional"] is True
    assert right["device"] == "interpreter"
    assert right["isolation"] in ("L1", "L2", "L3")
    assert right["stage"] == "exe"
    assert right["performance"] is None
    assert right["kernels"][0]["registers"] > 0


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_killed_in_the_middle_only_what_was_not_finished_runs_again(
    kbx: Kbx, kbx_here: Kbx, tmp_path: Path
) -> None:
    sources, run = _sources(tmp_path / "sources", 8), tmp_path / "run"
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(sources), "--out", str(run),
               "--device", "interpreter", "--jobs", "1"]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("  [3/8]"):
            os.kill(process.pid, signal.SIGKILL)
            break
    process.wait()
    process.stderr.close()
    before = {row["submission"]: row["created"] for row in _rows(kbx, run)}
    assert 3 <= len(before) < 8
    time.sleep(1.1)
    again = kbx_here(*command[3:])
    assert again.returncode == 0, again.stderr
    assert f"{len(before)} finished before" in again.stderr
    after = {row["submission"]: row["created"] for row in _rows(kbx, run)}
    assert len(_rows(kbx, run)) == len(after) == 8
    assert {name: after[name] for name in before} == before


@pytest.mark.slow
def test_interrupting_keeps_what_was_finished(kbx: Kbx, tmp_path: Path) -> None:
    sources, run = _sources(tmp_path / "sources", 20), tmp_path / "run"
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(sources), "--out", str(run),
               "--device", "interpreter", "--jobs", "1"]  # fmt: skip
    # A shell's background jobs, and so their children, ignore the signal.
    heeded = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=heeded
    )
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if line.startswith("  [2/20]"):
            process.send_signal(signal.SIGINT)
            break
    said += process.stderr.read()
    assert process.wait(timeout=60) == 130, said
    process.stderr.close()
    assert "finished results are kept" in said
    assert "Traceback" not in said
    assert 2 <= len(_rows(kbx, run)) < 20


@pytest.mark.usefixtures("warm_workers")
def test_rows_without_a_task_here_are_named(kbx_here: Kbx, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "file": "Activation/relu.py", "predict": f"```python\n{RELU}```"},
        {"id": "b", "file": "Fusion/not_written_yet.py", "predict": RELU},
    ]
    path = tmp_path / "all" / "set.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(map(json.dumps, rows)))
    (path.parent / "relu.py").write_bytes(b"\xff")
    where = ("--device", "interpreter", "--out", tmp_path / "run")
    document = json.loads(kbx_here("eval", path.parent, *where, "--json").stdout)
    assert document["unknown"] == ["b (Fusion/not_written_yet)"]
    assert len(document["unread"]) == 1 and document["counts"] == {"correct": 1}
    said = kbx_here("eval", path.parent, *where).stderr
    assert "not judged, no such task: b (Fusion/not_written_yet)" in said
    assert "relu.py is not UTF-8" in " ".join(said.split())
    refused = kbx_here("eval", path, path.parent / "relu.py", *where)
    assert refused.returncode == 2 and "is not UTF-8" in refused.stderr


def test_a_run_that_is_being_written_is_refused(kbx: Kbx, tmp_path: Path) -> None:
    from kernelbenchx.store.database import writing
    from kernelbenchx.store.layout import RunFolder

    (tmp_path / "relu.py").write_text(RELU)
    with writing(RunFolder(tmp_path / "run")):
        said = kbx("eval", tmp_path / "relu.py", "--out", tmp_path / "run")
    assert said.returncode == 2
    assert "being written by another process" in said.stderr


def test_results_are_not_added_to_what_something_else_began(kbx_here: Kbx, tmp_path: Path) -> None:
    from kernelbenchx.store.database import writing
    from kernelbenchx.store.layout import RunFolder

    (tmp_path / "relu.py").write_text(RELU)
    with writing(RunFolder(tmp_path / "run")) as database:
        database.note("generation", "{}")
    for out, why in ((tmp_path / "run", "kbx generate"), (tmp_path, "other files and no run")):
        said = kbx_here("eval", tmp_path / "relu.py", "--device", "interpreter", "--out", out)
        assert said.returncode == 2 and why in said.stderr and said.stderr.count("\n") == 1
    assert not (tmp_path / "run.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--stage", "perf", "--device", "interpreter"], "needs a CUDA GPU"),
        (["--baseline", "compile"], "needs --stage perf"),
        (["--sizes", "published"], "needs --stage perf"),
    ],
)
def test_times_are_refused_where_they_mean_nothing(
    kbx: Kbx, tmp_path: Path, words: list[str], said: str
) -> None:
    (tmp_path / "relu.py").write_text(RELU)
    refused = kbx("eval", tmp_path / "relu.py", "--out", tmp_path / "run", *words)
    assert refused.returncode == 2
    assert said in refused.stderr and refused.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()
