"""Every task has its facts, and what can be derived agrees."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.arithmetic_intensity import intensity
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.task_facts import (
    COOPERATION,
    TaskFacts,
    _read_declarations,
    parse_line,
    task_facts,
)
from kernelbenchx.core.errors import BrokenTask

NAMES = catalog.names()


def test_every_task_has_its_facts_and_no_other_name_is_there() -> None:
    assert set(_read_declarations()) == set(NAMES)


def test_contract_and_dtypes_are_those_of_the_index() -> None:
    for name in NAMES:
        found = task_facts(name)
        assert found is not None
        assert found.contract == facts(name).contract.kind.lower()
        assert found.dtypes == facts(name).dtypes
        assert found.cooperation in COOPERATION.values()


@pytest.mark.parametrize("category", sorted({name.partition("/")[0] for name in NAMES}))
def test_operations_per_byte_are_those_of_the_declared_cost(category: str) -> None:
    for name in NAMES:
        if name.startswith(f"{category}/"):
            found = task_facts(name)
            assert found is not None
            assert found.flops_per_byte == pytest.approx(intensity(name) or 0.0, rel=1e-3), name


def test_only_what_moves_data_computes_nothing() -> None:
    idle = [name for name in NAMES if _facts(name).flops_per_byte == 0]
    assert idle and all(facts(name).data_movement for name in idle)


def _facts(name: str) -> TaskFacts:
    found = task_facts(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "cooperation", "operators", "passes"),
    [
        ("activation/relu", "none", 1, 1),
        ("math/softmax", "within a tile", 1, 1),
        ("normalization/batch_norm", "across programs", 1, 2),
        ("fusion/fused_layer_norm_relu_linear", "within a tile", 3, 1),
        ("reduce/sum", "across programs", 1, 1),
    ],
)
def test_known_tasks_read_as_declared(
    name: str, cooperation: str, operators: int, passes: int
) -> None:
    found = _facts(name)
    assert (found.cooperation, found.operators, found.passes) == (cooperation, operators, passes)


def test_a_precision_has_the_facts_of_its_problem_and_a_strange_task_has_none() -> None:
    assert _facts("level1/relu:fp16").cooperation == _facts("level1/relu").cooperation
    assert _facts("level1/relu:fp16").dtypes == ("float16",)
    assert task_facts("level1/no_such_problem") is None


def test_a_bound_depends_on_the_gpu() -> None:
    product = _facts("matrix_multiply/matmul_fp16")
    assert product.bound(ridge=200.0) == "compute" and product.bound(ridge=1e6) == "memory"
    assert _facts("activation/relu").bound(ridge=10.0) == "memory"


@pytest.mark.parametrize(
    "line",
    [
        "none 1 1 0.5",
        "alone 1 1 0.5 math/abs",
        "none one 1 0.5 math/abs",
        "none 0 1 0.5 math/abs",
        "none 1 4 0.5 math/abs",
        "none 1 1 -1 math/abs",
    ],
)
def test_a_line_that_says_something_else_is_refused(line: str) -> None:
    with pytest.raises(BrokenTask, match="line 7"):
        parse_line(line, "line 7")
