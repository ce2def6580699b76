"""Every method over seven tasks, recorded and replayed offline: the same run, and its report."""

import ast
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from browsing import Visit, launched, program, visiting
from cli_types import Kbx
from generate.loopback import Answer, Asked, Loopback, Say
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.mutation.engine import mutants
from kernelbenchx.core.record import from_json
from kernelbenchx.core.transcript import Exchange
from kernelbenchx.generate import methods
from kernelbenchx.generate.models.recorded_model import BY_PLACE, write_recording
from kernelbenchx.report.build import build
from kernelbenchx.store.exchanges import each_exchange
from remembered_verdicts import Verdicts
from report_samples import unpacked
from tiers import mark_slow

TASKS = ("activation/relu", "math/add", "math/log1p", "reduce/sum", "index/scatter",
         "pooling/avg_pool1d", "activation/selu")  # fmt: skip
SMALL = {
    "sample": ["samples=3"],
    "refine": ["rounds=3"],
    "geak": ["rounds=2", "candidates=2"],
    "kernel_agent": ["workers=2", "rounds=1", "test_s=20"],
    "search": ["requests=2", "evaluations=3", "untimed=1"],
}
"""Options that keep a method short."""


@cache
def _replies(task: str) -> tuple[str, ...]:
    """A kernel that is right, one that is wrong, one that breaks and one that is none."""
    right, entry = witness_source(task), statement(task).entry
    # As a rule the number of a program: the first block is computed alone.
    wrong = min(mutants(right), key=lambda one: _preference(one.description)).source
    lines = right.splitlines(keepends=True)
    functions = [one for one in ast.parse(right).body if isinstance(one, ast.FunctionDef)]
    (begin,) = (one.body[0].lineno for one in functions if one.name == entry)
    lines.insert(begin - 1, "    missing\n")
    broken = "".join(lines)
    refused = f"import torch\n\n\ndef {entry}(*args, **kwargs):\n    return torch.relu(*args)\n"
    return tuple(f"```python\n{file}```" for file in (right, wrong, broken, refused))


def _preference(mutant: str) -> int:
    return 0 if "`0` to `1`" in mutant else 1 if "`<` to `>=`" in mutant else 2


@cache
def _stated() -> dict[str, str]:
    return {task: statement(task).text() for task in TASKS}


def _script(asked: Asked) -> Answer:
    """By the seed of the request, which follows from its place; a test passes or does not."""
    task = next(task for task, text in _stated().items() if text in asked.prompt)
    turn = int(asked.body["seed"])
    if "def test" in asked.prompt or "`test()`" not in asked.prompt:
        replies = _replies(task)
        return Say(replies[turn % len(replies)])
    begin = f"from submission import {statement(task).entry}\n\n\n"
    return Say(f"```python\n{begin}def test():\n    assert {turn % 2}, 'no'\n```")


def _rows(out: Path) -> dict[str, list[Any]]:
    """All that is kept and not about a clock."""
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:

        def read(sql: str) -> list[Any]:
            return connection.execute(sql).fetchall()

        return {
            "verdicts": read("SELECT key, json_remove(record, '$.seconds')"
                             " FROM evaluations ORDER BY key"),
            "said": read("SELECT key, method, json_remove(record, '$.recalled')"
                         " FROM exchanges ORDER BY key"),
            "trials": read("SELECT key, record FROM trials ORDER BY key"),
            "noted": read("SELECT * FROM meta ORDER BY key"),
            "sources": read("SELECT * FROM sources ORDER BY digest"),
        }  # fmt: skip


