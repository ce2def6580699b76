"""`kbx certify` says what was shown, and fails where it was not."""

import json

import pytest

from cli_types import Kbx
from kernelbenchx.certify.mutation import running
from kernelbenchx.certify.mutation.summary import MutationSummary, Survivor

NAME = "activation/relu"


def _summary(rate: float) -> MutationSummary:
    survivor = Survivor(mutant="line 1: `<` to `<=`", killed=0, seeds=1)
    return MutationSummary(
        task=NAME, mutants=30, rate=rate, seeds=1, survivors=(survivor,), equivalents={"one": "why"}
    )


@pytest.mark.usefixtures("warm_workers")
def test_one_task_is_certified_and_counted(kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "run_mutants", lambda *_: _summary(0.9))
    said = kbx_here("certify", "relu", "--device", "interpreter", "--mutate", "--json")
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["tasks"] == document["certified"] == 1
    assert document["imported"] == 0
    assert document["mutants"] == document["killed"] >= 5
    assert document["sabotages"] == document["sabotages_killed"] >= 5
    assert document["failed"] == []
    mutation = document["mutation"]
    assert (mutation["mutants"], mutation["killed"], mutation["equivalent"]) == (30, 27, 1)
    assert mutation["by_task"][NAME]["survivors"][0]["killed"] == 0


@pytest.mark.usefixtures("warm_workers")
def test_a_task_whose_mutants_live_is_imported(
    kbx_here: Kbx, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "load_summary", lambda *_: _summary(0.8))
    said = kbx_here("certify", "relu", "--device", "interpreter")
    assert said.returncode == 1
    assert "80% of automatic mutants killed, 85% are asked for" in said.stdout
    assert "lives in 1 of 1 runs" in said.stdout
    assert "imported" in said.stdout
