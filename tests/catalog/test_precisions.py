"""A problem in another precision is named with a colon, wherever a task is named."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest, evaluation_digest, task_digest
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.index import describe
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.errors import BadInput, BrokenTask

NAME = "level2/gemm_multiply_leaky_relu"
OTHERS = ("tf32", "fp16", "bf16")


@pytest.mark.parametrize("precision", OTHERS)
def test_facts_of_a_precision_are_those_of_the_loaded_problem(precision: str) -> None:
    named = f"{NAME}:{precision}"
    assert facts(named) == describe(named) != facts(NAME)
    assert facts(named).name == f"gemm_multiply_leaky_relu:{precision}"


@pytest.mark.parametrize("precision", OTHERS)
def test_files_and_digests_are_those_of_the_plain_name(precision: str) -> None:
    named = f"{NAME}:{precision}"
    assert catalog.path_of(named) == catalog.path_of(NAME)
    assert catalog.witness_path(named) == catalog.witness_path(NAME)
    for digest in (task_digest, evaluation_digest, certificate_digest):
        assert digest(named) == digest(NAME)


def test_a_precision_is_loaded_with_its_dtype_and_contract() -> None:
    dtypes = {one: str(catalog.load(f"{NAME}:{one}").dtypes[0]) for one in OTHERS}
    assert dtypes == {"tf32": "torch.float32", "fp16": "torch.float16", "bf16": "torch.bfloat16"}
    assert catalog.load(f"{NAME}:tf32").tf32 and not catalog.load(NAME).tf32


def test_patterns_take_a_precision_and_the_list_has_plain_names_only() -> None:
    assert catalog.select("gemm_multiply_leaky_relu:bf16") == (f"{NAME}:bf16",)
    assert catalog.select(f"{NAME}:fp32") == (NAME,)
    assert catalog.find(f"{NAME}:tf32") == f"{NAME}:tf32"
    assert f"{NAME}:fp16" in catalog.select("level2/*:fp16")
    assert not [name for name in catalog.names() if ":" in name]


def test_a_precision_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match="no precision 'fp8'; choose one of fp32, tf32, fp16, bf16"):
        catalog.select(f"{NAME}:fp8")
    with pytest.raises(BadInput, match="no precision 'fp8'"):
        facts(f"{NAME}:fp8")
    assert catalog.find(f"{NAME}:fp8") is None


def test_a_task_that_is_no_problem_has_no_precisions() -> None:
    with pytest.raises(BadInput, match="activation/relu has no precisions"):
        catalog.select("relu:bf16")
    for asked in (facts, catalog.load):
        with pytest.raises(BrokenTask, match="has no precisions"):
            asked("activation/relu:bf16")
    assert catalog.find("relu:bf16") is None


def test_the_statement_says_the_precision_and_what_it_allows() -> None:
    plain, tf32 = statement(NAME).text(), statement(f"{NAME}:tf32").text()
    assert "come in float32 (precision fp32)" in plain and "TF32 operands are not allowed" in plain
    assert "(precision tf32)" in tf32 and "may round their operands to TF32" in tf32
    assert "rounding every intermediate result to TF32" in tf32
    narrow = statement(f"{NAME}:bf16").text()
    assert "come in bfloat16 (precision bf16)" in narrow
    assert "rounding every intermediate result to bfloat16" in narrow
