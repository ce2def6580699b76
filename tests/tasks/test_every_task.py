"""Every task of the catalogue is certified: solvable, and able to tell wrong from right."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.certify.certifying import certify
from kernelbenchx.evaluate.pipeline import Pipeline


@pytest.mark.parametrize("name", catalog.names())
def test_the_witness_passes_and_every_wrong_answer_fails(name: str, pipeline: Pipeline) -> None:
    certificate = certify(name, pipeline)
    assert certificate.problems == ()
    assert certificate.count("mutant", "patch") >= 5
    assert certificate.count("sabotage") >= 5


@pytest.mark.parametrize("name", catalog.names())
def test_the_certificate_that_is_shipped_stands(name: str) -> None:
    assert standing(name), "run `kbx certify --write` after changing a task"


@pytest.mark.parametrize("name", catalog.names())
def test_compulsory_bytes_hold_what_is_returned(name: str) -> None:
    task = catalog.load(name)
    for case in task.checks:
        cost = task.cost(**case.params)
        outputs = task.native(task.draw(case, 1))
        returned = [leaf.value for leaf in outputs.leaves[: outputs.returned]]
        assert cost.bytes >= sum(t.numel() * t.dtype.itemsize for t in returned), case.name
        assert cost.flops >= 0
