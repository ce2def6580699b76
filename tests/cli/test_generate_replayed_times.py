"""Runs that quote times, recorded and replayed on another day: other prompts, the same kernels."""

import hashlib
import json
import math
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli_types import Kbx
from generate.loopback import Answer, Asked, Loopback, Say
from generate.search.timed_sources import at_speed, number
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.performance import Timed, TimedCase
from kernelbenchx.generate.models.recorded_model import BY_PLACE
from remembered_verdicts import Times, Verdicts

RELU = witness_source("activation/relu")
OPTIONS = {
    "refine": ["rounds=3"],
    "geak": ["rounds=3", "candidates=2"],
    "search": ["requests=3", "evaluations=8", "side_by_side=2", "worth=0.2"],
}
SEED = 7
TIMED = "Time per call"


def _script(asked: Asked) -> Answer:
    """Another kernel for every prompt: a model itself would not repeat its replies."""
    turn = hashlib.sha256(asked.prompt.encode()).digest()[0]
    begun = TIMED in asked.prompt or "Result:" in asked.prompt
    source = RELU.replace("1024", str(256 << turn % 4)).replace("_relu", f"_relu_{turn}")
    return Say(f"```python\n{source if begun else RELU.replace('0.0, v)', '0.5, v)')}```")


def _hill(source: str) -> float:
    """Best with blocks of 2048 elements and 8 warps."""
    block, warps = number(source, "BLOCK", 1024), number(source, "num_warps", 4)
    return math.exp(-0.05 * ((math.log2(block) - 11) ** 2 + (math.log2(warps) - 3) ** 2))


def _valley(source: str) -> float:
    return 1.0 / _hill(source)


def _slower(timed: Timed, factor: float) -> Timed:
    """On a day when everything takes so much longer."""

    def case(one: TimedCase) -> TimedCase:
        compared = tuple(
            msgspec.structs.replace(
                each,
                candidate_us=each.candidate_us * factor,
                baseline_us=each.baseline_us * factor,
            )
            for each in one.comparisons
        )
        return msgspec.structs.replace(one, comparisons=compared)

    return msgspec.structs.replace(timed, cases=tuple(map(case, timed.cases)))


def _monday(source: str) -> Timed:
    return at_speed(_hill(source))


def _tuesday(source: str) -> Timed:
    return _slower(at_speed(_hill(source)), 1.07)


def _elsewhere(source: str) -> Timed:
    """A card on which everything is the other way round."""
    return at_speed(_valley(source))


@dataclass(frozen=True)
class Runs:
    """One method, any number of runs of it; verdicts are shared, times are not."""

    method: str
    kbx: Kbx
    folder: Path
    verdicts: Verdicts

    def run(self, name: str, times: Times, *words: str) -> subprocess.CompletedProcess[str]:
        options = [word for option in OPTIONS[self.method] for word in ("-o", option)]
        said = ["generate", "--method", self.method, *options, "--tasks", "relu", "--stage", "perf"]
        said += ["--device", "interpreter", "--seed", str(SEED), "--json", *words]
        with pytest.MonkeyPatch.context() as patch:
            self.verdicts.use(patch, times)
            return self.kbx(*said, "--out", str(self.folder / name))

    def recorded(self) -> Path:
        """What a model said on one day."""
        with Loopback(_script) as server:
            done = self.run("first", _monday, "--model", "openai:m", "--base-url", server.url)
        assert done.returncode == 0, done.stderr
        recording = self.folder / "recording.jsonl"
        done = self.kbx("export", "recording", str(self.folder / "first"), "--out", str(recording))
        assert done.returncode == 0, done.stderr
        return recording

    def judged(self, name: str) -> list[dict[str, Any]]:
        """All that is known of every kernel but its times and durations."""
        rows = self._read(name, "SELECT record FROM evaluations ORDER BY key")
        found = [json.loads(record) for (record,) in rows]
        return [{**one, "performance": None, "seconds": None} for one in found]

    def times(self, name: str) -> list[float]:
        """Of all calls that were timed."""
        rows = self._read(name, "SELECT candidate_us FROM timings ORDER BY key, rowid")
        return [row[0] for row in rows]

    def said(self, name: str) -> dict[str, dict[str, Any]]:
        """Exchanges by their place."""
        rows = self._read(name, "SELECT step, record FROM exchanges")
        return {step: json.loads(record) for step, record in rows}

    def _read(self, name: str, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / name / "run.sqlite")) as connection:
            return connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def verdicts() -> Verdicts:
    return Verdicts()


