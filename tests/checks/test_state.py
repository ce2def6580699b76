"""Nothing outlives a call."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]


@pytest.mark.parametrize(
    "lines",
    [
        "C = {}\ndef f(x, y):\n    C['k'] = launch(x)\n    return C['k']\n",
        "C = []\ndef f(x, y):\n    C.append(launch(x))\n    return C[-1]\n",
        "C = {}\ndef f(x, y):\n    return C.setdefault(x.shape, launch(x))\n",
        "L = None\ndef f(x, y):\n    global L\n    L = launch(x)\n    return L\n",
        "def f(x, y, keep=[]):\n    keep.append(launch(x))\n    return keep[0]\n",
        "def f(x, y):\n    launch.kept = launch(x)\n    return launch.kept\n",
        "class C:\n    kept = None\ndef f(x, y):\n    C.kept = launch(x)\n    return C.kept\n",
        "class C:\n    def go(self, x):\n        self.kept = launch(x)\n        return self.kept\n"
        "c = C()\ndef f(x, y):\n    return c.go(x)\n",
        "B = torch.empty(9)\ndef f(x, y):\n    B.copy_(launch(x))\n    return B\n",
        "import functools\n@functools.cache\ndef g(x):\n    return launch(x)\n"
        "def f(x, y):\n    return g(x)\n",
        "torch.matmul = None\ndef f(x, y):\n    return launch(x)\n",
        "def f(x, y):\n    triton.Config.num_warps = 3\n    return launch(x)\n",
    ],
)
def test_keeping_and_patching_are_refused(lines: str, around: Examine) -> None:
    assert "state" in {finding.rule for finding in around(lines).fatal}


@pytest.mark.parametrize(
    "lines",
    [
        "def f(x, y):\n    c = {}\n    c['k'] = launch(x)\n    return c['k']\n",
        "def f(x, y):\n    c = []\n    def add(v):\n        c.append(v)\n    add(launch(x))\n"
        "    return c[0]\n",
        "N = {}\ndef f(x, y):\n"
        "    N[0] = torch.cuda.get_device_properties(0).multi_processor_count\n"
        "    return launch(x)\n",
        "import functools\n@functools.lru_cache(None)\ndef g(n):\n    return triton.cdiv(n, 3)\n"
        "def f(x, y):\n    g(x.numel())\n    return launch(x)\n",
        "def f(x, y, *, out=None):\n    out = x if out is None else out\n    out[0] = 1\n"
        "    out.copy_(launch(x))\n    return out\n",
        "SIZES = {torch.float32: 4}\ndef f(x, y):\n    n = SIZES[x.dtype]\n    return launch(x)\n",
        "class C:\n    def __init__(self, x):\n        self.x = x\n"
        "def f(x, y):\n    return launch(C(x).x)\n",
    ],
)
def test_working_memory_and_plain_numbers_are_not(lines: str, around: Examine) -> None:
    assert not around(lines).fatal
