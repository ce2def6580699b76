from dataclasses import replace

import pytest

import kernelbenchx.spec  # noqa: F401 - torch is loaded before any test is timed
from kernelbenchx import catalog
from kernelbenchx.catalog.arithmetic_intensity import cost_of, intensity


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


@pytest.mark.parametrize(
    ("name", "operations", "moved"),
    [
        ("level1/mse_loss", 3, 8),  # subtract, square, add; two floats
        ("level1/kl_div_loss", 4, 8),  # two logarithms, subtract, multiply and add
        ("level1/sum_reduction_over_a_dimension", 1, 4),
        ("level1/hinge_loss", 4, 4),  # multiply, subtract, clamp, add; targets are one row
        ("level1/cross_entropy_loss", 4, 4),  # maximum, subtract, exponential, add
    ],
)
def test_a_reduction_computes_with_every_element(name: str, operations: int, moved: int) -> None:
    found = intensity(name)
    by_hand = operations / moved
    assert found is not None and by_hand / 5 < found <= by_hand, "at least one for an element"
    task = catalog.load(name)
    results = task.cost(**task.timings[0].params)
    assert results.flops / results.bytes < by_hand / 1000, "results alone are far fewer"


@pytest.mark.parametrize("name", ["level1/relu", "level1/square_matrix_multiplication"])
def test_where_results_are_many_the_cost_stays(name: str) -> None:
    task = catalog.load(name)
    params = task.timings[0].params
    assert cost_of(task, params) == task.cost(**params)


def test_without_timed_cases_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    untimed = replace(catalog.load("activation/relu"), timings=())
    monkeypatch.setattr(catalog, "load", lambda _: untimed)
    assert intensity.__wrapped__("activation/relu") is None
