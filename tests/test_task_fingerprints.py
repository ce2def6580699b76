"""scripts/task_fingerprints.py: a new name changes no hash, another case or answer does."""

import json
from collections.abc import Callable
from dataclasses import make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec.call import GeneratorSeed
from kernelbenchx.spec.task import Task
from script_files import script

RECORDER = script("task_fingerprints")
NAME = "activation/relu"
SOURCE = catalog.path_of(NAME).read_text(encoding="utf-8")


@pytest.fixture
def parts_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, str]]:
    """Of a task with one call, which is quick."""

    def record(source: str) -> dict[str, str]:
        module: dict[str, Any] = {}
        exec(compile(source, str(catalog.path_of(NAME)), "exec"), module)
        task: Task = replace(module["TASK"], space=None)
        monkeypatch.setattr(catalog, "load", lambda _: task)
        for kept in ("cases_of", "drawn_cases", "ablated_cases", "repeated_case"):
            getattr(RECORDER, kept).cache_clear()
        _, parts, _ = RECORDER._record_unit((NAME, 1))
        assert "error" not in parts
        found: dict[str, str] = parts
        return found

    return record


def test_a_renamed_helper_changes_nothing_and_each_edit_its_parts(
    parts_of: Callable[[str], dict[str, str]],
) -> None:
    before = parts_of(SOURCE)

    def changed_by(*edits: tuple[str, str]) -> set[str]:
        source = SOURCE
        for old, new in edits:
            assert old in source
            source = source.replace(old, new)
        after = parts_of(source)
        return {part for part in before if before[part] != after[part]}

    assert changed_by(("_without_nan", "_clean_nan"), ("result", "answer")) == set()
    case = changed_by(("shape=(17, 33)", "shape=(17, 35)"))
    assert {"calls", "truths"} <= case and "task" not in case
    assert changed_by(("clamp(max=6.0)", "clamp(max=0.5)")) == {"mutants"}
    signs = changed_by(("contract=Exact()", "contract=Exact(signed_zero=True)"))
    assert signs == {"task", "verdicts"}


def test_hashes_hold_values_and_layouts_and_no_names_of_classes() -> None:
    hash_of = RECORDER.hash_of
    renamed = make_dataclass("Renamed", ["number"], frozen=True)
    assert hash_of(GeneratorSeed(3)) == hash_of(renamed(3)) != hash_of(GeneratorSeed(4))
    wide = torch.zeros(4, 4)
    assert hash_of(wide, wide) == hash_of(wide, wide.view(4, 4)) != hash_of(wide, wide.clone())
    assert len({hash_of(one) for one in (wide, wide.t()[:2], wide[:2], wide[1:3])}) == 4
    assert hash_of(wide) != hash_of(wide.to(torch.float16)) != hash_of(wide - 0.0)
    assert hash_of([1], 2) != hash_of([1, 2]) != hash_of((1, 2))
    with pytest.raises(TypeError, match="no hash of a function"):
        hash_of(hash_of)


def test_a_stopped_recording_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, int]] = []

    def record(unit: tuple[str, int]) -> tuple[tuple[str, int], dict[str, str], float]:
        done.append(unit)
        return unit, {"error": "no"} if unit[1] == 2 else {"calls": "1"}, 0.0

    monkeypatch.setattr(RECORDER, "_record_unit", record)
    RECORDER.record_all([NAME], 2, 1, tmp_path)
    with (tmp_path / "fingerprints.jsonl").open("a") as file:
        file.write('{"key": "cut')
    found = RECORDER.record_all([NAME], 2, 1, tmp_path)
    assert done == [(NAME, 1), (NAME, 2), (NAME, 2)], "what failed is tried again"
    assert found["tasks"][NAME]["seeds"] == {"1": {"calls": "1"}, "2": {"error": "no"}}
    assert json.loads(json.dumps(found))["format"] == RECORDER.FORMAT
