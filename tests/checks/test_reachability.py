"""What a call of the entry may run."""

import ast

import pytest

from kernelbenchx.checks.entry import find_entry
from kernelbenchx.checks.reachability import Reach, reach
from kernelbenchx.checks.source import parse

TEXT = """
import torch, triton
@triton.jit
def k(x):
    pass
def hook(a):
    pass
@triton.autotune(configs=[triton.Config({}, pre_hook=hook)], key=[])
@triton.jit
def tuned(x):
    pass
def helper(x):
    k[(1,)](x)
def idle(x):
    tuned[(1,)](x)
def f(x):
    def inner():
        helper(x)
    return inner()
def at_import():
    pass
at_import()
"""


def _reach(text: str) -> Reach:
    source = parse(text)
    return reach(source, find_entry(source, ("f",)).units)


def _called(result: Reach) -> set[str]:
    places = result.source.places(ast.FunctionDef)
    return {getattr(p.node, "name", "") for p in places if id(p.node) in result.units}


def test_references_are_followed_and_others_are_not() -> None:
    result = _reach(TEXT)
    assert _called(result) == {"f", "inner", "helper", "k"}
    assert result.launches


def test_hooks_run_with_their_kernel() -> None:
    assert "hook" in _called(_reach(TEXT.replace("helper(x)\n    return", "idle(x)\n    return")))


def test_launching_is_passed_on_to_callers() -> None:
    result = _reach(TEXT)
    owners = {
        id(s.owner): getattr(s.owner, "name", "") for s in result.source.names.scopes.values()
    }
    launching = {owners[o] for o in result.launching if isinstance(o, int) and o in owners}
    assert launching == {"k", "tuned", "helper", "inner", "f", "idle"}


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("T = [g]\ndef f():\n    T[0]()\n", True),
        ("T = []\nT.append(g)\ndef f():\n    T[0]()\n", True),
        ("class C:\n    m = g\ndef f():\n    C.m()\n", True),
        ("class C:\n    def m(self):\n        g()\ndef f():\n    C().m()\n", True),
        ("class C:\n    def __init__(self):\n        g()\ndef f():\n    C()\n", True),
        ("class C:\n    def m(self):\n        g()\ndef f(x):\n    x.m()\n", False),
        ("class C:\n    def m(self):\n        g()\ndef f():\n    C()\n", False),
        ("def f(h=g):\n    h()\n", True),
        ("def d(h):\n    return h\n@d\ndef o():\n    g()\ndef f():\n    pass\n", True),
        ("f = lambda: g()\n", True),
        ("g()\ndef f():\n    pass\n", False),
    ],
)
def test_names_lead_on(text: str, reached: bool) -> None:
    assert ("g" in _called(_reach("def g():\n    pass\n" + text))) is reached


def test_annotations_are_not_code_that_the_entry_runs() -> None:
    result = _reach("import torch\ndef f(x: torch.exp):\n    y: torch.log = torch.sin\n")
    assert {path for one in result.named for path in one.paths} == {"torch", "torch.sin"}


def test_backward_is_reached_only_when_asked_for() -> None:
    text = (
        "import torch\nclass G(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x):\n        return x\n    @staticmethod\n"
        "    def backward(ctx, g):\n        return g\n"
    )
    assert "backward" not in _called(_reach(text + "def f(x):\n    return G.apply(x)\n"))
    assert "backward" in _called(_reach(text + "def f(x):\n    return G.backward(x, x)\n"))
