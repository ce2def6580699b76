import re

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.spec.mutants import Patch
from tiers import mark_slow


@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=12))
def test_a_statement_leaks_neither_cases_nor_witness_nor_mutants(name: str) -> None:
    text, task = statement(name).text(), catalog.load(name)
    for case in (*task.cases(0), *task.timings):
        assert case.name not in text
        for value in case.params.values():
            if isinstance(value, int) and not isinstance(value, bool) and value > 64:
                assert not re.search(rf"(?<![\d.]){value}(?![\d.])", text), value
    for line in witness_source(name).splitlines():
        if "tl." in line and len(line.strip()) > 20:
            assert line.strip() not in text
    for mutant in task.mutants:
        if isinstance(mutant, Patch) and "tl." in mutant.old:
            assert mutant.old not in text


@pytest.mark.parametrize("name", catalog.names())
def test_a_statement_says_what_must_be_written(name: str) -> None:
    stated, known = statement(name), facts(name)
    assert f"def {known.entry}(" in stated.text() or known.form == "module"
    for word in (*known.writes, *known.inert):
        assert f"`{word}`" in stated.text()
    if known.randomness != "none":
        assert "torch.randint" in stated.text()
    assert len(known.description) > 40
    assert stated.difficulty == known.difficulty > 0


def test_tf32_is_stated_where_it_is_allowed_and_where_it_is_not() -> None:
    assert "may round their operands to TF32" in statement("convolution/conv2d").text()
    assert "TF32 operands are not allowed" in statement("matrix_multiply/addmm").text()
