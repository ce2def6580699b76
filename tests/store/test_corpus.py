"""The public corpus as a run. Where `KBX_CORPUS` names its folder, the published numbers come out;
without it, records of the same form do."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.analysis import iterations
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Broken, Reason
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.corpus import RECORDS, corpus_notes, is_corpus
from kernelbenchx.store.evaluation_lookup import find, newest
from kernelbenchx.store.sources import read_sources

CORPUS = Path(os.environ.get("KBX_CORPUS", "no such folder"))
RIGHT = {"call_ok": True, "exe_ok": True, "perf_ok": True, "dtype": "float32",
         "runtime_ms": 2.0, "gbs": 896.0, "tflops": 1.0, "speedup": 1.5, "error": ""}  # fmt: skip
WRONG = RIGHT | {"exe_ok": False, "perf_ok": False, "runtime_ms": None, "speedup": None}
LOST = WRONG | {
    "call_ok": False,
    "error": "warning: no numpy\nTraceback\n  File\nValueError: bad shape\n  cut",
}


def _record(task: str, before: dict[str, Any], after: dict[str, Any], first: int = 0) -> str:
    return json.dumps(
        {
            "task_id": f"{task}.py",
            "from_round": f"round_{first}",
            "to_round": f"round_{first + 1}",
            "kind": "whatever",
            "before": before,
            "after": after,
            "before_code": f"# {task} {first}\n{'#' * 146}\ntest = 1\n",
            "after_code": f"# {task} {first + 1}\n",
        }
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        _record("Math/abs", WRONG, RIGHT),
        _record("Math/abs", RIGHT, RIGHT | {"speedup": 2.0}, first=1),
        _record("Broadcast/expand_where", LOST, WRONG),
        _record("LinearAlgebra/svd", RIGHT, RIGHT),
        _record("Math/exp", LOST, RIGHT),
    ]
    (tmp_path / RECORDS).write_text("\n".join(lines) + "\n\n")
    return tmp_path


def test_every_kernel_of_a_task_and_round_is_there_once(folder: Path) -> None:
    found = {(one.task, one.round): one for one in read_attempts([folder])}
    assert sorted(found) == [
        ("index/expand_where", 0), ("index/expand_where", 1), ("linear_algebra/svd", 0),
        ("linear_algebra/svd", 1), ("math/abs", 0), ("math/abs", 1), ("math/abs", 2),
    ], "moved tasks by their later name; tasks outside the 176 are left out"  # fmt: skip
    assert [found["math/abs", turn].outcome for turn in range(3)] == ["wrong", "correct", "correct"]
    right = found["math/abs", 1]
    assert right.timed and right.eager is not None and right.eager.speedup == 1.5
    assert right.score == pytest.approx(0.5) and right.method == "GEAK"
    assert {one.core for one in found.values()} == {None}, "nothing is known of core cases"
    assert found["math/abs", 0].category == "Math"


def test_a_failure_is_told_by_its_error_and_a_kernel_without_its_test(folder: Path) -> None:
    outcome = find(folder, "expand_where__round0").evaluation.outcome
    assert isinstance(outcome, Broken)
    assert (outcome.reason, outcome.detail) == (Reason.RUNTIME_ERROR, "ValueError: bad shape")
    one = find(folder / RECORDS, "abs__round0").evaluation
    assert read_sources([folder], [one.digest]) == {one.digest: "# Math/abs 0\n"}


def test_rescued_and_persistent_are_counted_over_rounds(folder: Path) -> None:
    tables = {one.name: one.records() for one in iterations.tables(read_attempts([folder]))}
    groups = {(row["before"], row["group"]): row["lines"] for row in tables["transitions"]}
    assert groups[0, "rescued"] == 1 and groups[0, "persistent"] == 1
    assert groups[0, "unsolved"] == 1 and groups[1, "persistent"] == 2


def test_it_says_what_is_absent(folder: Path, tmp_path: Path) -> None:
    (note,) = corpus_notes([folder, tmp_path / "other"])
    assert "still fail are absent" in note
    assert is_corpus(folder) and is_corpus(folder / RECORDS) and not is_corpus(tmp_path / "other")


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "holds no record"), ("{}\n", "line 1: not a record"), ("no\n", "line 1: not a record")],
)
def test_what_is_no_corpus_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / RECORDS).write_text(text)
    with pytest.raises(BadInput, match=said):
        newest(tmp_path)


@pytest.mark.skipif(not is_corpus(CORPUS), reason="KBX_CORPUS does not name the corpus")
def test_the_published_numbers_of_rescued_kernels_come_out() -> None:
    tables = {one.name: one.records() for one in iterations.tables(read_attempts([CORPUS]))}
    rows: list[dict[str, Any]] = [dict(row) for row in tables["transition_speed"]]
    rescued = {row["before"]: row for row in rows if row["group"] == "rescued"}
    assert [(rescued[turn]["lines"], rescued[turn]["kernels"]) for turn in (0, 1)] == [
        (15, 15), (8, 7),
    ]  # fmt: skip
    assert [rescued[turn]["mean"] for turn in (0, 1)] == pytest.approx([1.158, 1.315], abs=5e-4)
    assert [rescued[turn]["score"] for turn in (0, 1)] == pytest.approx([0.437, 0.355], abs=5e-4)
    assert [rescued[turn]["median"] for turn in (0, 1)] == pytest.approx([1.0, 0.924], abs=5e-4)
