"""Which tests are fast is the same in every run, and the two tiers together leave out nothing."""

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tiers import mark_slow

ROOT = Path(__file__).resolve().parents[1]
NAMES = [f"task {number}" for number in range(10)]


def _fast(found: list[Any]) -> list[object]:
    return [one.values[0] for one in found if not one.marks]


def test_a_fixed_few_far_from_each_other_are_fast_and_the_others_slow() -> None:
    found = mark_slow(NAMES, fast=3)
    assert [one.values for one in found] == [(name,) for name in NAMES]
    assert _fast(found) == ["task 0", "task 3", "task 6"]
    assert {mark.name for one in found for mark in one.marks} == {"slow"}
    assert _fast(mark_slow(NAMES, fast=20)) == NAMES and _fast(mark_slow(NAMES, fast=0)) == []


def test_what_is_fast_can_be_named_and_has_to_exist() -> None:
    assert _fast(mark_slow(NAMES, fast=("task 7",))) == ["task 7"]
    with pytest.raises(LookupError, match=r"no such parameter: .'task 10'"):
        mark_slow(NAMES, fast=("task 10",))


def test_a_tuple_is_a_parameter_for_several_arguments() -> None:
    first, second = mark_slow([("relu", 1), ("relu", 2)], fast=[("relu", 2)])
    assert (first.values, second.values) == (("relu", 1), ("relu", 2))
    assert first.marks and not second.marks


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_both_tiers_together_are_all_tests_and_ci_runs_the_fast_one() -> None:
    made = subprocess.run(
        ["make", "-n", "test", "test-slow", "STAMP="], cwd=ROOT, capture_output=True, text=True
    )
    asked = [line.partition(" -m pytest ")[2] for line in made.stdout.splitlines()]
    assert [one.split(" -n ")[0] for one in asked if one] == ['-q -m "not slow"', "-q -m slow"]
    ran = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [one for one in ran if one.startswith("make ")] == ["make check", "make test"]


def test_there_is_no_other_mark() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    marks = [one.partition(":")[0] for one in options["ini_options"]["markers"]]
    assert marks == ["gpu", "slow"]
