"""Every task of the catalogue is certified: solvable, and able to tell wrong from right."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.catalog.facts import facts
from kernelbenchx.certify.certifying import certify
from kernelbenchx.evaluate.pipeline import Pipeline
from tiers import mark_slow

CERTIFIED = catalog.function_names()[::10]
"""Certified again though nothing of them changed; `make certify` does it for all."""
WRITTEN_IN_PART = {"index/index_fill_": "x"}
"""Which argument is returned after only some of it was written."""


def test_a_task_that_is_certified_again_has_a_flawed_namesake() -> None:
    assert any(facts(name).audit for name in CERTIFIED)


@pytest.mark.parametrize("name", mark_slow(CERTIFIED, fast=1))
def test_the_witness_passes_and_every_wrong_answer_fails(name: str, pipeline: Pipeline) -> None:
    certificate = certify(name, pipeline)
    assert certificate.problems == ()
    assert certificate.count("mutant", "patch") >= 5
    assert certificate.count("sabotage") >= 5
    killed = {kill.name for kill in certificate.kills if kill.killed}
    assert killed >= {mutant for covering in facts(name).covered.values() for mutant in covering}


@pytest.mark.parametrize("name", catalog.function_names())
def test_the_certificate_that_is_shipped_stands(name: str) -> None:
    assert standing(name), "run `kbx certify --mutate --write` after changing a task"


# Torch says so of processors without bfloat16, in the first product that is large enough.
@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")
@pytest.mark.parametrize("name", mark_slow(catalog.names(), fast=12))
def test_compulsory_bytes_hold_what_is_returned(name: str) -> None:
    task = catalog.load(name)
    for case in task.cases(0):
        cost = task.cost(**case.params)
        outputs = task.native(task.draw(case, 1))
        given = zip(outputs.leaves[: outputs.returned], outputs.aliases, strict=True)
        returned = [leaf.value for leaf, alias in given if alias != WRITTEN_IN_PART.get(name)]
        assert cost.bytes >= sum(t.numel() * t.dtype.itemsize for t in returned), case.name
        assert cost.flops >= 0
