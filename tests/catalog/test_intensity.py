from dataclasses import replace

import pytest

import kernelbenchx.spec  # noqa: F401 - torch is loaded before any test is timed
from kernelbenchx import catalog
from kernelbenchx.catalog.intensity import intensity


def test_a_product_of_matrices_computes_more_for_every_byte_than_a_function_of_elements() -> None:
    few, many = intensity("activation/relu"), intensity("matrix_multiply/matmul_fp16")
    assert few is not None and many is not None
    assert 0 < few < 1 < 100 < many


def test_it_is_the_middle_of_the_timed_cases() -> None:
    task = catalog.load("matrix_multiply/matmul_fp16")
    costs = [task.cost(**case.params) for case in task.timings]
    shares = [one.flops / one.bytes for one in costs]
    found = intensity("matrix_multiply/matmul_fp16")
    assert found is not None and min(shares) <= found <= max(shares)


def test_without_timed_cases_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    untimed = replace(catalog.load("activation/relu"), timings=())
    monkeypatch.setattr(catalog, "load", lambda _: untimed)
    assert intensity.__wrapped__("activation/relu") is None
