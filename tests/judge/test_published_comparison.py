"""The published comparison: what it lets pass, each beside what it rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.catalog.published_tests import Thresholds
from kernelbenchx.judge.published_comparison import compare_results, quality_of
from kernelbenchx.worker.published_program import ARRAY

NAN = float("nan")
LIMITS = Thresholds(cosine=0.95, l1=0.05, rmse=0.1)


def tensor(*values: float | complex, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


@pytest.mark.parametrize(
    ("dtype", "near", "far"),
    [
        (torch.float32, 1.000015, 1.00003),
        (torch.float64, 1.000015, 1.00003),
        (torch.float16, 1.009, 1.02),
        (torch.bfloat16, 1.0078125, 1.03),
    ],
)
def test_tolerance_follows_the_dtype(dtype: torch.dtype, near: float, far: float) -> None:
    wanted = tensor(1.0, dtype=dtype)
    assert compare_results(tensor(near, dtype=dtype), wanted) is None
    found = compare_results(tensor(far, dtype=dtype), wanted)
    assert found is not None
    assert "1 of 1 values differ, at most by " in found.what
    assert found.tolerance.startswith("atol = rtol = ")


def test_tolerance_is_relative_to_the_reference() -> None:
    big, bigger = tensor(1e6), tensor(1e6 * (1 + 1.00005e-5))
    small = tensor(1e6 * (1 - 1.00005e-5))
    assert compare_results(bigger, big) is None or compare_results(small, big) is None
    assert compare_results(tensor(1e6 + 9), big) is None
    assert compare_results(tensor(1e6 + 12), big) is not None


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128, torch.int64, torch.bool])
def test_everything_else_is_exact(dtype: torch.dtype) -> None:
    wanted = torch.ones(3, dtype=dtype)
    assert compare_results(wanted.clone(), wanted) is None
    other = ~wanted if dtype is torch.bool else wanted + (1e-6 if dtype.is_complex else 1)
    found = compare_results(other, wanted)
    assert found is not None
    assert found.tolerance == "exact"


def test_nan_equals_nan_alone_and_infinities_their_sign() -> None:
    odd = tensor(NAN, float("inf"))
    assert compare_results(odd.clone(), odd) is None
    assert compare_results(tensor(0.0, float("inf")), odd) is not None
    assert compare_results(tensor(NAN, float("-inf")), odd) is not None


@pytest.mark.parametrize(
    ("got", "what"),
    [
        (torch.ones(1, 2), "shape (1, 2), expected (2,)"),
        (torch.ones(2, dtype=torch.float64), "dtype float64, expected float32"),
        (1.0, "1.0, expected tensor"),
        (None, "None, expected tensor"),
        ([torch.ones(2)], "[tensor([1., 1.])], expected tensor"),
        ({ARRAY: torch.ones(2)}, "an array, expected Tensor"),
    ],
)
def test_shape_dtype_and_kind_must_be_equal(got: Any, what: str) -> None:
    found = compare_results({"a": got}, {"a": torch.ones(2)})
    assert found is not None
    assert found.key == "a"
    assert what in found.what


def test_lists_and_tuples_are_alike_but_their_length_counts() -> None:
    pair = (tensor(1.0), [2, "x"])
    assert compare_results([tensor(1.0), (2, "x")], pair) is None
    found = compare_results([tensor(1.0), (2,)], pair)
    assert found == ("[1]", "1 results, expected 2", "")


def test_keys_must_be_equal_and_the_first_mismatch_is_named() -> None:
    wanted = {"b": [tensor(1.0), tensor(2.0)], "a": 1}
    assert compare_results({"a": 1, "b": [tensor(1.0), tensor(2.0)]}, wanted) is None
    for got, key in (
        ({"b": wanted["b"]}, "a"),
        ({**wanted, "c": 1}, "c"),
        ({**wanted, "b": [tensor(1.0), tensor(3.0)]}, "b[1]"),
    ):
        found = compare_results(got, wanted)
        assert found is not None
        assert found.key == key


@pytest.mark.parametrize(
    ("wanted", "same", "other"),
    [
        (1.0, 1.000015, 1.00003),
        (1, 1.000015, 2),
        (1, 1, 1.1),
        (NAN, NAN, 0.0),
        (float("inf"), float("inf"), 1e300),
        (1 + 1j, 1 + 1j, 1 + 1.000001j),
        (True, 1, 2),
        ("text", "text", "other text"),
        (None, None, 0),
        (torch.float32, torch.float32, torch.float64),
        (1.0, torch.tensor(1.0), torch.tensor(2.0)),
        (1.0, torch.tensor([1.0]), torch.tensor([1.00001])),
    ],
)
def test_numbers_and_other_values(wanted: Any, same: Any, other: Any) -> None:
    assert compare_results(same, wanted) is None
    assert compare_results(other, wanted) is not None


def test_arrays_have_the_tolerance_of_tensors() -> None:
    wanted = {ARRAY: tensor(1.0)}
    assert compare_results({ARRAY: tensor(1.000015)}, wanted) is None
    assert compare_results({ARRAY: tensor(1.00003)}, wanted) is not None
    assert compare_results(tensor(1.0), wanted) is not None


def test_devices_are_compared_where_both_are_known() -> None:
    got, wanted = {"a": tensor(1.0)}, {"a": tensor(1.0)}
    assert compare_results(got, wanted, devices=["cuda"], expected_devices=["cuda"]) is None
    assert compare_results(got, wanted, devices=["cuda"]) is None
    found = compare_results(got, wanted, devices=["cpu"], expected_devices=["cuda"])
    assert found == ("a", "on cpu, expected on cuda", "")


def test_a_number_may_be_a_tensor_on_the_host_alone() -> None:
    got = [torch.tensor(1.0)]
    assert compare_results(got, [1.0], devices=["cpu"], expected_devices=[]) is None
    far = compare_results([torch.tensor(1.00001)], [1.0], devices=["cuda"], expected_devices=[])
    assert far is not None


def test_thresholds_take_the_place_of_the_tolerance() -> None:
    wanted = torch.linspace(-2.0, 2.0, 64)
    assert compare_results(wanted + 0.04, wanted) is not None
    assert compare_results(wanted + 0.04, wanted, LIMITS) is None
    found = compare_results(wanted + 0.06, wanted, LIMITS)
    assert found is not None
    assert "L1 0.05" in found.what
    assert found.tolerance == "cosine >= 0.95, L1 <= 0.05, RMSE <= 0.1"


@pytest.mark.parametrize(
    ("got", "wanted", "cosine"),
    [((0.0, 0.0), (0.0, 0.0), 1.0), ((0.0, 0.0), (1e-3, 0.0), 0.0), ((1.0, 0.0), (0.0, 1.0), 0.0)],
)
def test_cosine_of_nothing(got: Any, wanted: Any, cosine: float) -> None:
    assert quality_of(tensor(*got), tensor(*wanted)).cosine == cosine
    assert (compare_results(tensor(*got), tensor(*wanted), LIMITS) is None) == (cosine == 1.0)


def test_nan_fails_thresholds_even_where_both_have_it() -> None:
    odd = tensor(1.0, NAN)
    assert compare_results(odd, odd.clone()) is None
    assert compare_results(odd, odd.clone(), LIMITS) is not None
