"""What a call of the entry runs."""

from kernelbenchx.checks.entry import find_entry
from kernelbenchx.checks.reach import Reach, reach
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
    return reach(source, find_entry(source, ("f",)).definitions)


def _called(result: Reach) -> set[str]:
    return {getattr(scope.owner, "name", "") for scope in result.called.values()}


def test_references_are_followed_and_others_are_not() -> None:
    result = _reach(TEXT)
    assert _called(result) == {"f", "inner", "helper"}
    assert [launch.kernels for launch in result.launches] == [("k",)]
    imported = {getattr(scope.owner, "name", "") for scope in result.imported.values()}
    assert imported == {"", "at_import"}


def test_hooks_run_with_their_kernel() -> None:
    assert "hook" in _called(_reach(TEXT.replace("helper(x)\n    return", "idle(x)\n    return")))


def test_launching_is_passed_on_to_callers() -> None:
    result = _reach(TEXT)
    owners = {id(s.owner): getattr(s.owner, "name", "") for s in result.called.values()}
    assert {owners[o] for o in result.launching() if o in owners} == {"helper", "inner", "f"}


def test_compiling_is_not_launching() -> None:
    text = (
        "import triton\n@triton.jit\ndef k(x):\n    pass\ndef f(x):\n    k.warmup(x, grid=(1,))\n"
    )
    assert _reach(text).launches == ()
    assert _reach(text.replace("k.warmup(x, grid=(1,))", "k.run(x, grid=(1,))")).launches


def test_backward_is_reached_only_when_asked_for() -> None:
    text = (
        "import torch\nclass G(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x):\n        return x\n    @staticmethod\n"
        "    def backward(ctx, g):\n        return g\n"
    )
    assert "backward" not in _called(_reach(text + "def f(x):\n    return G.apply(x)\n"))
    assert "backward" in _called(_reach(text + "def f(x):\n    return G.backward(x, x)\n"))
