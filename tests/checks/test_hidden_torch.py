"""Ways to hide that torch computes: each is mixed by its source. The trace sees the others."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]

MIXED = {
    "alias_module": (
        "import torch as t\ng = t.nn.functional\ndef f(x, y):\n"
        "    return g.softmax(launch(x), -1)\n"
    ),
    "from_as": "from torch import matmul as m\ndef f(x, y):\n    return m(launch(x), y)\n",
    "walrus": "def f(x, y):\n    launch(x)\n    return (h := torch.mm)(x, y)\n",
    "lambda": "h = lambda a, b: torch.mm(a, b)\ndef f(x, y):\n    return h(launch(x), y)\n",
    "nested": (
        "def f(x, y):\n    def g(a):\n        return torch.exp(a)\n    return g(launch(x))\n"
    ),
    "default": "def f(x, y, op=torch.add):\n    return op(launch(x), y)\n",
    "classbody": "class C:\n    op = torch.mm\ndef f(x, y):\n    return C.op(launch(x), y)\n",
    "compr": "def f(x, y):\n    launch(x)\n    return [torch.mm(a, y) for a in [x]][0]\n",
    "dict": 'OPS = {"a": torch.mm}\ndef f(x, y):\n    return OPS["a"](launch(x), y)\n',
    "matmul_op": "def f(x, y):\n    return launch(x) @ y\n",
    "add_op": "def f(x, y):\n    return launch(x) + y\n",
    "inplace": "def f(x, y):\n    return launch(x).add_(y)\n",
    "out": ("def f(x, y):\n    out = launch(x)\n    torch.add(x, y, out=out)\n    return out\n"),
    "aug": "def f(x, y):\n    out = launch(x)\n    out += y\n    return out\n",
    "partial": (
        "import functools\ng = functools.partial(torch.mm)\ndef f(x, y):\n"
        "    return g(launch(x), y)\n"
    ),
    "map": "def f(x, y):\n    return list(map(torch.exp, [launch(x)]))[0]\n",
    "bound": "def f(x, y):\n    g = launch(x).sum\n    return g()\n",
    "index": ("def f(x, y):\n    i = torch.zeros(3, dtype=torch.int64)\n    return launch(x)[i]\n"),
    "builtin_sum": "def f(x, y):\n    return sum([launch(x), y])\n",
    "Tensor_mm": "def f(x, y):\n    return torch.Tensor.mm(launch(x), y)\n",
    "getattr_lit": 'def f(x, y):\n    return getattr(torch, "mm")(launch(x), y)\n',
    "moved_guard": (
        "def f(x, y):\n    z = x.cpu()\n    launch(x)\n    if not z.is_cuda:\n"
        "        return torch.mm(x, y)\n    return x\n"
    ),
    "guard_rebound": (
        'def f(x, y):\n    launch(x)\n    x = x.to("cpu")\n    if not x.is_cuda:\n'
        "        return torch.mm(x, y)\n    return x\n"
    ),
    "deco_host": (
        "def deco(g):\n    return lambda x, y: torch.mm(x, y)\n@deco\ndef f(x, y):\n"
        "    return launch(x)\n"
    ),
    "autograd": (
        "class F(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x, y):\n        return torch.mm(launch(x), y)\ndef f(x, y):\n"
        "    return F.apply(x, y)\n"
    ),
    "moved_tuple": (
        "def f(x, y):\n    launch(x)\n    x, y = y.cpu(), x\n    if not x.is_cuda:\n"
        "        return torch.mm(x, y)\n    return x\n"
    ),
    "alloc": (
        "def f(x, y):\n    launch(x)\n    z = torch.empty(3)\n"
        '    if z.device.type == "cpu":\n        return torch.mm(x, y)\n    return x\n'
    ),
    "helper_cpu": (
        "def g(x):\n    if not x.is_cuda:\n        return torch.exp(x)\n    return x\n"
        "def f(x, y):\n    launch(x)\n    return g(x.cpu())\n"
    ),
    "or": (
        "def f(x, y):\n    if not x.is_cuda or x.numel() < 5:\n"
        "        return torch.exp(x)\n    return launch(x)\n"
    ),
}


@pytest.mark.parametrize("name", MIXED)
def test_torch_at_work_is_seen_through(name: str, around: Examine) -> None:
    report = around(MIXED[name])
    assert report.composition is Composition.MIXED
    assert not report.fatal


def test_the_same_without_torch_at_work_is_pure(around: Examine) -> None:
    report = around("def f(x, y):\n    return launch(x)\n")
    assert report.composition is Composition.PURE
    assert not report.findings
