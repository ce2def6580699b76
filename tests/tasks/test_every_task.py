"""Every task of the catalogue is certified: solvable, and able to tell wrong from right."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import standing
from kernelbenchx.catalog.facts import facts
from kernelbenchx.certify.certifying import certify
from kernelbenchx.evaluate.pipeline import Pipeline
from sampled import cases_with_every_option, rotating

SAMPLE = 3
"""So many tasks are certified again though nothing of them changed."""

WRITTEN_IN_PART = {"index/index_fill_": "x"}
"""Which argument is returned after only some of it was written."""


def _to_certify() -> list[str]:
    """What changed since its certificate, and a sample that moves on with every change of ours.

    One of the sample is a task whose published namesake has a flaw.
    """
    names = list(catalog.function_names())
    sample = set(rotating(names, SAMPLE))
    flawed = [name for name in names if facts(name).audit]
    if not sample & set(flawed):
        sample.update(rotating(flawed, 1))
    return [name for name in names if name in sample or not standing(name)]


@pytest.mark.parametrize("name", _to_certify())
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
@pytest.mark.parametrize("name", catalog.names())
def test_compulsory_bytes_hold_what_is_returned(name: str) -> None:
    task = catalog.load(name)
    for case in cases_with_every_option(task):
        cost = task.cost(**case.params)
        outputs = task.native(task.draw(case, 1))
        given = zip(outputs.leaves[: outputs.returned], outputs.aliases, strict=True)
        returned = [leaf.value for leaf, alias in given if alias != WRITTEN_IN_PART.get(name)]
        assert cost.bytes >= sum(t.numel() * t.dtype.itemsize for t in returned), case.name
        assert cost.flops >= 0
