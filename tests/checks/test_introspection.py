"""No reflection."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]


def _f(body: str, before: str = "") -> str:
    return f"{before}def f(x, y):\n    {body}\n    return launch(x)\n"


@pytest.mark.parametrize(
    "body",
    [
        "x.__class__",
        "globals()['a'] = 1",
        "vars(x)",
        "getattr(x, y)",
        "getattr(x, '__dict__')",
        "hasattr(x, name)",
        "setattr(x, 'a', 1)",
        "type('C', (), {})",
        "open('/etc/passwd')",
        "__builtins__",
        "breakpoint()",
        "id(x)",
        "x._base",
        "raise KeyboardInterrupt",
        "f'{x.__class__}'",
        "match x:\n        case object(_version=v):\n            pass",
        "launch.__code__",
        "copy_kernel.fn.__globals__",
    ],
)
def test_reflection_is_refused(body: str, around: Examine) -> None:
    refused = [f.line for f in around(_f(body)).fatal if f.rule == "introspection"]
    assert refused
    assert min(refused) >= 16


@pytest.mark.parametrize(
    "body",
    [
        "getattr(tl, 'float32')",
        "hasattr(tl, 'libdevice')",
        "isinstance(x, torch.Tensor) and type(x) is torch.Tensor",
        "triton.__version__",
        "n = __name__",
        "if x is None:\n        raise ValueError('no')",
        "print(x.shape)",
    ],
)
def test_questions_are_not(body: str, around: Examine) -> None:
    assert not around(_f(body)).fatal


@pytest.mark.parametrize(
    "before",
    [
        "class C(dict):\n    pass\n",
        "class C(torch.Tensor):\n    pass\n",
        "class C:\n    def __del__(self):\n        pass\n",
        "class C:\n    def __getitem__(self, i):\n        pass\n",
        "class C(metaclass=M):\n    pass\n",
        "async def g():\n    pass\n",
        "def __dir__():\n    pass\n",
    ],
)
def test_odd_classes_are_refused(before: str, around: Examine) -> None:
    assert "introspection" in {finding.rule for finding in around(_f("pass", before)).fatal}


@pytest.mark.parametrize(
    "before",
    [
        "class C:\n    def __init__(self):\n        self._n = 1\n    def n(self):\n"
        "        return self._n\n",
        "class C(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        return x\n",
        "class C:\n    pass\nclass D(C):\n    pass\n",
        "__all__ = ['f']\n",
    ],
)
def test_ordinary_classes_are_not(before: str, around: Examine) -> None:
    assert not around(_f("pass", before)).fatal


def test_the_binary_that_warmup_returns_may_be_loaded(around: Examine) -> None:
    assert not around(_f("k = kernel.warmup(x, grid=(1,)); k._init_handles()")).fatal
    refused = around(_f("k = kernel.warmup(x, grid=(1,)); k._run()")).fatal
    assert "introspection" in {finding.rule for finding in refused}
