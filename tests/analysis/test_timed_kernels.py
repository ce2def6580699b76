"""Kernels with a time, by baseline and composition."""

import numpy as np
import pytest

from attempts_made import made, speed, wrong
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.timed_kernels import BASELINES, over, speedups, timed_parts


def test_each_baseline_and_composition_stands_apart() -> None:
    given = [made("a", 2.0, compiled=speed(1.5)), made("b", 0.5, composition="mixed"),
             made("c", 3.0), wrong("d")]  # fmt: skip
    found = [(*part.words, part.speedup.tolist()) for part in timed_parts(frame_of(given))]
    assert found == [
        ("eager", "pure", [2.0, 3.0]),
        ("eager", "mixed", [0.5]),
        ("torch.compile", "pure", [1.5]),
    ]


@pytest.mark.parametrize(
    "change", [{"performance": "failed"}, {"outcome": "wrong"}, {"eager": None}]
)
def test_without_a_time_that_can_be_trusted_there_is_no_speed(change: dict[str, str]) -> None:
    good, bad = made("a", 2.0), made("b", 2.0, **change)
    assert over(good, "eager") == speed(2.0) and over(bad, "eager") is None
    found = speedups(frame_of([good, bad]), "eager")
    assert found[0] == 2.0 and np.isnan(found[1])


def test_baselines_have_names() -> None:
    assert BASELINES == ("eager", "torch.compile")
    with pytest.raises(KeyError):
        over(made("a", 2.0), "compile")
