"""Which expressions look like tensors."""

import ast

import pytest

from kernelbenchx.checks.source import parse
from kernelbenchx.checks.tensors import is_one


def _is_one(text: str) -> bool:
    source = parse("import torch\n" + text)
    place = max(source.places(ast.Return), key=lambda one: getattr(one.node, "lineno", 0))
    assert isinstance(place.node, ast.Return)
    assert place.node.value is not None
    return is_one(source, place.node.value, place.scope)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: torch.Tensor):\n    return x\n",
        "def f(x):\n    x.numel()\n    return x[0] * 2\n",
        "def f(n):\n    y = torch.empty(n)\n    return -y\n",
        "def f(x):\n    return x.contiguous()\n",
        "def g(n):\n    y = torch.empty(n)\n    return y\ndef f(n):\n    return g(n)\n",
        "def f(n):\n    y = torch.empty(n)\n    y = y + y\n    return y > 0\n",
    ],
)
def test_tensors_are_seen(text: str) -> None:
    assert _is_one(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return n * 2\n",
        "def f(x: torch.Tensor):\n    return x is None\n",
        "def f(x):\n    return torch.broadcast_shapes(x.shape, (1,))\n",
        "def f(x):\n    x = x * 2\n    return x\n",
        "def g(n):\n    return n\ndef f(n):\n    return g(n)\n",
    ],
)
def test_numbers_and_questions_are_not(text: str) -> None:
    assert not _is_one(text)
