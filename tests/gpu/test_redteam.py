"""On the card: the attack suite holds, with and without the source checks."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.attacks.attack import attacks, controls

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(1200)]
PARTS = 8
"""Runs beside each other: one alone takes most of ten minutes."""


@pytest.mark.parametrize("words", [[], ["--no-checks"]])
def test_nothing_gets_through_on_the_card(words: list[str], tmp_path: Path) -> None:
    names = sorted([*(one.name for one in attacks()), *(one.name for one in controls())])
    parts = [names[start::PARTS] for start in range(PARTS)]
    with ThreadPoolExecutor(PARTS) as pool:
        folders = [_folder(tmp_path / str(number)) for number in range(PARTS)]
        documents = list(pool.map(lambda some, at: _tried([*words, *some], at), parts, folders))
    counts = [sum(one[key] for one in documents) for key in ("attacks", "stopped")]
    beyond = [name for one in documents for name in one["beyond"]]
    assert [name for one in documents for name in one["through"]] == []
    assert counts[1] + len(beyond) == counts[0] >= 150
    passed = sum(one["passed"] for one in documents)
    assert passed == sum(one["controls"] for one in documents) >= 40


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _tried(words: list[str], folder: Path) -> dict[str, Any]:
    """In a temporary folder of its own, and so with a lock of its own. What one part leaves
    elsewhere another may find, but found it is."""
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "cuda", "--json"]
    own = {**os.environ, "TMPDIR": str(folder)}
    ran = subprocess.run([*command, *words], capture_output=True, text=True, check=False, env=own)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


@pytest.mark.parametrize("words", [[], ["--no-checks"]])
def test_no_attack_on_times_gets_through_on_the_card(words: list[str]) -> None:
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "cuda", "--json"]
    command += ["--stage", "perf", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(ran.stdout)
    assert document["through"] == []
    assert document["stopped"] == document["attacks"] >= 24
    assert document["passed"] == document["controls"] >= 7
    assert ran.returncode == 0
