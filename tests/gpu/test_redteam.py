"""On the card: the attack suite holds, with and without the source checks."""

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.gpu, pytest.mark.timeout(1200)]


@pytest.mark.parametrize("words", [[], ["--no-checks"]])
def test_nothing_gets_through_on_the_card(words: list[str]) -> None:
    command = [sys.executable, "-m", "kernelbenchx", "redteam", "--device", "cuda", "--json"]
    ran = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    document = json.loads(ran.stdout)
    assert document["through"] == []
    assert document["stopped"] + len(document["beyond"]) == document["attacks"] >= 40
    assert document["passed"] == document["controls"] >= 12
    assert ran.returncode == 0


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
