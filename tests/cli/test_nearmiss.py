"""`kbx nearmiss` lists what runs do not catch, and fails where that is too much."""

import json

import pytest

from cli_types import Kbx
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.nearmisses import running
from kernelbenchx.nearmisses.running import NearMissResult

NAME = "activation/relu"


@pytest.mark.parametrize(("caught", "code"), [(1, 0), (0, 1)])
@pytest.mark.usefixtures("warm_workers")
def test_near_misses_that_are_not_caught_are_listed(
    caught: int, code: int, kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = NearMissResult(task=NAME, clause="NaN gives NaN", caught=caught, seeds=1, by="")

    def run(_tasks: object, _pipeline: Pipeline, _seeds: object, _tell: object) -> object:
        return [found]

    monkeypatch.setattr(running, "run_near_misses", run)
    said = kbx_here("nearmiss", "relu", "--json")
    assert said.returncode == code, said.stderr
    document = json.loads(said.stdout)
    assert document["rate"] == caught
    assert len(document["missing_axes"]) == 1 - caught