def _column(out: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:
        return [row[0] for row in connection.execute(sql)]


@pytest.fixture(scope="module")
def judges() -> tuple[Verdicts, Verdicts]:
    """For what is recorded and for what is replayed: nothing is judged by one for the other."""
    return Verdicts(), Verdicts()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site for each method."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def visit(reports: Path) -> Iterator[Visit | None]:
    """A page of a browser, where there is one."""
    if not program() or find_spec("playwright") is None:
        yield None
        return
    with launched() as browser, visiting(browser, reports) as opened:
        yield opened


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("name", mark_slow(methods.names(), fast=("one_shot",)))
def test_a_recording_gives_the_same_run_offline(
    kbx_here: Kbx,
    tmp_path: Path,
    name: str,
    judges: tuple[Verdicts, Verdicts],
    reports: Path,
    visit: Visit | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["generate", "--method", name, "--tasks", ",".join(TASKS), "--device", "interpreter",
             "--stage", "exe", "--jobs", "2", "--seed", "7"]  # fmt: skip
    for option in SMALL.get(name, ()):
        words += ["-o", option]
    first, second = tmp_path / "first", tmp_path / "second"
    judges[0].use(monkeypatch)
    recording = _recorded(kbx_here, tmp_path, words, _script)
    judges[1].use(monkeypatch)
    again = kbx_here(*words, "--model", f"replay:{recording}", "--out", second)
    assert again.returncode == 0, again.stderr
    assert _rows(second) == _rows(first)
    assert set(_column(second, "SELECT record ->> '$.recalled' FROM exchanges")) == {"prompt"}
    outcomes = Counter(_column(second, "SELECT outcome FROM evaluations"))
    assert outcomes.keys() == {"correct", "wrong", "broken", "rejected"}, outcomes
    build([second], reports / name)
    _opens(reports / name, outcomes.total(), visit)


def _opens(site: Path, attempts: int, visit: Visit | None) -> None:
    """All tasks and attempts are there; also for a browser, where there is one."""
    index = unpacked(site / "data" / "index.js")
    assert {one["task"] for one in index["tasks"]} == set(TASKS)
    files = [unpacked(file) for file in (site / "data" / "tasks").iterdir()]
    assert sum(len(one["rows"]) for one in files) == attempts
    if visit is not None:
        visit.site = site
        visit.go("#/cost")
        assert visit.heading == "Cost"


def _recorded(kbx: Kbx, folder: Path, words: list[str], script: Callable[[Asked], Answer]) -> Path:
    """The recording of a run in `folder / "first"`."""
    with Loopback(script) as server:
        asked = ["--model", "openai:m", "--base-url", server.url]
        said = kbx(*words, *asked, "--out", folder / "first")
        assert said.returncode == 0, said.stderr
    write_recording(folder / "recording.jsonl", each_exchange(folder / "first"))
    return folder / "recording.jsonl"


def test_what_was_not_recorded_is_silence_and_ends_no_other_task(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    words = ["generate", "--device", "interpreter", "--stage", "check", "--seed", "7", "--json"]
    words += ["--method", "one_shot", "--tasks"]
    recording = _recorded(kbx_here, tmp_path, [*words, "relu"], _script)
    replayed = ["--model", f"replay:{recording}", "--out", tmp_path / "second"]
    other = kbx_here(*words, "gelu,relu", *replayed)
    assert other.returncode == 1
    ended = {one["task"]: (one["ended"], one["why"]) for one in json.loads(other.stdout)["tasks"]}
    silence = "the recorded model was not asked at 'only' of activation/gelu"
    assert ended == {
        "activation/gelu": ("unanswered", silence),
        "activation/relu": ("done", ""),
    }


def test_another_prompt_is_answered_by_its_place_and_a_changed_reply_is_noticed(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    words = ["generate", "--device", "interpreter", "--stage", "check", "--seed", "7"]
    words += ["--method", "one_shot", "--tasks", "relu"]
    recording = _recorded(kbx_here, tmp_path, words, _script)
    words += ["--model", f"replay:{recording}"]
    other = kbx_here(*words, "--examples", "1", "--out", tmp_path / "second")
    assert other.returncode == 0
    (said,) = _column(tmp_path / "second", "SELECT record FROM exchanges")
    found = from_json(said, Exchange)
    assert (found.recalled, found.reply.detail) == ("place", BY_PLACE)
    assert _rows(tmp_path / "second")["verdicts"] == _rows(tmp_path / "first")["verdicts"]
    recording.write_bytes(recording.read_bytes().replace(b"import torch", b"import  torch"))
    kbx_here(*words, "--out", tmp_path / "third")
    assert _rows(tmp_path / "third")["verdicts"] != _rows(tmp_path / "first")["verdicts"]


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_other_inputs_make_other_words_of_a_wrong_answer_and_the_same_kernels(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --seed every run draws its own; what is wrong is then told with other values."""
    Verdicts().use(monkeypatch)
    right = witness_source("activation/relu")
    wrong = right.replace("0.0, v)", "0.5, v)")

    def script(asked: Asked) -> Answer:
        return Say(f"```python\n{right if 'Worst:' in asked.prompt else wrong}```")

    words = ["generate", "--device", "interpreter", "--stage", "exe", "--tasks", "relu"]
    words += ["--method", "refine", "-o", "rounds=2"]
    recording = _recorded(kbx_here, tmp_path, words, script)
    again = kbx_here(*words, "--model", f"replay:{recording}", "--out", tmp_path / "second")
    assert again.returncode == 0, again.stderr
    first, second = tmp_path / "first", tmp_path / "second"
    verdicts = "SELECT submission || ' ' || digest || ' ' || outcome FROM evaluations ORDER BY key"
    assert _column(second, verdicts) == _column(first, verdicts)
    assert [line.split()[2] for line in sorted(_column(second, verdicts))] == ["wrong", "correct"]
    by = "SELECT step || ': ' || (record ->> '$.recalled') FROM exchanges ORDER BY step"
    assert _column(second, by) == ["round 0: prompt", "round 1: place"]
    said = "SELECT record ->> '$.reply.text' FROM exchanges ORDER BY step"
    assert _column(second, said) == _column(first, said)
    seeds = "SELECT value FROM meta WHERE key = 'seed'"
    assert _column(second, seeds) != _column(first, seeds)
