"""What calls give back and hand over."""

import ast

import pytest

from kernelbenchx.checks.source import parse
from kernelbenchx.checks.tags import Tags, has_tensor, loose


def _returned(text: str) -> Tags:
    source = parse("import torch, functools\n" + text)
    scope = next(s for s in source.names.scopes.values() if getattr(s.owner, "name", "") == "f")
    value = [n.value for n in scope.nodes if isinstance(n, ast.Return)][-1]
    assert value is not None
    return source.of(value, scope)


@pytest.mark.parametrize(
    "text",
    [
        "def g(a):\n    return a\ndef f(x: torch.Tensor):\n    return g(x)\n",
        "def g(*a):\n    return a[0]\ndef f(x: torch.Tensor):\n    return g(x)\n",
        "def g(**a):\n    return a['k']\ndef f(x: torch.Tensor):\n    return g(k=x)\n",
        "def g(a, b):\n    return b\ndef f(x: torch.Tensor):\n    return g(*(1, x))\n",
        "def g(a=1, *, b=2):\n    return b\ndef f(x: torch.Tensor):\n    return g(**{'b': x})\n",
        "g = functools.partial(lambda a: a)\ndef f(x: torch.Tensor):\n    return g(x)\n",
        "def d(h):\n    return h\n@d\ndef g(a):\n    return a\n"
        "def f(x: torch.Tensor):\n    return g(x)\n",
    ],
)
def test_arguments_come_back_out(text: str) -> None:
    assert has_tensor(_returned(text))


def test_another_argument_does_not() -> None:
    text = "def g(a, b):\n    return a\ndef f(x: torch.Tensor):\n    return g(1, x)\n"
    assert not has_tensor(_returned(text))


def test_apply_of_an_autograd_function_runs_forward() -> None:
    text = (
        "class G(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a):\n"
        "        return a\n    @staticmethod\n    def backward(ctx, g):\n        return ctx\n"
    )
    assert has_tensor(_returned(text + "def f(x: torch.Tensor):\n    return G.apply(x)\n"))
    plain = text.replace("torch.autograd.Function", "object")
    assert not loose(_returned(plain + "def f(x: torch.Tensor):\n    return G.apply(x)\n"))
