"""The data of published tests: which there are, and that every step of it can be run."""

import json
from typing import Any

import pytest

from kernelbenchx import catalog
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.catalog import PUBLISHED_CATEGORIES
from kernelbenchx.catalog.audit_codes import FLAWS
from kernelbenchx.catalog.published_tests import (
    FOLDER,
    _reasons,
    is_infeasible,
    published_test,
    why_honest_kernels_fail,
)
from kernelbenchx.worker import published_program

NAMES = [
    f"{path.stem}/{task}"
    for path in sorted(FOLDER.glob("*.json"))
    if path.stem != "honest_failures"
    for task in json.loads(path.read_text())
]


def steps_of(steps: list[Any]) -> list[Any]:
    flat = []
    for step in steps:
        if isinstance(step, dict) and "try" in step:
            flat += [*steps_of(step["try"]), *steps_of(step["then"])]
        else:
            flat.append(step)
    return flat


def test_all_tasks_of_the_catalogue_have_one() -> None:
    assert not set(catalog.function_names()) - set(NAMES)
    assert published_test("level1/relu") is None
    assert published_test("honest_failures/relu") is None


def test_the_listed_176_are_those_of_the_paper_by_category() -> None:
    listed = [one for one in NAMES if published_test(one).difficulty]  # type: ignore[union-attr]
    counts = {
        published: sum(name.startswith(f"{ours}/") for name in listed)
        for ours, published in PUBLISHED_CATEGORIES.items()
    }
    assert counts == TASKS
    assert len(NAMES) == 184


@pytest.mark.parametrize("name", NAMES)
def test_every_step_is_known_and_uses_earlier_names(name: str) -> None:
    test = published_test(name)
    assert test is not None
    known = {"error", "device"}
    calls = results = 0
    for step in steps_of(test.steps):
        where = step[2:] if isinstance(step, list) else step["is"]
        assert set(published_program._names_in(where, "")) <= known
        if isinstance(step, dict):
            results += 1
            continue
        known.add(step[0])
        calls += step[1] == "call"
        operations = {"call", "outlier", "uniform", "to_device", "generator", "seed", "unpack"}
        operations |= published_program.DRAWS.keys() | published_program.FUNCTIONS.keys()
        dotted = published_program.METHODS | published_program.ATTRIBUTES
        assert step[1] in operations or step[1].removeprefix(".") in dotted
    assert calls >= 2
    assert results >= 2


def test_six_tasks_have_thresholds_of_their_own() -> None:
    found = {name for name in NAMES if published_test(name).thresholds}  # type: ignore[union-attr]
    assert len(found) == 6
    assert {name.partition("/")[0] for name in found} == {"quantization"}
    loose, tight = (
        published_test(f"quantization/{name}").thresholds  # type: ignore[union-attr]
        for name in ("linear_w4a16", "matmul_w8a8")
    )
    assert (loose.cosine, loose.l1, loose.rmse) == (0.9, 0.1, 0.15)  # type: ignore[union-attr]
    assert (tight.cosine, tight.l1, tight.rmse) == (0.95, 0.05, 0.1)  # type: ignore[union-attr]


def test_honest_failures_name_known_tasks_and_codes() -> None:
    assert not set(_reasons()) - set(NAMES)
    assert not {one.code for one in _reasons().values()} - set(FLAWS)
    assert is_infeasible("optimizer/Adam")
    assert is_infeasible("random/rand")
    assert not is_infeasible("optimizer/Lion")
    assert "kernel_function" in why_honest_kernels_fail("optimizer/Lion").why  # type: ignore[union-attr]
    assert why_honest_kernels_fail("activation/relu") is None


@pytest.mark.parametrize("name", sorted(catalog.function_names()))
def test_our_audit_codes_agree_with_the_reasons(name: str) -> None:
    from kernelbenchx.catalog.facts import facts

    infeasible = {code for code in facts(name).audit if code.startswith("I-")}
    if name == "optimizer/Adam":
        assert not infeasible
    else:
        assert is_infeasible(name) == bool(infeasible)
