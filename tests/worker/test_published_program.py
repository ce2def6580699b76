"""A published test as data: what its steps draw, in which order, and what its results are."""

import random
from typing import Any

import numpy as np
import pytest
import torch

from kernelbenchx.worker.published_program import (
    ARRAY,
    BadProgram,
    as_plain,
    published_entry,
    run_program,
    seed_all,
)


def run(*steps: Any, entry: Any = torch.abs) -> dict[str, Any]:
    seed_all()
    return run_program({"steps": list(steps)}, entry, "cpu")


def test_draws_come_from_one_generator_in_order() -> None:
    found = run(
        ["x1", "randn", [[2, 3]]],
        ["x2", "rand", [[4]], {"dtype": "torch.float64"}],
        {"result": "a", "is": ["$x1", "$x2"]},
    )
    torch.manual_seed(0)
    expected = [torch.randn(2, 3), torch.rand(4, dtype=torch.float64)]
    assert all(map(torch.equal, found["a"], expected))


def test_a_call_that_draws_shifts_later_inputs() -> None:
    steps = [
        ["x1", "randn", [[8]]],
        ["y1", "call", ["$x1"]],
        ["x2", "randn", [[8]]],
        {"result": "later", "is": "$x2"},
    ]
    quiet, greedy = (
        run(*steps, entry=entry)["later"] for entry in (torch.abs, lambda x: torch.rand_like(x))
    )
    assert not torch.equal(quiet, greedy)


def test_outliers_are_scaled_normal_numbers_where_a_mask_says() -> None:
    found = run(["x1", "outlier", [[64, 64], 0.01, 20.0]], {"result": "a", "is": "$x1"})["a"]
    torch.manual_seed(0)
    expected = torch.randn(64, 64)
    mask = torch.rand(64, 64) < 0.01
    assert torch.equal(found[~mask], expected[~mask])
    assert torch.equal(found[mask], torch.randn(int(mask.sum())) * 20.0)
    assert not torch.equal(found[mask], expected[mask])


def test_arguments_reach_the_entry_as_they_are_written() -> None:
    given: list[Any] = []

    def entry(*args: Any, **kwargs: Any) -> None:
        given.append((args, kwargs))

    run(
        ["x1", "tensor", [[1, 2]]],
        [
            "y1",
            "call",
            ["$x1", {"tuple": [0, 2]}, [1.0, {"float": "inf"}]],
            {"dtype": "torch.int8"},
        ],
        ["y2", "call", [{"complex": [1.0, -2.0]}, {"size": [3]}, None, True], {"mode": "none"}],
        ["y3", "call", [], {"device": "$device", "of": {"range": [1, 4]}}],
        entry=entry,
    )
    (first, kwargs), (second, named), (_, last) = given
    assert first[1:] == ((0, 2), [1.0, float("inf")])
    assert kwargs == {"dtype": torch.int8}
    assert second == (1 - 2j, torch.Size([3]), None, True)
    assert type(second[1]) is torch.Size
    assert named == {"mode": "none"}
    assert last == {"device": "cpu", "of": [1, 2, 3]}


def test_values_are_derived_by_operators_methods_and_slices() -> None:
    found = run(
        ["x1", "ones", [[2, 3]]],
        ["v1", "mul", [2, "$x1"]],
        ["v2", ".T", ["$v1"]],
        ["v3", "getitem", ["$v2", {"tuple": [{"ellipsis": True}, {"slice": [None, 1, None]}]}]],
        ["v4", "setitem", ["$x1", {"tuple": [0, {"slice": [None, None, None]}]}, 0.0]],
        ["v5", ".clamp", ["$v3", -1.0, 1.5]],
        {"result": "shape", "is": "$v5"},
        {"result": "written", "is": "$x1"},
    )
    assert torch.equal(found["shape"], torch.full((3, 1), 1.5))
    assert found["written"].tolist() == [[0.0] * 3, [1.0] * 3]


@pytest.mark.parametrize("operation", ["system", ".__class__", "linalg.inv", ".save"])
def test_operations_that_are_not_listed_are_refused(operation: str) -> None:
    with pytest.raises(BadProgram):
        run(["x1", "ones", [[2]]], ["v1", operation, ["$x1"]])


def test_the_text_of_an_exception_is_the_result() -> None:
    guarded = {
        "try": [["y1", "call", []], {"result": "a", "is": "$y1"}],
        "except": "ValueError",
        "then": [{"result": "a", "is": "$error"}],
    }

    def refuse() -> None:
        raise ValueError("not positive")

    def fail() -> None:
        raise TypeError("another kind")

    assert run(guarded, entry=refuse) == {"a": "not positive"}
    assert run(guarded, entry=lambda: 1) == {"a": 1}
    with pytest.raises(TypeError):
        run(guarded, entry=fail)


def test_results_keep_the_order_of_the_program() -> None:
    steps = [{"result": name, "is": name} for name in ("second", "first")]
    assert list(run(*steps)) == ["second", "first"]


def test_two_names_take_two_values() -> None:
    step = ["u1", "unpack", ["$y1", 2]]
    found = run(["y1", "call", []], step, {"result": "a", "is": "$u1"}, entry=lambda: (1, 2))
    assert found == {"a": [1, 2]}
    with pytest.raises(ValueError, match="unpack"):
        run(["y1", "call", []], step, entry=lambda: (1, 2, 3))


def test_before_each_call_its_result_is_told() -> None:
    told: list[str] = []
    steps = [
        ["y1", "call", []],
        {"result": "plain", "is": "$y1"},
        ["y2", "call", []],
        ["v1", "add", ["$y2", 1]],
        {"result": "list", "is": [0, "$v1"]},
        ["y3", "call", []],
    ]
    run_program({"steps": steps}, lambda: 1, "cpu", told.append)
    assert told == ["plain", "list[1]", "y3"]


def test_a_builtin_stands_in_where_a_submission_lacks_the_name() -> None:
    assert published_entry({"abs": torch.abs}, "abs") is torch.abs
    assert published_entry({"kernel_function": torch.abs}, "abs") is abs
    with pytest.raises(NameError):
        published_entry({"kernel_function": torch.relu}, "relu")


def test_other_names_that_a_test_reads_must_be_there() -> None:
    module = {"relu": torch.relu}
    with pytest.raises(NameError, match="torch"):
        published_entry(module, "relu", ("torch",))
    assert published_entry({**module, "torch": torch}, "relu", ("torch",)) is torch.relu


def test_seeds_are_those_of_every_generator() -> None:
    drawn = []
    for _ in range(2):
        seed_all()
        drawn.append((random.random(), torch.rand(1).item()))
    assert drawn[0] == drawn[1]
    assert random.random() != drawn[0][0]


def test_arrays_are_told_from_tensors_in_plain_results() -> None:
    found = as_plain({"a": [np.ones((2, 1), np.float32)], "b": (np.float32(1.5), "text", None)})
    assert found["a"][0].keys() == {ARRAY}
    assert found["a"][0][ARRAY].shape == (2, 1)
    assert found["b"] == (1.5, "text", None)
    assert type(found["b"][0]) is float
