import json
from typing import Any

import msgspec
import pytest

from kernelbenchx.replay.schema import LaunchStep, ReplayPlan
from replay_samples import sample


def test_a_plan_goes_through_json_and_back() -> None:
    plan = msgspec.convert(json.loads(json.dumps(sample())), ReplayPlan)
    assert msgspec.convert(json.loads(json.dumps(plan.document())), ReplayPlan) == plan
    assert [launch.kernel for launch in plan.launches] == ["_double", "_add"]
    assert all(isinstance(launch, LaunchStep) for launch in plan.launches)


def _changed(**fields: Any) -> dict[str, Any]:
    return {**sample(), **fields}


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        _changed(library="x.so"),
        _changed(buffers=[{"t": "address", "v": 4096}]),
        _changed(buffers=[{"t": "allocation", "nbytes": -1}]),
        _changed(buffers=[{"t": "allocation", "nbytes": True}]),
        _changed(buffers=[{"t": "allocation", "nbytes": 1}] * 5000),
        _changed(steps=[{"t": "call", "code": "print()"}]),
        _changed(steps=sample()["steps"] * 2000),
        _changed(steps=[{**sample()["steps"][2], "cooperative": True}]),
        _changed(steps=[{**sample()["steps"][2], "warps": 33}]),
        _changed(steps=[{**sample()["steps"][2], "cubin": "../../etc/passwd"}]),
        _changed(steps=[{**sample()["steps"][2], "grid": [1, 1]}]),
        _changed(result=[1]),
    ],
)
def test_what_the_schema_has_no_word_for_is_refused(document: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, ReplayPlan)
