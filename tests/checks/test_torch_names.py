"""The lists of torch names."""

import pytest

from kernelbenchx.checks import torch_names, torch_operators
from kernelbenchx.checks.torch_names import Use, is_dropout, use_of, use_of_method


@pytest.mark.parametrize(
    "path",
    ["empty", "zeros_like", "float16", "cuda.is_available", "broadcast_tensors", "select", "eye"],
)
def test_preparing_is_preparing(path: str) -> None:
    assert use_of(path) is Use.PREPARES


@pytest.mark.parametrize(
    "path",
    ["mm", "nn.functional.softmax", "linalg.svd", "fft.fftn", "special.erf", "nn.Linear", "cat"],
)
def test_computing_is_computing(path: str) -> None:
    assert use_of(path) is Use.COMPUTES


@pytest.mark.parametrize("path", ["rand", "nn.functional.dropout2d", "random.seed", "Generator"])
def test_chance_is_chance(path: str) -> None:
    assert use_of(path) is Use.RANDOM


def test_dropout_is_told_from_other_chance() -> None:
    assert is_dropout("torch.nn.functional.dropout2d")
    assert is_dropout("torch.dropout")
    assert not is_dropout("torch.rand")
    assert not is_dropout("torch.nn.Dropout")


@pytest.mark.parametrize(
    "path",
    ["compile", "ops.aten.mm", "_C", "os", "sys.modules", "Stream", "utils.cpp_extension"],
)
def test_the_rest_is_off_limits(path: str) -> None:
    assert use_of(path) is Use.FORBIDDEN


def test_methods_are_classified_like_functions() -> None:
    assert use_of_method("view") is Use.PREPARES
    assert use_of_method("add_") is Use.COMPUTES
    assert use_of_method("uniform_") is Use.RANDOM
    assert use_of("Tensor.view") is Use.PREPARES
    assert use_of("Tensor.mm") is Use.COMPUTES


def test_no_name_is_on_two_lists() -> None:
    assert not torch_names.PREPARING & torch_names.RANDOM
    assert not torch_names.PREPARING & torch_operators.FUNCTIONS
    assert not torch_names.RANDOM & torch_operators.FUNCTIONS
    assert not torch_names.VIEW_METHODS & torch_names.RANDOM_METHODS
