"""On the GPU: the attack suite holds, with and without the source checks."""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from kernelbenchx.attacks.attack import attacks, controls

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(1200)]
PARTS = 8
"""Runs beside each other: one alone takes most of ten minutes."""


@pytest.mark.parametrize("words", [[], ["--no-checks"]])
def test_nothing_gets_through_on_the_gpu(words: list[str]) -> None:
    names = sorted([*(one.name for one in attacks()), *(one.name for one in controls())])
    parts = [names[start::PARTS] for start in range(PARTS)]
    with ThreadPoolExecutor(PARTS) as pool:
        documents = list(pool.map(lambda some: _tried([*words, *some]), parts))
    counts = [sum(one[key] for one in documents) for key in ("attacks", "stopped")]
    beyond = [name for one in documents for name in one["beyond"]]
    assert [name for one in documents for name in one["through"]] == []
    assert counts[1] + len(beyond) == counts[0] >= 150
    passed = sum(one["passed"] for one in documents)
    assert passed == sum(one["controls"] for one in documents) >= 40


def _tried(words: list[str]) -> dict[str, Any]:
    """In a temporary folder of its own, and so with a lock of its own. Its path must not speak of
    pytest: attacks look for such words in the paths that they see."""
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "cuda", "--json"]
    with tempfile.TemporaryDirectory(prefix="kbx-part-") as folder:
        own = {**os.environ, "TMPDIR": folder}
        ran = subprocess.run(
            [*command, *words], capture_output=True, text=True, check=False, env=own
        )
    assert ran.returncode in (0, 1), ran.stderr[-2000:]
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


@pytest.mark.parametrize("words", [[], ["--no-checks"]])
def test_no_attack_on_times_gets_through_on_the_gpu(words: list[str]) -> None:
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "cuda", "--json"]
    command += ["--stage", "perf", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(ran.stdout)
    assert document["through"] == []
    assert document["stopped"] == document["attacks"] >= 24
    assert document["passed"] == document["controls"] >= 7
    assert ran.returncode == 0
