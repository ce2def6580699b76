"""Near misses are counted by runs that catch them."""

import pytest

from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.nearmisses import running
from kernelbenchx.nearmisses.near_miss import NearMiss
from kernelbenchx.nearmisses.running import NearMissResult, run_near_misses

TASK = "activation/relu"


def test_a_broken_clause_is_caught_and_a_right_kernel_is_a_missing_axis(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = NearMiss(TASK, "NaN gives NaN", (("tl.where(v < 0.0, 0.0, v)", "tl.maximum(v, 0.0)"),))
    right = NearMiss(TASK, "nothing", (("v < 0.0", "v <= 0.0"),))
    monkeypatch.setattr(running, "near_misses", lambda _task: (wrong, right))
    told: list[NearMissResult] = []
    found = run_near_misses([TASK], pipeline, [1], told.append)
    assert told == found
    assert [one.rate for one in found] == [1.0, 0.0]
    assert [one.is_missing_axis for one in found] == [False, True]
    assert found[0].by and not found[1].by
