"""The entry and its signature."""

import ast
from collections.abc import Callable

import pytest

from kernelbenchx.checks.entry import find_entry, incompatibilities, read_parameters
from kernelbenchx.checks.rule import Parameter, Report
from kernelbenchx.checks.source import parse

Examine = Callable[..., Report]


def _parameters(signature: str) -> tuple[Parameter, ...]:
    function = ast.parse(f"def f({signature}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return read_parameters(function.args)


WANTED = "x, y, alpha=1.0, *, out=None"


@pytest.mark.parametrize(
    "given",
    [
        "x, y, alpha=1.0, *, out=None",
        "x, y, alpha=2, out=None",
        "x, y=None, alpha=1.0, *, out=None, BLOCK=64",
        "x, y, alpha=1.0, BLOCK=64, *, out=None",
        "x, y, alpha=1.0, **rest",
        "*args, **kwargs",
        "x, *args, **kwargs",
        "x, y, *rest, out=None, alpha=1, **more",
    ],
)
def test_compatible_signatures_are_accepted(given: str) -> None:
    assert list(incompatibilities(_parameters(WANTED), _parameters(given))) == []


@pytest.mark.parametrize(
    "given",
    [
        "x, alpha=1.0, *, out=None",
        "y, x, alpha=1.0, *, out=None",
        "a, y, alpha=1.0, *, out=None",
        "x, y, /, alpha=1.0, *, out=None",
        "x, y, *, alpha=1.0, out=None",
        "x, y, alpha, *, out=None",
        "x, y, alpha=1.0",
        "x, y, alpha=1.0, *, out",
        "x, y, alpha=1.0, *, out=None, BLOCK",
        "x, y, extra, alpha=1.0, *, out=None",
        "*args",
        "**kwargs",
    ],
)
def test_a_documented_call_that_fails_is_named(given: str) -> None:
    assert list(incompatibilities(_parameters(WANTED), _parameters(given)))


def test_variable_and_positional_only_parameters_of_the_task() -> None:
    wanted = _parameters("a, /, *tensors, **options")
    assert not list(incompatibilities(wanted, _parameters("b, *t, **o")))
    assert list(incompatibilities(wanted, _parameters("b, t=None, **o")))
    assert list(incompatibilities(wanted, _parameters("b, *t")))


def test_the_first_accepted_name_wins() -> None:
    source = parse("def kernel_function(): ...\ndef f(): ...\n")
    assert find_entry(source, ("f", "kernel_function")).name == "f"
    assert find_entry(source, ("g", "kernel_function")).name == "kernel_function"
    assert find_entry(source, ("g",)).name == ""


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
