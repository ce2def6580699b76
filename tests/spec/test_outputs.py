from typing import Any

import pytest
import torch

from kernelbenchx.spec.outputs import flatten


def test_nested_results_become_named_leaves() -> None:
    leaves = flatten((torch.zeros(2), [torch.ones(1), 3]))
    assert [(leaf.name, leaf.kind) for leaf in leaves] == [
        ("out[0]", "tensor"),
        ("out[1][0]", "tensor"),
        ("out[1][1]", "int"),
    ]


@pytest.mark.parametrize(
    ("value", "kind", "dtype"),
    [
        (True, "bool", torch.bool),
        (3, "int", torch.int64),
        (2.5, "float", torch.float64),
        (1j, "complex", torch.complex128),
    ],
)
def test_numbers_become_tensors_that_say_what_they_were(
    value: Any, kind: str, dtype: torch.dtype
) -> None:
    (leaf,) = flatten(value)
    assert (leaf.kind, leaf.value.dtype, leaf.value.item()) == (kind, dtype, value)


def test_nothing_and_strange_objects_are_leaves_too() -> None:
    assert flatten(None)[0].kind == "none"
    assert flatten(object())[0].kind == "other"
    assert flatten([]) == ()


def test_a_named_tuple_of_torch_is_walked() -> None:
    assert len(flatten(torch.linalg.qr(torch.eye(2)))) == 2