@pytest.fixture(params=OPTIONS)
def runs(
    request: pytest.FixtureRequest,
    kbx_here: Kbx,
    tmp_path: Path,
    verdicts: Verdicts,
    warm_workers: None,
) -> Runs:
    return Runs(request.param, kbx_here, tmp_path, verdicts)


@pytest.mark.slow
def test_other_times_make_other_prompts_and_the_same_kernels(runs: Runs) -> None:
    recording = runs.recorded()
    done = runs.run("again", _tuesday, "--model", f"replay:{recording}")
    assert done.returncode == 0, done.stderr
    assert runs.judged("again") == runs.judged("first")
    assert len(runs.judged("first")) >= 3
    assert runs.times("again") == pytest.approx([1.07 * one for one in runs.times("first")])
    first, again = runs.said("first"), runs.said("again")
    assert first.keys() == again.keys()
    found = {step: one["recalled"] for step, one in again.items()}
    assert found == {step: _by(first[step], again[step]) for step in first}
    assert set(found.values()) == {"prompt", "place"}
    for step, one in again.items():
        assert one["reply"]["text"] == first[step]["reply"]["text"]
        assert one["reply"]["detail"] == (BY_PLACE if found[step] == "place" else "")
        assert found[step] == "prompt" or TIMED in json.dumps(one["request"])


def _by(before: dict[str, Any], now: dict[str, Any]) -> str:
    same = before["request"]["messages"] == now["request"]["messages"]
    return "prompt" if same else "place"


def test_equal_times_give_the_same_run_byte_for_byte(runs: Runs) -> None:
    recording = runs.recorded()
    assert runs.run("again", _monday, "--model", f"replay:{recording}").returncode == 0
    assert (runs.judged("again"), runs.times("again")) == (
        runs.judged("first"),
        runs.times("first"),
    )
    first, again = runs.said("first"), runs.said("again")
    assert {one["recalled"] for one in again.values()} == {"prompt"}
    assert again == {step: {**one, "recalled": "prompt"} for step, one in first.items()}


def test_a_recording_that_is_cut_ends_the_task_and_says_where(runs: Runs) -> None:
    recording = runs.recorded()
    lines = recording.read_bytes().splitlines(keepends=True)
    cut = [step for line in lines if _writes(step := json.loads(line)["step"])][-1]
    recording.write_bytes(b"".join(line for line in lines if json.loads(line)["step"] != cut))
    done = runs.run("again", _tuesday, "--model", f"replay:{recording}")
    assert done.returncode == 1
    (task,) = json.loads(done.stdout)["tasks"]
    assert task["ended"] == "unanswered"
    assert task["why"] == f"the recorded model was not asked at {cut!r} of activation/relu"
    kept = runs.judged("again")
    assert 0 < len(kept) < len(runs.judged("first"))
    assert all(one in runs.judged("first") for one in kept)


def _writes(step: str) -> bool:
    """Whether the reply becomes a kernel."""
    return step.rpartition("/")[2] not in ("judge", "reflector", "optimizer")


@pytest.mark.slow
def test_where_times_lead_elsewhere_no_reply_is_lost_and_nothing_is_a_fault(runs: Runs) -> None:
    recording = runs.recorded()
    done = runs.run("again", _elsewhere, "--model", f"replay:{recording}")
    (task,) = json.loads(done.stdout)["tasks"]
    assert task["ended"] in ("done", "unanswered"), task
    first, again = runs.said("first"), runs.said("again")
    answered = {step: one["reply"]["text"] for step, one in again.items() if one["recalled"]}
    assert answered == {step: first[step]["reply"]["text"] for step in answered}
    if runs.method == "search":  # its settings follow from times
        assert runs.judged("again") != runs.judged("first")
        assert any("rewrite" in step for step in answered)
        return
    assert task["ended"] == "done" and answered.keys() == first.keys()
    sources = [
        {one["origin"]["step"]: one["digest"] for one in runs.judged(name)}
        for name in ("first", "again")
    ]
    for found in sources:
        found.pop("answer", None)  # the fastest, and another one is
    assert sources[0] == sources[1]
