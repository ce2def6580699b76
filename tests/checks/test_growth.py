"""The work of the checks grows with the source, whichever construct a source repeats."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation, Form, SignatureParameter

HEAD = """\
import functools
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def k(x, n, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 1.0)

"""
END = "k[(1,)](x, 3, B=4)\n"
FUNCTION = Expectation(entries=("f",), parameters=(SignatureParameter("x"),))
MODULE = Expectation(entries=("M",), parameters=(SignatureParameter("x"),), form=Form.MODULE)
FEW, MANY = 40, 160
MOST_GROWTH = 1.25
"""Times the growth of the source; a construct compared with each other of its kind has 4."""

Lines = Callable[[int], str]


def _each(line: str) -> Lines:
    """The line so many times, with its number and those of others."""
    return lambda n: "".join(
        line.format(i=i, next=i + 1, other=(i * 7 + 3) % n, twice=i // 2) for i in range(n)
    )


def _function(body: Lines, before: Lines = lambda _: "") -> Lines:
    return lambda n: f"{HEAD}{before(n)}def f(x):\n{body(n)}    {END}    return x\n"


def _module(init: Lines, before: Lines = lambda _: "", methods: Lines = lambda _: "") -> Lines:
    return lambda n: (
        f"{HEAD}{before(n)}class M(nn.Module):\n    def __init__(self):\n"
        f"        super().__init__()\n{init(n)}{methods(n)}"
        f"    def forward(self, x):\n        {END}        return x\n"
    )


def _call_first(_: int) -> str:
    return "    g0(x)\n"


FUNCTIONS = {
    "assignments": _function(_each("    y = x[0]\n")),
    "a name from itself": _function(lambda n: "    a = x\n" + _each("    a = a + a * a\n")(n)),
    "lists of itself": _function(lambda n: "    a = [x]\n" + _each("    a = [a, a]\n")(n)),
    "choices": _function(lambda n: "    g = f\n" + _each("    g = g if x else g\n")(n)),
    "swaps": _function(_each("    a{i}, b{i} = b{other}, a{other}\n")),
    "attributes": _function(_each("    x.a{i} = x.a{other}\n")),
    "tensors": _function(lambda n: "    t = torch.zeros(3)\n" + _each("    t = t + t\n")(n)),
    "closures": _function(_each("    def g{i}():\n        return g{other}\n")),
    "lambdas": _function(lambda n: "    q = []\n" + _each("    q.append(lambda a=x: (a, q))\n")(n)),
    "handlers": _function(_each("    try:\n        g(x)\n    except E:\n        pass\n")),
    "comprehensions": _function(_each("    y{i} = [a for a in [x] if a for b in [a]]\n")),
    "chain of functions": _function(_call_first, _each("def g{i}(x):\n    return g{next}(x)\n")),
    "functions that read others": _function(
        _call_first, _each("def g{i}(x):\n    return g{other}(x), g{twice}(x), g{next}(x)\n")
    ),
    "one name, many functions": _function(
        lambda _: "    g(x)\n", _each("def g(x):\n    return g(x)\n")
    ),
    "names for functions": _function(
        lambda _: "    g(x)\n",
        lambda n: "def g(x):\n    return x\n" + _each("h = g\n")(n) + _each("g = h\n")(n),
    ),
    "partials": _function(
        lambda _: "    p(x)\n",
        lambda n: "def p(x):\n    return x\n" + _each("p = functools.partial(p)\n")(n),
    ),
    "decorators": _function(
        lambda _: "    d(x)\n",
        lambda n: "def w(g):\n    return g\n" + _each("@w\n")(n) + "def d(x):\n    return x\n",
    ),
    "methods": _function(
        lambda _: "    C().m0(x)\n",
        lambda n: (
            "class C:\n" + _each("    def m{i}(self, x):\n        return self.m{next}(x)\n")(n)
        ),
    ),
    "globals": _function(
        lambda n: "    global g\n" + _each("    g = g0\n")(n),
        lambda n: "g0 = []\n" + _each("g = g0\n")(n),
    ),
    "kernels": _function(
        lambda _: "    k0[(1,)](x, B=1)\n",
        _each("@triton.jit\ndef k{i}(x, B: tl.constexpr):\n    k{next}(x, B)\n"),
    ),
    "a long kernel": _function(
        lambda _: "    q[(1,)](x)\n",
        lambda n: "@triton.jit\ndef q(x):\n" + _each("    y = tl.load(x) + y\n")(n),
    ),
    "imports": _function(lambda _: "", _each("import math as m{i}\n")),
}
MODULES = {
    "values of a name": _module(lambda n: "        a = 1\n" + _each("        a = a + a\n")(n)),
    "values and readers of a name": _module(
        lambda n: _each("        v = (v, v, v)\n")(n) + _each("        self.q = v\n")(n)
    ),
    "names from names": _module(
        lambda n: (
            _each("        a{i} = a{other} + a{twice} + a{next}\n")(n)
            + _each("        self.l{i} = a{i}\n")(n)
        )
    ),
    "layers": _module(_each("        self.l{i} = nn.Linear(3, 3)\n")),
    "chain of helpers": _module(
        lambda _: "        self.h0()\n",
        methods=_each("    def h{i}(self):\n        self.h{next}()\n"),
    ),
    "chain of helping functions": _module(
        lambda _: "        g0(1)\n", _each("def g{i}(x):\n    return g{next}(x)\n")
    ),
    "base classes": _module(
        lambda _: "        pass\n",
        lambda n: "class D0(nn.Module):\n    pass\n" + _each("class D{next}(D{i}):\n    pass\n")(n),
    ),
}


def _calls(source: str, expectation: Expectation) -> int:
    """How many calls of functions a check makes, which is the same on any machine."""
    count = 0

    def counting(_frame: FrameType, event: str, _about: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        check(source, expectation)
    finally:
        sys.setprofile(before)
    return count


def _growth(make: Lines, expectation: Expectation) -> float:
    few, many = (_calls(make(n), expectation) for n in (FEW, MANY))
    return many / few / (MANY / FEW)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_work_grows_with_a_function(name: str) -> None:
    assert _growth(FUNCTIONS[name], FUNCTION) < MOST_GROWTH


@pytest.mark.parametrize("name", MODULES)
def test_work_grows_with_a_module(name: str) -> None:
    assert _growth(MODULES[name], MODULE) < MOST_GROWTH


def test_work_that_grows_faster_is_noticed() -> None:
    """A source that is itself four times as long for twice the number."""
    squared: Lines = lambda n: _function(_each("    y = x[0]\n"))(n * n // FEW)  # noqa: E731
    assert _growth(squared, FUNCTION) > MOST_GROWTH
