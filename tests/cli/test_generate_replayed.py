"""Every method over twelve tasks, recorded and replayed offline: the same run, and a report."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli_types import Kbx
from generate.loopback import Answer, Asked, Loopback, Say
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.generate import methods
from kernelbenchx.generate.models.replay import write_recording
from kernelbenchx.report.build import build
from kernelbenchx.store.exchanges import each_exchange

TASKS = ("relu", "gelu", "selu", "add", "div", "log1p", "softmax", "reciprocal", "argmax", "sum",
         "std", "fftn")  # fmt: skip
SMALL = {
    "sample": ["samples=3"],
    "refine": ["rounds=3"],
    "geak": ["rounds=2", "candidates=2"],
    "kernel_agent": ["workers=2", "rounds=1", "test_s=5"],
    "search": ["requests=3", "evaluations=4"],
}
"""Options that keep a method short."""
RIGHT = f"```python\n{witness_source('activation/relu')}```"


def _script(asked: Asked) -> Answer:
    """Something else for every conversation: kernels, broken ones, prose."""
    turn = hashlib.sha256(asked.prompt.encode()).digest()[0]
    broken = f"```python\nimport triton\n\ndef f(x):\n    return missing{turn}\n```"
    return Say((RIGHT, broken, "I would rather not.")[turn % 3])


def _rows(out: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Whatever is a statement about the run and not about a clock."""
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:
        return {
            "verdicts": connection.execute(
                "SELECT key, submission, digest, outcome, reason, record ->> '$.origin'"
                " FROM evaluations ORDER BY key"
            ).fetchall(),
            "said": connection.execute(
                "SELECT key, step, record ->> '$.request', record ->> '$.reply.text',"
                " record ->> '$.templates', prompt_tokens, completion_tokens"
                " FROM exchanges ORDER BY key"
            ).fetchall(),
            "trials": connection.execute("SELECT key, record FROM trials ORDER BY key").fetchall(),
            "noted": connection.execute("SELECT * FROM meta ORDER BY key").fetchall(),
        }


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("name", methods.names())
def test_a_recording_gives_the_same_run_offline(kbx_here: Kbx, tmp_path: Path, name: str) -> None:
    words = ["generate", "--method", name, "--tasks", ",".join(TASKS), "--device", "interpreter",
             "--stage", "check", "--seed", "7"]  # fmt: skip
    for option in SMALL.get(name, ()):
        words += ["-o", option]
    first, second = tmp_path / "first", tmp_path / "second"
    with Loopback(_script) as server:
        asked = ["--model", "openai:m", "--base-url", server.url]
        said = kbx_here(*words, *asked, "--out", first)
        assert said.returncode == 0, said.stderr
    recording = tmp_path / "recording.jsonl"
    assert write_recording(recording, each_exchange(first)) >= len(TASKS)
    again = kbx_here(*words, "--model", f"replay:{recording}", "--out", second)
    assert again.returncode == 0, again.stderr
    assert _rows(second) == _rows(first)
    assert len(_rows(first)["verdicts"]) >= len(TASKS)
    build([second], tmp_path / "site")
    assert (tmp_path / "site" / "index.html").is_file()


def test_what_was_not_recorded_is_silence_and_no_guess(kbx_here: Kbx, tmp_path: Path) -> None:
    words = ["generate", "--device", "interpreter", "--stage", "check", "--seed", "7"]
    with Loopback(_script) as server:
        asked = ["--model", "openai:m", "--base-url", server.url, "--tasks", "relu"]
        kbx_here(*words, *asked, "--method", "one_shot", "--out", tmp_path / "first")
    recording = tmp_path / "recording.jsonl"
    write_recording(recording, each_exchange(tmp_path / "first"))
    words += ["--method", "one_shot", "--model", f"replay:{recording}"]
    other = kbx_here(*words, "--tasks", "relu,gelu", "--out", tmp_path / "second")
    assert other.returncode == 1
    assert "the recorded model was not asked" in other.stdout
    changed = kbx_here(*words, "--tasks", "relu", "--examples", "1", "--out", tmp_path / "third")
    assert changed.returncode == 1
    assert "was asked something else" in changed.stdout
