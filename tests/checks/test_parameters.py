"""What a parameter's annotation says."""

import ast

import pytest

from kernelbenchx.checks.parameters import annotated, first_of, is_static
from kernelbenchx.checks.tags import NOTHING, TENSOR, inside


@pytest.mark.parametrize("hint", ["torch.Tensor", "Tensor | None", "Optional[Tensor]", "'Tensor'"])
def test_a_tensor_is_announced(hint: str) -> None:
    assert annotated(ast.parse(hint, mode="eval").body) == TENSOR


def test_a_list_of_tensors_is_a_container() -> None:
    assert annotated(ast.parse("list[torch.Tensor]", mode="eval").body) == inside(TENSOR)


@pytest.mark.parametrize("hint", ["int", "float | None", "torch.dtype", "'str'"])
def test_other_annotations_announce_nothing(hint: str) -> None:
    assert annotated(ast.parse(hint, mode="eval").body) == NOTHING
    assert annotated(None) == NOTHING


def test_a_static_method_has_no_self() -> None:
    one, other = ast.parse("@staticmethod\ndef f(a): ...\ndef g(self): ...").body
    assert isinstance(one, ast.FunctionDef)
    assert isinstance(other, ast.FunctionDef)
    assert is_static(one)
    assert not is_static(other)
    first = first_of(other)
    assert first is not None
    assert first.arg == "self"
