from dataclasses import dataclass
from typing import Any

import pytest

from kernelbenchx.replay.plan import MOST_PLAN_BYTES, differs, replayable
from kernelbenchx.replay.schema import ReplayPlan
from kernelbenchx.replay.validation import validate_plan
from kernelbenchx.worker.frames import pack, unpack
from replay_samples import BINARY, STORAGES, sample


@dataclass(frozen=True)
class _Layout:
    storages: tuple[int, ...] = STORAGES


def _recorded(document: dict[str, Any] | None = None) -> bytes:
    return pack({"plan": document or sample()}, BINARY)


def _plan(document: dict[str, Any]) -> ReplayPlan:
    plan = validate_plan(document, BINARY, STORAGES)
    assert isinstance(plan, ReplayPlan)
    return plan


def _elsewhere(*, grid: int = 1, columns: int = 4) -> dict[str, Any]:
    document = sample()
    document["steps"][2]["grid"] = [grid, 1, 1]
    document["result"]["shape"] = [4, columns]
    return document


def test_two_recordings_that_agree_are_one_plan() -> None:
    found, obstacle = replayable(_recorded(), _recorded(), _Layout())
    assert found is not None and obstacle == ""
    (frame,) = unpack(found.to_bytes())
    assert frame.header == sample() and bytes(frame.payload) == BINARY


def test_launches_that_depend_on_values_are_no_plan() -> None:
    found, obstacle = replayable(_recorded(), _recorded(_elsewhere(grid=2)), _Layout())
    assert found is None
    assert obstacle == "launches depend on values"


def test_results_that_depend_on_values_are_no_plan() -> None:
    assert differs(_plan(sample()), _plan(sample())) == ""
    assert "returned" in differs(_plan(sample()), _plan(_elsewhere(columns=3)))


@pytest.mark.parametrize("which", [0, 1])
def test_an_obstacle_of_either_recording_is_said(which: int) -> None:
    bodies = [_recorded(), _recorded()]
    bodies[which] = pack({"obstacle": "torch operator aten.mm"})
    assert replayable(bodies[0], bodies[1], _Layout()) == (None, "torch operator aten.mm")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"KBX1",
        b"KBX1\xff\xff\xff\xff",
        b"KBX1" + (MOST_PLAN_BYTES + 1).to_bytes(4, "little") + bytes(MOST_PLAN_BYTES + 9),
        pack({}),
        pack({"plan": None}),
        pack({"obstacle": ""}),
        pack({"obstacle": 3}),
        pack({"plan": sample()}, BINARY[1:]),
    ],
)
def test_nonsense_is_an_obstacle_and_never_an_exception(body: bytes) -> None:
    found, obstacle = replayable(body, body, _Layout())
    assert found is None and obstacle


def test_other_memory_than_the_calls_is_refused() -> None:
    found, obstacle = replayable(_recorded(), _recorded(), _Layout((31,)))
    assert found is None
    assert "an argument that the call does not have" in obstacle
