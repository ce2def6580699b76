"""Whose object it is, and how long it lives."""

import ast

import pytest

from kernelbenchx.checks.objects import Lifetimes, is_context, is_field, is_own_object, is_self
from kernelbenchx.checks.scopes import NameScope
from kernelbenchx.checks.source import Source, parse


def _marked(text: str) -> tuple[Source, ast.expr, NameScope]:
    """The argument of the call of `mark` in a text."""
    source = parse("import torch\n" + text)
    for place in source.places(ast.Call):
        node = place.node
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "mark":
            return source, node.args[0], place.scope
    raise AssertionError("nothing is marked")


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("C = []\ndef f():\n    mark(C)\n", True),
        ("C = []\ndef f():\n    c = C\n    mark(c[0].x)\n", True),
        ("C = {}\ndef f():\n    c = C.get(1)\n    mark(c)\n", True),
        ("C = []\ndef f():\n    for c in C:\n        mark(c)\n", True),
        ("def f(c=[]):\n    mark(c)\n", True),
        ("class K:\n    def f(self):\n        mark(self.x)\n", True),
        ("def g():\n    c = []\n    def h():\n        mark(c)\n    return h\n", True),
        ("def f():\n    mark(C)\nC = []\n", True),
        ("C = []\ndef f():\n    mark(C.copy())\n", False),
        ("C = []\ndef f():\n    c = list(C)\n    mark(c)\n", False),
        ("def f(c):\n    mark(c)\n", False),
        ("def f():\n    c = torch.empty(3)\n    mark(c)\n", False),
        ("def g():\n    c = []\n    def h():\n        mark(c)\n    h()\n", False),
        ("C = []\nmark(C)\n", False),
        ("class K(torch.autograd.Function):\n    def forward(ctx):\n        mark(ctx.x)\n", False),
    ],
)
def test_what_outlives_a_call(text: str, old: bool) -> None:
    source, node, scope = _marked(text)
    assert Lifetimes(source).outlives(node, scope) is old


def test_a_method_has_a_self_and_autograd_a_context() -> None:
    assert is_self(*_marked("class K:\n    def f(self):\n        mark(self)\n"))
    assert not is_self(
        *_marked("class K:\n    def f(self):\n        self = 1\n        mark(self)\n")
    )
    assert not is_self(*_marked("def f(self):\n    mark(self)\n"))
    function = "class K({}):\n    @staticmethod\n    def forward(ctx):\n        mark(ctx)\n"
    assert is_context(*_marked(function.format("torch.autograd.Function")))
    assert not is_context(*_marked("class Function: pass\n" + function.format("Function")))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("class K:\n    def f(self):\n        mark(self.add)\n", True),
        ("class K:\n    def f(self):\n        mark(self.register_buffer)\n", False),
        ("class K:\n    def f(self, other):\n        mark(other.add)\n", False),
    ],
)
def test_a_name_of_self_that_no_module_has_is_a_field(text: str, field: bool) -> None:
    source, node, scope = _marked(text)
    assert isinstance(node, ast.Attribute)
    assert is_field(source, node, scope) is field


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("class K: pass\ndef f():\n    k = K()\n    mark(k)\n", True),
        ("class K: pass\nmark(K)\n", True),
        ("class K: pass\ndef f(k):\n    mark(k)\n", False),
        ("class K: pass\nk = K()\nk = torch\nmark(k)\n", False),
        ("def K(): return torch\nk = K()\nmark(k)\n", False),
    ],
)
def test_objects_of_the_file(text: str, own: bool) -> None:
    assert is_own_object(*_marked(text)) is own
