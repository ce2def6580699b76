"""What the way a parameter is written says about it."""

import ast

import pytest

from kernelbenchx.checks.parameters import first_of, is_static, is_tensor


@pytest.mark.parametrize(
    "hint", ["torch.Tensor", "Tensor | None", "Optional[Tensor]", "'Tensor'", "list[torch.Tensor]"]
)
def test_a_tensor_is_announced(hint: str) -> None:
    assert is_tensor(ast.parse(hint, mode="eval").body)


@pytest.mark.parametrize("hint", ["int", "float | None", "torch.dtype", "'str'"])
def test_other_annotations_announce_nothing(hint: str) -> None:
    assert not is_tensor(ast.parse(hint, mode="eval").body)
    assert not is_tensor(None)


def test_a_static_method_has_no_self() -> None:
    one, other = ast.parse("@staticmethod\ndef f(a): ...\ndef g(self): ...").body
    assert isinstance(one, ast.FunctionDef)
    assert isinstance(other, ast.FunctionDef)
    assert is_static(one)
    assert not is_static(other)
    first = first_of(other)
    assert first is not None
    assert first.arg == "self"
