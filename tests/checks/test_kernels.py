"""A kernel of the file, launched."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


@pytest.mark.parametrize(
    "body",
    [
        "copy_kernel[(1,)](x, y, 3, BLOCK=4)",
        "k = copy_kernel\n    k[(1,)](x, y, 3, BLOCK=4)",
        "go = copy_kernel[(1,)]\n    go(x, y, 3, BLOCK=4)",
        "copy_kernel.run(x, y, 3, BLOCK=4, grid=(1,), warmup=False)",
        "copy_kernel.warmup(x, y, 3, BLOCK=4, grid=(1,))[(1,)](x, y)",
        "for k in (copy_kernel,):\n        k[(1,)](x, y, 3, BLOCK=4)",
        "(copy_kernel if x else copy_kernel)[(1,)](x, y, 3, BLOCK=4)",
        "launch(x)",
        "[launch(a) for a in (x, y)]",
        "(lambda a: launch(a))(x)",
    ],
)
def test_a_launch_is_found(body: str, around: Examine) -> None:
    report = around(f"def f(x, y):\n    {body}\n    return x\n")
    assert not report.fatal
    assert report.composition is Composition.PURE


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "x[(1,)](y)",
        "def g():\n        launch(x)",
        "x.copy_kernel[(1,)](y)",
    ],
)
def test_without_any_way_to_a_kernel_it_is_none(body: str, around: Examine) -> None:
    report = around(f"def f(x, y):\n    {body}\n    return x\n")
    assert [finding.rule for finding in report.fatal] == ["kernels"]
    assert report.composition is Composition.NOT_A_KERNEL


def test_a_file_without_kernels_is_refused(examine: Examine) -> None:
    report = examine("import torch\ndef f():\n    return torch.ones(3)\n")
    assert [(finding.rule, finding.line) for finding in report.fatal] == [("kernels", 2)]


def test_a_foreign_decorator_on_a_kernel_is_refused(around: Examine) -> None:
    kernel = (
        "@triton.jit\ndef k(x):\n    tl.store(x, 1)\ndef f(x, y):\n    k[(1,)](x)\n    return x\n"
    )
    assert not around(kernel).fatal
    assert around("import functools\n@functools.cache\n" + kernel).fatal


@pytest.mark.parametrize(
    "lines",
    [
        "class M:\n    kernel = copy_kernel\n    def run(self, x):\n"
        "        self.kernel[(1,)](x, x, 3, BLOCK=4)\n        return x\n"
        "def f(x, y):\n    return M().run(x)\n",
        "class M:\n    def __init__(self):\n        self.kernel = copy_kernel\n"
        "    def run(self, x):\n        self.kernel[(1,)](x, x, 3, BLOCK=4)\n        return x\n"
        "m = M()\ndef f(x, y):\n    return m.run(x)\n",
        "class M:\n    @staticmethod\n    @triton.jit\n    def k(x):\n        tl.store(x, 1)\n"
        "def f(x, y):\n    M.k[(1,)](x)\n    return x\n",
        "class M:\n    kernel = staticmethod(copy_kernel)\n"
        "def f(x, y):\n    M.kernel[(1,)](x, y, 3, BLOCK=4)\n    return x\n",
    ],
)
def test_a_kernel_may_be_held_by_a_class_or_an_object(lines: str, around: Examine) -> None:
    report = around(lines)
    assert not report.fatal
    assert report.composition is Composition.PURE
    apart = lines[: lines.index("def f(x, y)")] + "def f(x, y):\n    return x\n"
    assert [finding.rule for finding in around(apart).fatal] == ["kernels"]


@pytest.mark.parametrize(
    "lines",
    [
        "jits = [triton.jit]\n@jits[0]\ndef k(x):\n    pass\n",
        "def make(d):\n    return d\n@make(triton.jit)\ndef k(x):\n    pass\n",
        "class C:\n    j = triton.jit\n",
    ],
)
def test_jit_is_not_handed_on(lines: str, around: Examine) -> None:
    entry = "def f(x, y):\n    return launch(x)\n"
    assert "kernels" in {finding.rule for finding in around(lines + entry).fatal}
    assert not around("j = triton.jit\n@j\ndef k(x):\n    pass\n" + entry).fatal
