"""The entry and its signature."""

import ast
from collections.abc import Callable

import pytest

from kernelbenchx.checks.entry import find_entry
from kernelbenchx.checks.rule import Form, Report
from kernelbenchx.checks.source import parse

Examine = Callable[..., Report]


def test_the_first_accepted_name_wins() -> None:
    source = parse("def kernel_function(): ...\ndef f(): ...\n")
    assert find_entry(source, ("f", "kernel_function")).name == "f"
    assert find_entry(source, ("g", "kernel_function")).name == "kernel_function"
    assert find_entry(source, ("g",)).name == ""


def test_a_class_that_holds_state_is_no_function() -> None:
    source = parse("class Lion: ...\ndef lion_step(param): ...\n")
    names = ("Lion", "lion_step")
    assert find_entry(source, names, Form.FUNCTION).name == "lion_step"
    assert find_entry(source, names, Form.MODULE).name == "Lion"
    alone = parse("class Lion: ...\n")
    assert find_entry(alone, names, Form.FUNCTION).name == "Lion"


def test_the_last_definition_counts() -> None:
    source = parse("def f(): ...\ndef f(a): ...\n")
    (found,) = find_entry(source, ("f",)).definitions
    assert isinstance(found, ast.FunctionDef)
    assert found.lineno == 2


@pytest.mark.parametrize(
    "lines",
    [
        "def f(x, y):\n    return launch(x)\n",
        "def g(x, y):\n    return launch(x)\nf = g\n",
        "f = lambda x, y: launch(x)\n",
        "def kernel_function(x, y):\n    return launch(x)\n",
        "class G:\n    @staticmethod\n    def go(x, y):\n        return launch(x)\nf = G.go\n",
        "class G(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, y):\n"
        "        return launch(x)\nf = G.apply\n",
    ],
)
def test_every_way_to_define_an_entry_is_found(lines: str, around: Examine) -> None:
    assert not around(lines).fatal


@pytest.mark.parametrize(
    "lines",
    [
        "def g(x, y):\n    return launch(x)\n",
        "class f:\n    pass\n",
        "f = torch.softmax\n",
        "f = None\n",
        "f = copy_kernel\n",
        "def f(x):\n    return launch(x)\n",
    ],
)
def test_anything_else_is_refused(lines: str, around: Examine) -> None:
    assert "entry" in {finding.rule for finding in around(lines).fatal}
