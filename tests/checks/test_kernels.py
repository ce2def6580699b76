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
        "copy_kernel",
        "copy_kernel[(1,)]",
        "x[(1,)](y)",
        "def g():\n        launch(x)",
        "copy_kernel.warmup(x, y, 3, BLOCK=4, grid=(1,))",
        "if False:\n        launch(x)",
        "if x.device.type == 'cpu':\n        launch(x)",
    ],
)
def test_without_a_launch_it_is_not_a_kernel(body: str, around: Examine) -> None:
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
