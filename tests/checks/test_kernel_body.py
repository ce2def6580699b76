"""Only Triton's language inside kernels."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]


def _kernel(body: str, before: str = "") -> str:
    return (
        f"{before}@triton.jit\ndef k(x, n: tl.constexpr):\n    {body}\n    tl.store(x, 1.0)\n"
        "def f(x, y):\n    k[(1,)](x, 3)\n    return x\n"
    )


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("v = tl.load(x).to(tl.float32) * 2 + tl.exp(1.0)", ""),
        ("for i in range(0, n):\n        v = min(i, 3)", ""),
        ("for i in tl.static_range(3):\n        v = float('inf')", ""),
        (
            "v = helper(tl.load(x))",
            "@triton.jit\ndef helper(a):\n    return a * SCALE\nSCALE = 2\n",
        ),
        ("v = libdevice.rint(tl.load(x))", "from triton.language.extra import libdevice\n"),
        ("v = half(n)", "@triton.constexpr_function\ndef half(n):\n    return n // 2\n"),
        ("v = triton.cdiv(n, 2)", ""),
        ("tl.static_assert(n > 2)\n    tl.device_print('a', n)", ""),
        ("v = tl.where(n > 2, 1, 0) if n else 3", ""),
    ],
)
def test_the_language_is_accepted(body: str, before: str, around: Examine) -> None:
    assert not around(_kernel(body, before)).findings


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("torch.exp(x)", ""),
        ("m(x, x)", "from torch import mm as m\n"),
        ("import math", ""),
        ("print(open('x'))", ""),
        ("h(x)", "def h(a):\n    return a\n"),
        ("v = (lambda: 1)()", ""),
        ("try:\n        v = 1\n    except Exception:\n        v = 2", ""),
        ("x._private", ""),
        ("S[0] = 1", "S = [0]\n"),
        ("global S\n    S = 1", "S = 0\n"),
        ("v = torch.empty(3)", ""),
        ("v = tl.extern_elementwise('a', 'b', [x], {}, True)", ""),
        ("v = itertools.count()", "import itertools\n"),
    ],
)
def test_python_in_a_kernel_is_refused(body: str, before: str, around: Examine) -> None:
    assert "kernel_body" in {finding.rule for finding in around(_kernel(body, before)).fatal}


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("v = tl.load(x).to(torch.float32)", ""),
        ("v = math.pi", "import math\n"),
        ("v = tl.zeros((3,), tl.int32)\n    v[0] = 1", ""),
    ],
)
def test_what_the_compiler_refuses_anyway_is_noted(body: str, before: str, around: Examine) -> None:
    report = around(_kernel(body, before))
    assert not report.fatal
    assert {finding.rule for finding in report.findings} == {"kernel_body"}
