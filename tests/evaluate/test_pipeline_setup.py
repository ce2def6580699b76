"""The stages end with everything that they started, in the order in which it rests on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.evaluate import pipeline_setup
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.evaluate.pipeline_setup import open_pipeline
from kernelbenchx.evaluate.run_listener import RunListener
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.runner.levels import Level, WorkerIsolation
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.store.database import in_memory
from samples import evaluation


def _ground(device: str = "interpreter") -> EvaluationProvenance:
    settings = ResolvedSettings(device=device, jobs=1)
    return EvaluationProvenance(settings, 3, evaluation().environment, WorkerIsolation(Level.L1))


def test_what_replays_ends_with_the_run_before_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    @contextmanager
    def warm_parents(*_: object) -> Iterator[dict[str, Any]]:
        yield {}
        ended.append("parents")

    monkeypatch.setattr(pipeline_setup, "open_zygotes", warm_parents)
    monkeypatch.setattr(Timing, "close", lambda _: ended.append("replays"))
    with in_memory() as notes, open_pipeline(_ground(), RunListener(), notes) as pipeline:
        assert pipeline.seed == 3 and ended == []
    assert ended == ["replays", "parents"]


def test_workers_are_started_at_once_or_with_their_first_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[str] = []
    monkeypatch.setattr(Zygote, "start_parent", lambda zygote: started.append(zygote._kind))
    with in_memory() as notes:
        with open_pipeline(_ground(), RunListener(), notes, start=False):
            assert started == []
        with open_pipeline(_ground(), RunListener(), notes):
            assert started == ["interpret", "compile"]


def test_a_gpu_that_torch_cannot_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_setup, "torch_sees_gpu", lambda: False)
    with in_memory() as notes, pytest.raises(BadInput, match="is the driver too old"):
        with open_pipeline(_ground("cuda"), RunListener(), notes, start=False):
            raise AssertionError("it was opened")
