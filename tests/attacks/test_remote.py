"""Attacks in actors: sent as text, tried there, and reported as on this machine."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from kernelbenchx.attacks import remote
from kernelbenchx.attacks.attack import attacks, controls
from kernelbenchx.attacks.remote import BatchRequest, run_remotely
from kernelbenchx.attacks.results import Result
from kernelbenchx.cluster.operations import ActorCache, JobContext, LimitNotes, find_operation
from kernelbenchx.cluster.remote_turn import RemoteTurn
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.runner.levels import Level, WorkerIsolation
from samples import evaluation

SETTINGS = ResolvedSettings(device="interpreter", checks=False)


class Nodes:
    """Answers batches in this process."""

    slots = 2

    def __init__(self) -> None:
        here = evaluation().environment
        self.provenance = EvaluationProvenance(
            SETTINGS, 7, here, WorkerIsolation(Level.L3, ("a wall",))
        )
        self._lock = threading.Lock()

    def call(self, operation: str, request: bytes) -> bytes:
        context = JobContext(Any, RemoteTurn("job"), LimitNotes(), ActorCache())  # type: ignore[arg-type]
        with self._lock:
            return find_operation(operation)(context, request)


class Tried:
    """In place of the arena and of what tries attacks."""

    def __init__(self, *_known: object) -> None:
        pass

    def __enter__(self) -> "Tried":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def attack(self, batch: Any) -> list[Result]:
        return [_result(one) for one in batch]

    def control(self, one: Any) -> Result:
        return _result(one)


def _result(one: Any) -> Result:
    return Result(
        name=one.name, ident=getattr(one, "ident", ""), what=one.what, expected="", got="wrong",
        stopped_by="", level="L1", ok=one.name != "c2_zeros", contained=True,
    )  # fmt: skip


def test_results_come_back_in_order_with_what_they_hold_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "SideEffectMonitor", Tried)
    monkeypatch.setattr(remote, "Redteam", Tried)
    told: list[Result] = []
    wanted = [one for one in attacks() if one.device == "any"][:20]
    honest = [replace(one, device="any") for one in controls()[:2]]
    report = run_remotely(Nodes(), wanted, honest, told.append)  # type: ignore[arg-type]
    names = [one.name for one in wanted] + [one.name for one in honest]
    assert [one.name for one in (*report.attacks, *report.controls)] == names
    assert [one.name for one in told] == names
    assert (report.level, report.missing, report.checks) == ("L3", ("a wall",), False)
    ok = {one.name for one in report.attacks if one.ok}
    assert report.held is (len(ok) == len(wanted))


def test_every_attack_and_control_crosses_the_border_as_it_is() -> None:
    whole = BatchRequest(attacks=attacks(), controls=controls())
    assert from_json(to_json(whole), BatchRequest) == whole
